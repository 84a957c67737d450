"""Search in a real browser, from disk: true counts, results that lead somewhere, and nothing fetched."""

import json
import re
import shutil
from urllib.parse import quote, unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitegen.build import build
from sitegen.pages.page import Frame, PageView
from sitegen.search import search_index
from sitegen.search.index import fold
from tests.sitegen.pages.sample import PAGES, UNPUBLISHED, a_full_project

pytestmark = pytest.mark.browser
SEARCH = PAGES["search"]
FIELD = "[data-search] input"
COUNT = """(query) => {
  const answer = window.sealbookFinder(window.sealbookIndex).find(query);
  const found = answer.best(Infinity).map((hit) => [hit.section, hit.hits]);
  return { hits: answer.hits, found: found.sort((a, b) => a[0] - b[0]) };
}"""
TEXTS = """() => {
  const texts = window.sealbookIndex.texts.split("\\n");
  return window.sealbookIndex.headings.split("\\n").map((heading, number) => [heading, texts[number]]);
}"""


MADE = "([index, query]) => window.sealbookFinder(index).find(query).hits"
STARTS = re.compile(r"(?=([\u4e00-\u9fff]\S{1,9}))")
"""From every Chinese character that has a neighbour, the text that begins with it."""


def overlapping(text: str, wanted: str) -> int:
    """How often a string stands in a text, overlapping ones counted."""
    return sum(text.startswith(wanted, at) for at in range(len(text)))


