"""Markdown becomes the markup that its author meant, in both languages."""

import re
from pathlib import Path

import pytest

from sitegen.errors import ContentError
from sitegen.prose import differences, heading_ids, render
from tests.sitegen.documents import FIGURES, document, rendered

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.mark.report("A20")
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("**已冻结，**不得更改", "<strong>已冻结，</strong>不得更改"),
        ("含**「重点」**内容", "含<strong>「重点」</strong>内容"),
        ("**具体：**与", "<strong>具体：</strong>与"),
        ("见**API(v2)**接口", "见<strong>API(v2)</strong>接口"),
        ("他说**“重点”**内容", "他说<strong>“重点”</strong>内容"),
        ("这是*《书名》*一节", "这是<em>《书名》</em>一节"),
        ("**甲：**乙，**丙（丁）**戊", "<strong>甲：</strong>乙，<strong>丙（丁）</strong>戊"),
    ],
)
@pytest.mark.parametrize("frame", ["{}", "- {}", "| a |\n| - |\n| {} |", "> {}", "## {}"])
def test_emphasis_beside_chinese_punctuation_is_emphasis(written, shown, frame):
    html = rendered(frame.format(written)).html

    assert shown in html
    assert "*" not in html


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a*b*c", "a<em>b</em>c"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("a snake_case_name here", "a snake_case_name here"),
        ('a**"b"**c', "a**&quot;b&quot;**c"),
        ("**bold** and *em*", "<strong>bold</strong> and <em>em</em>"),
        ("un**frigging**believable", "un<strong>frigging</strong>believable"),
        ("_foo_bar", "_foo_bar"),
    ],
)
def test_emphasis_in_english_is_what_commonmark_says(written, shown):
    assert rendered(written, language="en").html == f"<p>{shown}</p>\n"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("一行\n二行", "一行二行"),
        ("一行，\n二行", "一行，二行"),
        ("一**行**\n二行", "一<strong>行</strong>二行"),
        ("一行\nline", "一行\nline"),
        ("one\ntwo", "one\ntwo"),
        ("一行`x`\n二行", "一行<code>x</code>\n二行"),
    ],
)
def test_a_line_break_between_two_han_characters_makes_no_space(written, shown):
    assert rendered(written).html == f"<p>{shown}</p>\n"


def test_heading_ids_keep_letters_and_han_and_are_never_empty_or_repeated():
    texts = [
        "快速开始",
        "2. 快速开始",
        "Loop Engineering（迴圈工程）",
        "快速开始",
        "——",
        "…",
        "Scope  limits!",
        "section-2",
    ]

    assert heading_ids(texts) == (
        "快速开始",
        "2-快速开始",
        "loop-engineering迴圈工程",
        "快速开始-2",
        "section",
        "section-2",
        "scope-limits",
        "section-2-2",
    )


def test_the_id_of_a_heading_does_not_depend_on_how_its_accents_are_encoded():
    assert heading_ids(["Caf\u00e9"]) == heading_ids(["Cafe\u0301"])


def test_headings_carry_the_ids_that_the_page_lists():
    page = rendered("## 范围 `code`\n\n### {value}`/tally/accepted` 次\n")

    assert [(h.level, h.id, h.text) for h in page.headings] == [(2, "范围-code", "范围 code"), (3, "次", "6 次")]
    assert all(f'id="{h.id}"' in page.html for h in page.headings)


def test_a_figure_is_its_value_linked_to_its_evidence():
    page = rendered("共 {value}`/tally/accepted` 次")

    assert page.html == '<p>共 <a class="bound" href="../evidence/x.html#run.json.tally.accepted">6</a> 次</p>\n'
    assert page.bound == ("/tally/accepted",)


def test_every_bad_figure_and_link_is_told_with_its_line():
    body = """ok {value}`/tally/accepted`
{value}`/tally/nothing`

[x](javascript:alert(1)) [y](data:text/html,x)
[z](//elsewhere.example/x)

| a |
| - |
| ![p](https://elsewhere.example/p.png) |

[gone](gone.md) {math}`x` [root](/etc/passwd)
"""

    with pytest.raises(ContentError) as caught:
        render(document(body), resolve=FIGURES.get, link=lambda target: None)

    told = [(problem.where, problem.what) for problem in caught.value.problems]
    assert [where for where, _ in told] == [
        "line 9", "line 11", "line 11", "line 12", "line 16", "line 18", "line 18", "line 18",
    ]  # fmt: skip
    assert {problem.file for problem in caught.value.problems} == {"content/protocols/tiny/0.1.zh.md"}
    assert "'/tally/nothing'" in told[0][1]
    assert any("javascript:alert(1)" in what for _, what in told)
    assert any("{math}" in what for _, what in told)


