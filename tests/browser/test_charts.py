"""Charts in a real browser: read at every width, in both schemes, with text that keeps its size and stays inside."""

from itertools import pairwise

import pytest

from tests.sitegen.pages.sample import UNPUBLISHED

pytestmark = pytest.mark.browser

RUN = f"runs/tiny/{UNPUBLISHED}.html"
TEXTS = """figure => [...figure.querySelectorAll(".drawing text")].map(text => {
  const box = text.getBoundingClientRect(), room = figure.getBoundingClientRect();
  return { words: text.textContent, size: getComputedStyle(text).fontSize, height: Math.round(box.height),
    inside: box.left >= room.left - 1 && box.right <= room.right + 1 && box.width > 0 };
})"""
NAMES = """figure => { const svg = figure.querySelector("svg[role=img]");
  return [svg.querySelector(":scope > title").textContent, svg.querySelector(":scope > desc").textContent]; }"""
PAINT = """figure => [...figure.querySelectorAll(".part, .curve")].map(shape => {
  const style = getComputedStyle(shape); return [style.fill, style.stroke]; })"""


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_text_of_a_chart_keeps_its_size_and_stays_inside_at_every_width(disk, tab, language, width):
    with tab(disk / language / RUN, width=width, script=False) as visit:
        figures = visit.page.locator("figure.chart")
        assert figures.count() == 2
        for number in range(figures.count()):
            found = figures.nth(number).evaluate(TEXTS)
            assert found
            assert {text["size"] for text in found} == {"12.5px"}
            assert max(text["height"] for text in found) < 24
            assert [text["words"] for text in found if not text["inside"]] == []
            title, description = figures.nth(number).evaluate(NAMES)
            assert title
            assert description
        assert visit.faults() == []


def test_a_curve_uses_the_whole_width_and_the_parts_of_a_bar_join(disk, tab):
    for width in (360, 1280):
        with tab(disk / "en" / RUN, width=width) as visit:
            plot = visit.page.locator(".chart-ecdf .plot").bounding_box()
            drawing = visit.page.locator(".chart-ecdf svg[role=img]").bounding_box()
            assert plot is not None
            assert drawing is not None
            assert abs(plot["width"] - drawing["width"]) < 12, "but for the width of its stroke"
            parts = visit.page.locator(".chart-counts .drawing rect.part")
            boxes = [parts.nth(number).bounding_box() for number in range(parts.count())]
            edges = [(round(box["x"]), round(box["x"] + box["width"])) for box in boxes if box]
            assert all(abs(end - start) <= 2 for (_, end), (start, _) in pairwise(edges))


def test_a_chart_is_painted_from_the_scheme(disk, tab):
    painted = {}
    for scheme in ("light", "dark"):
        with tab(disk / "en" / RUN, scheme=scheme) as visit:
            painted[scheme] = visit.page.locator("figure.chart").evaluate_all(f"all => all.map({PAINT})")

    assert painted["light"] != painted["dark"]


def test_the_numbers_of_a_chart_open_without_script_and_lead_to_the_evidence(disk, tab):
    with tab(disk / "zh" / RUN, script=False) as visit:
        figure = visit.page.locator(".chart-counts")
        figure.locator("summary").click()
        figure.locator("td a.bound").first.click()

        assert "evidence/tiny" in visit.page.url
        assert "run.json.analysis.arms.0.tally.planned" in visit.page.url
