"""Every page of the site, in both schemes: contrast, focus and quietness. The exhaustive battery."""

import pytest

from tests.sitegen.pages.sample import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.long]

CONTRAST = """() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const paint = (colour, under) => {
    pen.fillStyle = under; pen.fillRect(0, 0, 1, 1);
    pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) layers.unshift(getComputedStyle(at).backgroundColor);
    return layers.reduce((under, colour) => `rgb(${paint(colour, under).join(",")})`, "rgb(255,255,255)");
  };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || !node.checkVisibility()) continue;
    if (node.closest("svg, .visually-hidden, .skip")) continue;
    const style = getComputedStyle(node);
    const under = ground(node);
    const [a, b] = [light(paint(style.color, under)), light(paint(under, "#000"))].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    const words = walk.currentNode.textContent.slice(0, 40);
    if (ratio < (large ? 3 : 4.5)) found.push(`${ratio.toFixed(2)} ${node.className} ${words}`);
  }
  return [...new Set(found)];
}"""
OUTLINE = """() => document.activeElement === document.body
  ? "page" : getComputedStyle(document.activeElement).outlineWidth"""


def every_page(disk):
    """All pages of the site."""
    return sorted(path for path in disk.rglob("*.html") if path.relative_to(disk).parts[0] != "evidence")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_the_contrast_of_wcag_aa(disk, tab, scheme):
    with tab(disk / "index.html", scheme=scheme) as visit:
        for path in every_page(disk):
            visit.go(path)
            assert visit.page.evaluate(CONTRAST) == [], path.relative_to(disk)


@pytest.mark.parametrize("script", [True, False])
def test_every_page_is_quiet_at_every_width(disk, tab, script):
    for width in (360, 800, 1280, 1920):
        with tab(disk / "index.html", width=width, script=script) as visit:
            for path in every_page(disk):
                visit.go(path)
                assert visit.faults() == [], path.relative_to(disk)
                assert visit.page.locator("h1").count() == 1, path.relative_to(disk)
                if script:
                    wide = visit.page.evaluate("document.documentElement.scrollWidth")
                    assert wide == width, f"{path.relative_to(disk)} is {wide} wide at {width}"


def test_focus_is_seen_on_every_thing_that_takes_it(disk, tab):
    with tab(disk / "index.html") as visit:
        for path in PAGES.values():
            visit.go(disk / "en" / path)
            for _ in range(40):
                visit.page.keyboard.press("Tab")
                assert visit.page.evaluate(OUTLINE) in ("2px", "page"), path
