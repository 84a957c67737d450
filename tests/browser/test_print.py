"""A page on paper: A4, black on white, complete, with its links spelled out and its seals."""

import re
import unicodedata
from io import BytesIO
from itertools import islice

import pytest
from pypdf import PageObject, PdfReader

from tests.sitegen.pages.sample import PAGES

pytestmark = pytest.mark.browser
A4 = (595, 842)
"""Width and height in points."""
PAINT = """() => [...document.querySelectorAll("body, main, main p, main td, main pre")].map((node) => {
  const style = getComputedStyle(node);
  return style.color + " on " + style.backgroundColor;
})"""


def printed(visit) -> PdfReader:
    """The page as Chromium prints it, in the size that its style sheet asks for."""
    return PdfReader(BytesIO(visit.page.pdf(prefer_css_page_size=True)))


def words(*pages: PageObject) -> str:
    """What can be read on these pages. A PDF gives some Chinese glyphs as Kangxi radicals, which look the same."""
    return unicodedata.normalize("NFKC", "".join(page.extract_text() for page in pages))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", ["result", "run", "attempt", "evidence"])
def test_a_page_is_printed_whole_on_a4(disk, tab, kind, language):
    with tab(disk / language / PAGES[kind], scheme="dark") as visit:
        pdf = printed(visit)
        title = visit.page.locator("main h1").inner_text()

        text = words(pdf.pages[0])
        assert {tuple(round(side) for side in page.mediabox[2:]) for page in pdf.pages} == {A4}
        assert title.split()[0] in text
        assert visit.faults() == []


def test_links_that_leave_the_site_are_spelled_out(disk, tab):
    planted = "document.querySelector('main .prose p').innerHTML += ' <a href=\"https://example.org/far\">words</a>'"
    with tab(disk / "en" / PAGES["result"]) as visit:
        visit.page.evaluate(planted)
        result = words(*printed(visit).pages).replace("\n", "")
        visit.go(disk / "en" / PAGES["study"])
        study = words(*printed(visit).pages).replace("\n", "")

    assert re.search(r"words ?⟨https://example.org/far⟩", result)
    assert study.count("https://example.org/tool") == 1  # its text is its address


def test_digests_are_printed_whole_and_seals_stay_in_the_margin_of_their_line(disk, tab):
    with tab(disk / "en" / PAGES["run"]) as visit:
        digest = visit.page.locator(".seals .hash").first.get_attribute("aria-label")
        visit.page.emulate_media(media="print")
        assert digest is not None
        assert visit.page.locator(".strip > .seal").is_visible()
        text = words(*printed(visit).pages).replace("\n", "")

    assert digest.removeprefix("SHA-256 ") in text


def test_a_dark_page_is_printed_black_on_white_without_its_controls(disk, tab):
    with tab(disk / "en" / PAGES["run"], scheme="dark") as visit:
        visit.page.emulate_media(media="print")
        paint = visit.page.evaluate(PAINT)

        assert paint[0] == "rgb(0, 0, 0) on rgb(255, 255, 255)"
        for controls in (".rail", ".switches", ".copy", ".filters"):
            assert visit.page.locator(f"{controls}:visible").count() == 0


def test_a_long_table_repeats_its_header(disk, tab):
    with tab(disk / "en" / PAGES["evidence"]) as visit:
        pages = (page.extract_text() for page in printed(visit).pages)
        headed = (page for page in pages if "SHA-256" in page and "Bytes" in page)

        assert len(list(islice(headed, 2))) == 2
