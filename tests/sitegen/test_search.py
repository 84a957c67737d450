"""The index that search loads: what is in it, in which form, and that no Chinese string escapes it."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.pages.page import Frame, PageView
from sitegen.search import search_index
from sitegen.search.index import fold, terms
from sitegen.search.sections import Section, sections

FRAME = Frame("zh", "en", "zh/", "小", "Small", None, None, ())
VIEW = PageView(
    frame=FRAME, path="results/x.html", template="result.html", title="页", description="", section="results"
)
TEXT = st.text(alphabet="审计结果尝试𠮷 ，。aBc1İΣ", max_size=30)


def page(*paragraphs: str) -> str:
    """Markup with one section a paragraph."""
    return (
        "<main><h1>页</h1>" + "".join(f'<h2 id="s{n}">节</h2><p>{p}</p>' for n, p in enumerate(paragraphs)) + "</main>"
    )


def read(script: bytes) -> dict:
    """The index in a script."""
    found = re.fullmatch(r"window\.sealbookIndex=(\{.*\});\n", script.decode())
    assert found is not None
    return json.loads(found[1])


def holding(index: dict, term: str) -> dict[int, int]:
    """Section -> count for a term of an index."""
    postings = dict(zip(index["terms"].split("\n"), index["postings"].split("\n"), strict=True))
    counts, at = {}, 0
    for step in postings.get(term, "").split():
        distance, _, count = step.partition(":")
        at += int(distance, 36)
        counts[at] = int(count or "1", 36)
    return counts


def occurrences(text: str, wanted: str) -> int:
    """How often a string stands in a text, overlapping ones counted."""
    return sum(text.startswith(wanted, at) for at in range(len(text)))


def test_text_is_cut_at_headings_and_rows_with_an_id_and_goes_on_after_the_table():
    markup = """<nav>menu</nav><main id="page.main"><p>before</p><h1>Top</h1><p>lead <b>bold</b>er</p>
    <h2 id="a">One</h2><table><thead><tr><th>Column</th></tr></thead>
    <tr id="row"><th>study</th><td>研究</td></tr></table><p>after<br>it</p><h3>No id</h3><p>x</p></main><p>foot</p>"""

    assert sections(markup) == (
        Section("", "Top", "before lead bolder"),
        Section("a", "One", "after it"),
        Section("row", "study", "研究"),
        Section("a", "No id", "x"),
    )


def test_recorded_output_values_and_controls_are_no_text():
    markup = """<main><h1>T</h1><p>said <span class="hash"><span>ab</span>cd</span> <button>Copy</button></p>
    <pre>raw</pre><details><summary>more</summary>raw</details><td class="number">7</td>
    <svg><title>t</title></svg></main>"""

    assert sections(markup) == (Section("", "T", "said"),)


def test_chinese_gives_overlapping_pairs_and_latin_gives_words():
    assert list(terms("用 SHA-256 算散列值，ok")) == ["用", "sha", "256", "算散", "散列", "列值", "值", "ok"]
    assert list(terms("SQLite数据")) == ["sqlite", "数据", "据"]


@given(TEXT)
def test_folding_keeps_the_length_and_is_done_once(text):
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


@given(st.lists(TEXT, max_size=3), TEXT, st.text(alphabet="审计结果尝𠮷", min_size=2, max_size=6), TEXT)
def test_every_chinese_pair_has_its_true_count_and_longer_strings_never_escape(others, before, wanted, after):
    index = read(search_index([(VIEW, page(before + wanted + after, *others))]))
    stored = [fold(text) for text in index["texts"].split("\n")]

    pairs = [holding(index, wanted[at : at + 2]) for at in range(len(wanted) - 1)]

    true = {number: count for number, text in enumerate(stored) if (count := occurrences(text, wanted))}
    assert true
    assert true.keys() <= set.intersection(*(set(counts) for counts in pairs))
    if len(wanted) == 2:
        assert pairs[0] == true


@given(st.lists(TEXT, min_size=1, max_size=3))
def test_terms_are_in_the_order_in_which_a_browser_compares_strings(texts):
    found = read(search_index([(VIEW, page(*texts))]))["terms"].split("\n")

    assert found == sorted(set(found), key=lambda term: term.encode("utf-16-be"))


@pytest.mark.report("A17")
def test_markup_in_text_is_no_markup_in_the_script():
    script = search_index([(VIEW, page("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"))])

    assert b"<" not in script
    assert read(script)["texts"].split("\n")[1] == "</script><img src=x onerror=alert(1)>"


def test_pages_of_other_kinds_are_left_out():
    other = replace(VIEW, template="evidence.html")

    assert not any(read(search_index([(other, page("审计"))])).values())


@pytest.mark.report("A22")
def test_the_same_pages_give_the_same_bytes():
    pages = [(VIEW, page("审计结果", "two words")), (replace(VIEW, path="results/y.html"), page("结果"))]

    assert search_index(pages) == search_index(list(pages))
    assert read(search_index(pages))["pages"] == [["页", "results/x.html", 3], ["页", "results/y.html", 2]]
