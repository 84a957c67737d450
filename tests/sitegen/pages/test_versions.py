"""Every version of a protocol stays visible, says whether a newer one exists, and shows what it changed."""

import html
import re
import shutil

import pytest

from sitegen.prose.blocks import blocks
from tests.sitegen.histories import protocol_file, three_versions
from tests.sitegen.pages.sample import main_of
from tests.sitegen.projects import a_project, replace, write
from tests.sitegen.rendered import rendered

DIFFERENCE = "protocols/tiny/1.0...1.1.html"
LANGUAGES = ("en", "zh")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return three_versions(a_project(tmp_path_factory.mktemp("versions")))


@pytest.fixture(scope="module")
def pages(project):
    return pages_of(project)


def pages_of(root) -> dict[str, str]:
    """What each page says inside `<main>`."""
    return {path: main_of(page) for path, page in rendered(root, "protocols/").items()}


def source(project, version: str, language: str) -> str:
    """The text of a version below its front matter."""
    return (project / protocol_file(version, language)).read_text(encoding="utf-8").partition("\n+++\n")[2]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", [DIFFERENCE, "protocols/tiny/1.0.html"])
def test_pages_of_versions_are_as_expected(pages, golden, language, path):
    name = path.removesuffix(".html").replace("/", "-")
    golden(f"history/{name}.{language}.html", pages[f"{language}/{path}"])


@pytest.mark.rule("S160")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_version_stands_in_the_list_and_on_the_page_of_each_other(pages, language):
    for path in ("protocols/index.html", *(f"protocols/tiny/1.{minor}.html" for minor in range(3))):
        table = pages[f"{language}/{path}"].partition("<table>")[2]
        rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", table)
        assert [re.sub(r"<[^>]+>", "", row)[:8] for row in rows] == ["tiny 1.2", "tiny 1.1", "tiny 1.0"], path
        dates = [re.search(r'datetime="([^"]*)"', row) for row in rows]
        assert [date and date[1] for date in dates] == ["2026-12-02", "2026-12-01", "2026-11-30"]
    for minor in range(3):
        assert f"tiny 1.{minor}" in pages[f"{language}/protocols/tiny/1.{minor}.html"]


@pytest.mark.rule("S160")
@pytest.mark.parametrize(("language", "words"), [("en", "A newer version exists:"), ("zh", "已有更新的版本：")])
def test_an_older_version_stays_and_says_that_a_newer_one_exists(pages, language, words):
    old = pages[f"{language}/protocols/tiny/1.0.html"]
    band = old.partition('id="protocol.newer"')[2].partition("</div>")[0]

    assert words in band
    assert 'href="1.1.html"' in band  # the one in force, not the draft after it
    assert {"en": "Each tool is asked once", "zh": "每个工具询问一次"}[language] in old
    assert 'href="1.2.html"' in pages[f"{language}/protocols/tiny/1.1.html"].partition("protocol.newer")[2]
    assert "protocol.newer" not in pages[f"{language}/protocols/tiny/1.2.html"]


def test_a_protocol_with_one_version_has_neither_band_nor_difference(tmp_path):
    pages = pages_of(a_project(tmp_path))

    assert "protocol.newer" not in pages["en/protocols/tiny/1.0.html"]
    assert not any("..." in path for path in pages)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_difference_holds_both_texts_whole(project, pages, language):
    main = pages[f"{language}/{DIFFERENCE}"].partition('<h2 id="passages">')[2].partition("</p>")[2]
    main = main.rpartition("<p>")[0]
    main = re.sub(r'<span class="(?:glyph|visually-hidden)".*?</span>', "", main)
    heads = {"+": r"<ins>\1</ins>", "±": r"\1"}
    for glyph, head in zip(re.findall(r"<h3", main), ("±", "+"), strict=True):
        assert glyph
        main = re.sub(r"<h3[^>]*>(.*?) <small>.*?</small></h3>", heads[head], main, count=1)
    main = re.sub(r"<summary>[^<]*?未变：|<summary>[^<]*?unchanged: ", "", main)
    main = re.sub(r"<summary>[^<]*</summary>|<p class=\"kicker\">.*?</p>", "", main)

    for version, without in (("1.0", "ins"), ("1.1", "del")):
        kept = re.sub(rf"<{without}>.*?</{without}>", "", main, flags=re.DOTALL)
        text = html.unescape(re.sub(r"<[^>]+>", "", kept))
        assert "".join(text.split()) == "".join(source(project, version, language).replace("#", "").split())


