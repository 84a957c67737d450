"""Each kind of page looks as it did when somebody looked at it: in both languages, schemes and widths.

`make test` takes each kind once, with language, scheme and width in turn; `make check-long` takes all combinations.
"""

from itertools import product
from pathlib import Path

import pytest

from tests.plugins.goldens import updating
from tests.plugins.pictures import SCREENS, Picture
from tests.sitegen.pages import compared_sample, parity_sample
from tests.sitegen.pages.kinds import ROOT

pytestmark = pytest.mark.browser
SIGHTS = list(product(("en", "zh"), ("light", "dark"), (1280, 360)))
"""Language, scheme and width in pixels."""
COMPARED = {
    "compared-run.en.light.1280": ("report.matrix", "en", "light", 1280),
    "compared-run.zh.dark.360": ("report.drift", "zh", "dark", 360),
    "compared-attempt.en.dark.360": ("ledger", "en", "dark", 360),
    "compared-attempt.zh.light.1280": ("changes", "zh", "light", 1280),
}
"""Pictures of what only a comparison shows: the part of the page, its language, scheme and width."""
PARITY = {
    "parity-run.en.light.1280": ("report.gates", "en", "light", 1280),
    "parity-run.zh.dark.360": ("report.holds", "zh", "dark", 360),
    "parity-run.zh.light.1280": ("report.receipts", "zh", "light", 1280),
    "parity-study.en.dark.360": ("rules", "en", "dark", 360),
    "parity-two-runs.en.dark.1280": ("gates", "en", "dark", 1280),
}
"""The same of a parity study."""
STEADY = """() => {
  const zeros = (found) => found.replace(/[0-9a-f]/g, "0");
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode;
    const alone = text.parentNode.closest("svg") && /^[0-9a-f]$/.test(text.data);
    text.data = alone ? "0" : text.data
      .replace(/\\b[0-9a-f]{56,64}\\b|\\b[0-9a-f]{8}\\b/g, zeros)
      .replace(/\\b[0-9][0-9,]*(?=[\\u00a0 ](B|ms)\\b)/g, zeros)
      .replace(/\\b[0-9]{5,}\\b/g, zeros);
  }
}"""
"""Digests, sizes and spans change whenever the form of the evidence does: their digits are shown as zeros."""


def fonts(visit) -> list[str]:
    """The fonts that the text of the page is drawn with."""
    session = visit.page.context.new_cdp_session(visit.page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "main *"})["nodeIds"]
    used = [session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"] for node in nodes]
    return sorted({font["familyName"] for found in used for font in found})


def sights(places: dict[str, str]) -> dict[tuple[str, int], list[str]]:
    """Every page with every scheme and width that it is pictured in."""
    return {(scheme, width): sorted(places) for scheme in ("light", "dark") for width in (1280, 360)}


def in_turn(places: dict[str, str]) -> dict[tuple[str, int], list[str]]:
    """Each kind of page once, with another language, scheme or width than the kind before it."""
    chosen: dict[tuple[str, int], list[str]] = {}
    for number, kind in enumerate(dict.fromkeys(name.partition(".")[0] for name in places)):
        language, scheme, width = SIGHTS[number % len(SIGHTS)]
        chosen.setdefault((scheme, width), []).append(kind if kind == ROOT else f"{kind}.{language}")
    return chosen


def compared(disk: Path, tab, places: dict[str, str], picture: Picture, chosen) -> dict[str, str]:
    """What is wrong with the pages as they look, by name, scheme and width."""
    found = {}
    for (scheme, width), names in chosen.items():
        with tab(disk / "index.html", width=width, scheme=scheme) as visit:
            for name in names:
                visit.go(disk / places[name])
                visit.page.evaluate(STEADY)
                seen = f"{name}.{scheme}.{width}"
                found[seen] = picture(seen, visit.page.screenshot(animations="disabled"))
    return found


@pytest.fixture
def _same_fonts(disk, tab, places, made_with) -> None:
    """Skips where every letter would differ."""
    with tab(disk / places["attempt.zh"]) as visit:
        made_with(fonts(visit))


@pytest.mark.usefixtures("_same_fonts")
def test_each_kind_of_page_looks_as_expected(disk, tab, places, picture):
    found = compared(disk, tab, places, picture, in_turn(places))

    assert len(found) == len({name.partition(".")[0] for name in places}) >= 25
    assert {name: told for name, told in found.items() if told} == {}


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "width"), sights({}))
@pytest.mark.usefixtures("_same_fonts")
def test_every_kind_of_page_looks_as_expected_in_each_language_scheme_and_width(
    disk, tab, places, picture, scheme, width
):
    found = compared(disk, tab, places, picture, {(scheme, width): sorted(places)})

    assert len(found) == len(places)
    assert {name: told for name, told in found.items() if told} == {}


def of_parts(site, pages: dict[str, str], parts, tab, picture: Picture) -> dict[str, str]:
    """What is wrong with these parts of pages as they look, by the name of the picture."""
    found = {}
    for name, (part, language, scheme, width) in parts.items():
        place = pages[name.partition(".")[0]]
        with tab(site / language / place, width=width, scheme=scheme, fragment=f"#{part}") as visit:
            visit.page.evaluate(STEADY)
            found[name] = picture(name, visit.page.screenshot(animations="disabled"))
    return {name: told for name, told in found.items() if told}


@pytest.mark.usefixtures("_same_fonts")
def test_what_only_a_comparison_shows_looks_as_expected(compared_site, tab, picture):
    assert of_parts(compared_site, compared_sample.PAGES, COMPARED, tab, picture) == {}


@pytest.mark.usefixtures("_same_fonts")
def test_what_only_a_parity_study_shows_looks_as_expected(parity_site, tab, picture):
    assert of_parts(parity_site, parity_sample.PAGES, PARITY, tab, picture) == {}


@pytest.mark.skipif(updating(), reason="pictures are being made")
def test_every_picture_is_that_of_a_page(pytestconfig, places):
    kept = {path.stem for path in (pytestconfig.rootpath / "tests/goldens" / SCREENS).glob("*.png")}

    every = {f"{name}.{scheme}.{width}" for (scheme, width), names in sights(places).items() for name in names}
    assert kept == every | set(COMPARED) | set(PARITY)
