"""Titles in a real browser: a Chinese one breaks between words, as the browser knows them."""

import shutil

import pytest

from tests.sitegen.pages.sample import PAGES

pytestmark = pytest.mark.browser
TITLE = "竞争与到期以及预设崩溃条件下两个协调工具的实际表现"
BROKEN = """() => {
  const broken = [];
  const walk = document.createTreeWalker(document.querySelector("h1"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
    if (lines.size > 1) { broken.push(walk.currentNode.data); }
  }
  return broken;
}"""
"""The pieces of the title that stand on more than one line."""


@pytest.mark.parametrize("width", [360, 420, 500])
def test_a_chinese_title_breaks_between_words(disk, tab, tmp_path, width):
    copy = shutil.copytree(disk / "zh", tmp_path / "zh")
    shutil.copytree(disk / "assets", tmp_path / "assets")
    page = copy / PAGES["result"]
    page.write_text(
        page.read_text(encoding="utf-8").replace("<h1>首个结果</h1>", f"<h1>{TITLE}</h1>"), encoding="utf-8"
    )

    with tab(page, width=width, script=False) as visit:
        assert visit.page.evaluate(BROKEN) == [TITLE]
    with tab(page, width=width) as visit:
        assert visit.page.evaluate(BROKEN) == []
        assert visit.page.locator("h1").inner_text() == TITLE
        assert visit.page.evaluate("document.documentElement.scrollWidth") == width
        assert visit.faults() == []