@pytest.mark.parametrize(
    ("language", "gone", "came", "word"), [("en", "once", "twice", "added"), ("zh", "一", "两", "新增")]
)
def test_words_are_marked_by_glyph_and_word_and_unchanged_passages_are_folded(pages, language, gone, came, word):
    main = pages[f"{language}/{DIFFERENCE}"]

    deleted = re.findall(r"<del>(.*?)</del>", main)
    inserted = re.findall(r"<ins>(.*?)</ins>", main)
    assert [re.sub(r"<span.*?</span>", "", item) for item in deleted] == [gone]
    assert re.sub(r"<span.*?</span>", "", inserted[0]) == came
    assert all(f'class="visually-hidden">{word}' in item and 'class="glyph"' in item for item in inserted)
    folded = re.findall(r'<details class="folded"><summary>(.*?)</summary>', main)
    assert {"en": "10 lines unchanged: Unchanged", "zh": "10 行未变：未变"}[language] in folded


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (DIFFERENCE, [("changed", "Scope"), ("added", "Left out")]),
        ("protocols/tiny/1.1...1.2.html", [("removed", "Left out"), ("changed", "Unchanged")]),
    ],
)
def test_the_summary_names_the_parts_that_were_added_removed_and_changed(pages, path, expected):
    summary = pages[f"en/{path}"].partition('<h2 id="summary">')[2].partition("</ul>")[0]

    assert re.findall(r'<span class="word">(\w+)</span></span> <a href="#[^"]*">([^<]*)</a>', summary) == expected


def test_a_version_that_differs_in_nothing_but_its_number_says_so(project, tmp_path):
    root = shutil.copytree(project, tmp_path / "project")
    for language in LANGUAGES:
        text = (root / protocol_file("1.0", language)).read_text(encoding="utf-8")
        write(root, protocol_file("1.1", language), text.replace('"1.0"', '"1.1"'))
    main = pages_of(root)[f"en/{DIFFERENCE}"]

    assert "The text is the same in both versions" in main
    assert "<ins>" not in main
    assert '<h2 id="passages">' not in main


def test_a_new_title_or_summary_is_part_of_the_difference(project, tmp_path):
    root = shutil.copytree(project, tmp_path / "project")
    replace(root, protocol_file("1.1", "en"), "How it is made.", "How it was made.")

    assert re.search(
        r"Summary</strong>: How it <del>.*?is</del><ins>.*?was</ins> made\.", pages_of(root)[f"en/{DIFFERENCE}"]
    )


def test_a_passage_that_one_language_lacks_is_told_as_a_translation_that_may_be_behind(project, tmp_path):
    root = shutil.copytree(project, tmp_path / "project")
    replace(root, protocol_file("1.1", "zh"), "没有试验崩溃。\n", "没有试验崩溃。\n\n也没有断电。\n")
    pages = pages_of(root)
    row = pages["en/protocols/index.html"].partition("tiny 1.1</a>")[2].partition("</tr>")[0]
    other = pages["en/protocols/index.html"].partition("tiny 1.2</a>")[2].partition("</tr>")[0]

    assert re.findall(r'<span class="word">([^<]*)</span>', row) == ["active", "may be behind", "complete"]
    assert "fewer passages in: Left out" in row
    assert re.findall(r'<span class="word">([^<]*)</span>', other) == ["draft", "complete", "complete"]
    assert "段落较少之处：未包含" in pages["zh/protocols/tiny/1.1.html"]


def test_each_language_of_the_shipped_protocol_has_as_many_passages_below_each_heading(pytestconfig):
    folder = pytestconfig.rootpath / "content/protocols/coordination-recovery"
    counts = []
    for language in LANGUAGES:
        kinds = [block.kind for block in blocks((folder / f"1.0.{language}.md").read_text(encoding="utf-8"))]
        parts = "".join(kind[0] for kind in kinds).split("h")
        counts.append([len(part) for part in parts])

    assert sum(counts[0]) > 50
    assert counts[0] == counts[1]