def test_a_link_to_no_heading_of_its_document_is_told_with_its_line():
    body = "## One two\n\n[a](#one-two)\n[b](#three)\n\n[c](#report.counts)\n"

    with pytest.raises(ContentError) as caught:
        rendered(body)

    (problem,) = caught.value.problems
    assert (problem.where, "'three'" in problem.what) == ("line 11", True)


@pytest.mark.report("A17")
@pytest.mark.parametrize(
    "frame",
    [
        "{}",
        "`{}`",
        "```text\n{}\n```",
        "    {}",
        "## {}",
        "- {}",
        "| a |\n| - |\n| {} |",
        "```{}\nx\n```",
        "[x](y.md '{}')",
    ],
)
def test_markup_in_markdown_is_shown_as_text(frame):
    html = rendered(frame.format(HOSTILE)).html

    assert "<img" not in html
    assert "</script" not in html
    assert "&lt;/script" in html


def test_code_is_coloured_by_classes_and_labelled_with_its_language():
    page = rendered("```python\nif x < 1: pass\n```\n\n```\nplain <b>\n```\n\n```no-such-language\n1\n```\n")

    assert "<figcaption>python</figcaption>" in page.html
    assert '<span class="k">if</span>' in page.html
    assert "plain &lt;b&gt;" in page.html
    assert "<figcaption>no-such-language</figcaption>" in page.html
    assert "style=" not in page.html
    assert page.code_blocks == ("if x < 1: pass\n", "plain <b>\n", "1\n")


def test_a_column_is_aligned_by_a_class():
    html = rendered("| a | b |\n| - | -: |\n| 1 | 2 |").html

    assert '<td class="align-right">2</td>' in html
    assert "style=" not in html


def test_what_differs_between_two_languages_is_told_with_both_files():
    shape = "## A\n\n### B\n\n```sh\nls\n```\n\n{value}`/tally/accepted`\n"
    english = document(shape, language="en", path="content/protocols/tiny/0.1.en.md")
    chinese = document("## 甲\n\n## 乙\n\n```sh\nls -l\n```\n")

    problems = list(differences((english, rendered(shape)), (chinese, rendered(chinese.body))))

    assert [problem.file for problem in problems] == [chinese.path] * 3
    assert all(english.path in problem.what for problem in problems)
    assert [problem.where for problem in problems] == ["line 10", "line 12", ""]
    assert [problem.todo.removeprefix(f"compare {english.path}") for problem in problems] == [
        ", line 10",
        ", line 12",
        ", line 16",
    ]
    assert not list(differences((english, rendered(shape)), (chinese, rendered(shape.replace("A", "甲")))))


@pytest.mark.report("A20")
def test_published_bilingual_pages_keep_their_emphasis_headings_and_tables(shared_vectors):
    folder = shared_vectors.parent / "inputs" / "bilingual"
    if not folder.is_dir():
        pytest.skip("no bilingual pages beside the vectors")
    files = sorted(folder.glob("*.md"))
    assert len(files) >= 20

    for file in files:
        body = _local(file)
        page = rendered(body, language=file.name.split(".")[-2])
        prose = re.sub(r"<code.*?</code>", "", page.html, flags=re.DOTALL)

        assert "**" not in prose, file.name
        assert all(heading.id for heading in page.headings), file.name
        assert len({heading.id for heading in page.headings}) == len(page.headings), file.name
        tables = len(
            re.findall(r"^\s*\|?[\s:|]*-{3,}[\s:|-]*\|[\s:|-]*$", re.sub(r"(?ms)^```.*?^```", "", body), re.MULTILINE)
        )
        assert page.html.count("<table>") == tables, file.name


def _local(file: Path) -> str:
    """The text without escaped asterisks and its own site's containers, and with its own site's addresses relative."""
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^\s*:::.*$", "", text)
    text = re.sub(r"!\[([^\]]*)\]\(https?:[^)]*\)", r"![\1](picture.png)", text)
    return re.sub(r"\]\([/#]", "](", text).replace("\\*", "")
