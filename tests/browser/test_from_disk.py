"""The site in a real browser, opened from disk as a reader would: complete, quiet and inert."""

import re

import pytest

from tests.sitegen.pages.sample import PAGES, UNPUBLISHED

pytestmark = pytest.mark.browser
LANGUAGES = ("en", "zh")
TABLE = f"attempts/tiny/{UNPUBLISHED}/index.html"


@pytest.mark.report("A14")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_page_opens_from_disk_without_a_request_or_a_complaint(disk, tab, language):
    with tab(disk / "index.html") as visit:
        for kind, path in PAGES.items():
            visit.go(disk / language / path)
            assert visit.page.locator("main h1").count() == 1, kind
            assert visit.page.evaluate("getComputedStyle(document.body).fontFamily").startswith("system-ui"), kind
            assert visit.faults() == [], kind


def test_the_first_page_offers_both_languages(disk, tab):
    for language, tag in (("en", "en"), ("zh", "zh-Hans")):
        with tab(disk / "index.html") as visit:
            visit.page.click(f"a[hreflang={tag}]")
            visit.page.wait_for_url(f"**/{language}/index.html")
            assert visit.page.locator("html").get_attribute("lang") == tag
            assert visit.faults() == []


@pytest.mark.report("A14")
def test_core_numbers_are_readable_without_scripts(disk, tab):
    with tab(disk / "en" / PAGES["run"], script=False) as visit:
        words = visit.page.locator("main").inner_text()

        assert "7 of 12 planned attempts were accepted" in words
        assert visit.page.locator("button:visible").count() == 0
    with tab(disk / "en" / TABLE, script=False) as visit:
        assert visit.page.locator("#attempts tbody tr:visible").count() == 12
        assert not visit.page.locator(".filters").is_visible()


@pytest.mark.report("A18")
@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Shanghai"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_date_is_the_same_in_whatever_zone_it_is_read(disk, tab, language, zone):
    with tab(disk / language / "results/index.html", zone=zone) as visit:
        offset = visit.page.evaluate("new Date(2026, 10, 30).getTimezoneOffset()")
        assert offset == {"America/Los_Angeles": 480, "Asia/Shanghai": -480}[zone]
        dates = visit.page.locator(".notebook time").all_inner_texts()
        assert [date.split() for date in dates] == [["2026-11-30", "UTC"], ["2026-11-29", "UTC"], ["2026-11-30", "UTC"]]
        visit.go(disk / language / PAGES["result"])
        assert "2026-11-30 UTC" in visit.page.locator("main .kicker").first.inner_text()


@pytest.mark.parametrize(("language", "words"), [("en", "中文"), ("zh", "English")])
def test_the_language_switch_keeps_the_place(disk, tab, language, words):
    other = {"en": "zh", "zh": "en"}[language]
    with tab(disk / language / PAGES["evidence"], fragment="#run.json.tally.accepted") as visit:
        visit.page.click(f"text={words}")

        visit.page.wait_for_url(f"**/{other}/{PAGES['evidence']}#run.json.tally.accepted")
        assert visit.page.locator(":target").inner_text() == "7"


def test_a_number_leads_to_the_place_that_quotes_it(disk, tab):
    with tab(disk / "en" / PAGES["run"]) as visit:
        visit.page.locator(".lead .bound").first.click()

        visit.page.wait_for_url("**#run.json.tally.accepted")
        assert visit.page.locator(":target").inner_text() == "7"


def test_the_chosen_scheme_stays_on_the_next_page(disk, tab):
    with tab(disk / "en" / "index.html", scheme="light") as visit:
        visit.page.click("[data-scheme-switch]")
        visit.page.click(".rail nav a:text-is('Evidence')")
        visit.page.wait_for_url("**/evidence/index.html")

        background = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == "rgb(22, 23, 26)"
        assert visit.page.locator("[data-scheme-switch]").inner_text() == "Light"


def test_a_whole_digest_shows_on_focus(disk, tab):
    with tab(disk / "en" / PAGES["run"]) as visit:
        digest = visit.page.locator(".seals .hash").first
        short = digest.inner_text()
        digest.focus()

        assert re.fullmatch(r"[0-9a-f]{8}…", short.strip())
        assert re.fullmatch(r"[0-9a-f]{64}", digest.inner_text().strip())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_scrolls_sideways_at_360_pixels(disk, tab, language):
    with tab(disk / "index.html", width=360) as visit:
        for kind, path in PAGES.items():
            visit.go(disk / language / path)
            width = visit.page.evaluate("document.documentElement.scrollWidth")
            assert width == 360, f"{kind} is {width} wide"