@pytest.fixture(scope="module")
def zh(disk, chromium):
    """The Chinese search page with its index loaded, and the texts of its sections."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto((disk / "zh" / SEARCH).as_uri())
    page.fill(FIELD, "计划")
    page.wait_for_selector(".hits li")
    yield page, page.evaluate(TEXTS)
    context.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(data=st.data())
def test_every_chinese_substring_of_the_site_has_its_true_count(zh, data):
    page, texts = zh
    wanted = data.draw(st.sampled_from(STARTS.findall("\n".join(part for section in texts for part in section))))
    wanted = wanted[: data.draw(st.integers(2, len(wanted)))].lower()

    answer = page.evaluate(COUNT, wanted)

    true = [
        [number, count]
        for number, parts in enumerate(texts)
        if (count := sum(overlapping(part.lower(), wanted) for part in parts))
    ]
    assert answer["found"] == true
    assert answer["hits"] == sum(count for _, count in true) > 0


def an_index(markup: str):
    """What the script of one page with this inside holds."""
    frame = Frame("zh", "en", "zh/", "小", "Small", None, None, ())
    view = PageView(frame=frame, path="x/x.html", template="result.html", title="", description="", section="")
    return json.loads(search_index([(view, f"<main>{markup}</main>")]).decode().partition("=")[2].rstrip(";\n"))


SMALL = st.text(alphabet="审计𠮷，-aΣ1İ", max_size=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(others=st.lists(SMALL, max_size=3), before=SMALL, inside=SMALL, after=SMALL)
def test_repeated_rare_and_mixed_characters_are_counted_truly(zh, others, before, inside, after):
    page, _ = zh
    wanted = f"审{inside}"
    paragraphs = [f"{before}{wanted}{after}", *others]
    markup = "".join(f"<h2>·</h2><p>{text}</p>" for text in paragraphs)

    answer = page.evaluate(MADE, [an_index(markup), wanted])

    assert answer == sum(overlapping(fold(text), fold(wanted)) for text in paragraphs)


def test_sections_that_name_most_of_the_query_come_first_then_those_with_most_hits_then_the_earlier(zh):
    page, _ = zh
    sections = [
        ("other", "seal"),
        ("other", "seal seal plan"),
        ("Sealing", "plan"),
        ("Seal the plan", ""),
        ("x", "seal plan"),
    ]
    markup = "".join(f"<h2>{heading}</h2><p>{text}</p>" for heading, text in sections)
    best = "([index, query, most]) => window.sealbookFinder(index).find(query).best(most).map((hit) => hit.section)"

    assert page.evaluate(best, [an_index(markup), "seal", 9]) == [2, 3, 1, 0, 4]
    assert page.evaluate(best, [an_index(markup), "seal plan", 9]) == [3, 2, 1, 4]
    assert page.evaluate(best, [an_index(markup), "seal plan", 2]) == [3, 2]


@pytest.mark.parametrize("query", ["证", "证据", "已冻结，不得", "sha", "2026", "tiny 计划", "计划 接受"])
def test_counts_are_those_of_plain_counting(zh, query):
    page, texts = zh
    pieces = query.split()

    def count(part: str, piece: str) -> int:
        if piece.isascii():
            return len(re.findall(rf"(?<![^\W_\u3400-\u9fff]){piece}", part.lower()))
        return overlapping(part.lower(), piece)

    true = []
    for number, parts in enumerate(texts):
        counts = [sum(count(part, piece) for part in parts) for piece in pieces]
        if all(counts):
            true.append([number, sum(counts)])
    assert page.evaluate(COUNT, query)["found"] == true


@pytest.mark.parametrize(
    ("language", "query", "path", "snippet"),
    [
        ("zh", "冻结，不得", "protocols/tiny/1.0.html", "冻结，不得"),
        ("en", "NOBODY ra", "results/2026-11-29-second.html", "Nobody ran it"),
    ],
)
def test_typing_finds_a_section_marks_the_hit_and_leads_to_it(disk, tab, language, query, path, snippet):
    with tab(disk / language / SEARCH) as visit:
        visit.page.locator(FIELD).press_sequentially(query)
        visit.page.wait_for_selector(".hits li")

        first = visit.page.locator(".hits li").first
        assert snippet in first.locator("p").last.inner_text()
        marks = first.locator("mark").all_inner_texts()
        assert [mark.lower() for mark in marks] == query.lower().split()
        first.locator("a").click()
        visit.page.wait_for_url(lambda url: f"/{language}/{path}" in url)
        assert snippet in visit.page.locator("main").inner_text()
        fragment = unquote(visit.page.evaluate("location.hash"))[1:]
        assert not fragment or visit.page.evaluate("(id) => !!document.getElementById(id)", fragment)
        visit.page.go_back()
        visit.page.wait_for_selector(".hits li")
        assert visit.page.locator(FIELD).input_value() == query
        assert visit.faults() == []


def test_all_results_that_are_promised_follow_those_in_view(disk, tab):
    with tab(disk / "en" / SEARCH, fragment="#q=t") as visit:
        visit.page.wait_for_function("document.querySelectorAll('.hits li').length === 50")
        assert "The first 50 sections are shown." in visit.page.locator("[data-status]").inner_text()
        visit.page.fill(FIELD, "")
        assert visit.page.locator(".hits li").count() == 0
        assert visit.faults() == []


def test_an_attempt_is_found_by_its_name_and_not_by_its_output(disk, tab):
    with tab(disk / "en" / SEARCH, fragment="#q=" + quote("tool.identity-kept.1")) as visit:
        visit.page.wait_for_selector(".hits li")
        places = visit.page.locator(".hits a").evaluate_all("(all) => all.map((link) => link.href)")
        assert any(place.endswith(f"/attempts/tiny/{UNPUBLISHED}/tool.identity-kept.1.html") for place in places)
        visit.page.fill(FIELD, "sha256sum")
        assert visit.page.locator(".hits li").count() == 0
        assert visit.page.locator("[data-status]").inner_text().startswith("Nothing found")


def test_the_field_of_every_page_leads_to_the_search_with_its_words(disk, tab):
    with tab(disk / "zh" / PAGES["study"]) as visit:
        visit.page.fill(".find input", "计划")
        visit.page.press(".find input", "Enter")
        visit.page.wait_for_url("**/zh/search/index.html#q=*")
        visit.page.wait_for_selector(".hits li")
        assert visit.page.locator(FIELD).input_value() == "计划"
        visit.page.fill(FIELD, "证据")
        visit.page.wait_for_url(f"**#q={quote('证据')}")
        visit.page.click("[data-language-switch]")
        visit.page.wait_for_url("**/en/search/index.html#q=*")
        assert visit.page.locator(FIELD).input_value() == "证据"
        assert visit.faults() == []


def test_the_index_is_loaded_once_and_only_on_use(disk, tab):
    with tab(disk / "en" / "index.html") as visit:
        asked = []
        visit.page.on("request", lambda request: asked.append(request.url.rpartition("/site/")[2]))
        visit.go(disk / "en" / SEARCH)
        visit.page.wait_for_load_state()
        assert not [url for url in asked if url.endswith("search/index.js")]
        visit.page.locator(FIELD).press_sequentially("plan")
        visit.page.wait_for_selector(".hits li")
        assert len([url for url in asked if url.endswith("search/index.js")]) == 1
        assert visit.faults() == []


@pytest.mark.parametrize(("language", "words"), [("en", "Searching needs JavaScript"), ("zh", "搜索需要 JavaScript")])
def test_without_scripts_the_page_says_what_to_do(disk, tab, language, words):
    with tab(disk / language / PAGES["home"], script=False) as visit:
        visit.page.click(".find a")
        visit.page.wait_for_url(f"**/{language}/{SEARCH}")
        shown = visit.page.locator("main").inner_text()
        assert words in shown
        assert not visit.page.locator(FIELD).is_visible()
        assert visit.page.locator("main .notice a").count() >= 8


def test_an_index_that_is_not_there_is_told(disk, tab, tmp_path):
    copy = shutil.copytree(disk, tmp_path / "copy")
    (copy / "en" / "search" / "index.js").unlink()
    with tab(copy / "en" / SEARCH) as visit:
        visit.page.fill(FIELD, "plan")
        visit.page.wait_for_selector("[data-status]:has-text('The index could not be loaded')")
        assert visit.page.locator(".hits li").count() == 0


@pytest.mark.report("A17")
def test_hostile_text_is_quoted_as_text(tmp_path, tab):
    hostile = "<img src=x onerror=alert(1)>"
    out = tmp_path / "out"
    build(a_full_project(tmp_path / "project", title=f"Evil {hostile}"), out)
    with tab(out / "en" / SEARCH, fragment="#q=onerror") as visit:
        visit.page.wait_for_selector(".hits li")
        assert hostile in visit.page.locator(".hits").inner_text()
        assert visit.page.locator(".hits img").count() == 0
        visit.page.fill(FIELD, hostile)
        assert visit.page.locator(".hits li").count() > 0
        assert visit.faults() == []
