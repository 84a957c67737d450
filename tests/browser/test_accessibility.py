"""No page kind breaks a rule of axe-core: WCAG 2.2 A and AA and its best practices, with everything unfolded.

`make test` takes each kind once, with language, scheme and width in turn; `make check-long` takes all combinations.
"""

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.sitegen.pages import compared_sample, parity_sample

pytestmark = pytest.mark.browser
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": STANDARDS}}
JUDGED = """async (rules) => {
  document.querySelectorAll("details").forEach((fold) => { fold.open = true; });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const { violations } = await axe.run(document, rules);
  return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target} ${node.failureSummary}`));
}"""
PLANTED = """(html) => {
  document.querySelector("main").insertAdjacentHTML("beforeend", html);
  document.querySelectorAll("[data-style]").forEach((node) => { node.style.cssText = node.dataset.style; });
}"""
SIGHTS = [("light", 360), ("dark", 1280), ("light", 1280), ("dark", 360)]
"""A scheme and a width, in pixels."""


def violations(visit) -> list[str]:
    """What axe finds on the page as it stands."""
    visit.page.evaluate(AXE_SCRIPT)
    return visit.page.evaluate(JUDGED, RULES)


def test_each_kind_of_page_breaks_no_rule(disk, tab, places):
    kinds = list(dict.fromkeys(name.partition(".")[0] for name in places))
    chosen: dict[tuple[str, int], list[str]] = {}
    for number, kind in enumerate(kinds):
        language = ("en", "zh")[(number + number // len(SIGHTS)) % 2]
        chosen.setdefault(SIGHTS[number % len(SIGHTS)], []).append(kind if kind in places else f"{kind}.{language}")
    found = {}
    for (scheme, width), names in chosen.items():
        with tab(disk / "index.html", width=width, scheme=scheme) as visit:
            for name in names:
                visit.go(disk / places[name])
                found[name] = violations(visit)

    assert len(found) == len(kinds) >= 19
    assert {kind: told for kind, told in found.items() if told} == {}


def of_each(site, pages: dict[str, str], tab) -> dict[str, list[str]]:
    """What axe finds on each of these pages, with language, scheme and width in turn."""
    found = {}
    for number, (kind, place) in enumerate(pages.items()):
        scheme, width = SIGHTS[number % len(SIGHTS)]
        language = ("en", "zh")[number % 2]
        with tab(site / language / place, width=width, scheme=scheme) as visit:
            found[kind] = violations(visit)
    return found


def test_the_pages_of_a_comparison_break_no_rule(compared_site, tab):
    assert of_each(compared_site, compared_sample.PAGES, tab) == {kind: [] for kind in compared_sample.PAGES}


def test_the_pages_of_a_parity_study_break_no_rule(parity_site, tab):
    assert of_each(parity_site, parity_sample.PAGES, tab) == {kind: [] for kind in parity_sample.PAGES}


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "width"), SIGHTS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_kind_of_page_breaks_no_rule_in_each_language_scheme_and_width(
    disk, tab, places, language, scheme, width
):
    found = {}
    with tab(disk / "index.html", width=width, scheme=scheme) as visit:
        for kind, path in places.items():
            if kind == "root" or kind.endswith(f".{language}"):
                visit.go(disk / path)
                found[kind] = violations(visit)

    assert len(found) == (len(places) + 1) / 2
    assert {kind: told for kind, told in found.items() if told} == {}


@pytest.mark.parametrize(("language", "query"), [("en", "plan"), ("zh", "计划")])
def test_a_page_in_use_breaks_no_rule(disk, tab, places, language, query):
    with tab(disk / places[f"search.{language}"], fragment=f"#q={query}") as visit:
        visit.page.wait_for_selector(".hits li")
        assert violations(visit) == []
    with tab(disk / places[f"attempt-table.{language}"]) as visit:
        visit.page.locator("main table button").first.click()
        visit.page.locator("main [aria-pressed]").first.click()
        assert violations(visit) == []


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        ("<img src='../assets/seal.svg'>", "image-alt"),
        ("<p data-style='color: #aaa; background: #fff'>pale</p>", "color-contrast"),
        ("<h6>too deep</h6>", "heading-order"),
        ("<div data-style='overflow: auto; height: 2em'><p>a</p><p>b</p><p>c</p></div>", "scrollable-region-focusable"),
    ],
)
def test_a_broken_page_is_found(disk, tab, places, broken, rule):
    with tab(disk / places["glossary.en"]) as visit:
        visit.page.evaluate(PLANTED, broken)
        assert any(told.startswith(f"{rule}: ") for told in violations(visit))


def test_what_scrolls_takes_the_focus_while_it_scrolls_and_not_otherwise(disk, tab, places):
    boxes = "[...document.querySelectorAll('.scroll')].map((box) => [box.scrollWidth > box.clientWidth, box.tabIndex])"
    with tab(disk / places["licenses.en"], width=360) as visit:
        visit.page.wait_for_selector(".scroll[tabindex]")
        assert [True, 0] in visit.page.evaluate(boxes)
        visit.page.set_viewport_size({"width": 1920, "height": 900})
        visit.page.wait_for_selector(".scroll:not([tabindex])")
        assert all(wide == (index == 0) for wide, index in visit.page.evaluate(boxes))
        assert visit.faults() == []
