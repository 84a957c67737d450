"""The difference between two versions of a document: complete, exact, by words, and the same each time."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.prose.blocks import blocks
from sitegen.prose.revision import Revision, revision, words

SOLID = re.compile(r"\S")
PARTS = [
    "## Scope",
    "## 范围",
    "### 细则 more",
    "One tool is asked, and one answers.",
    "One tool is asked twice,\nand one answers.",
    "**已冻结，**不得更改。",
    "**已冻结，**\n可以更改。",
    "- first\n- second\n  goes on",
    "1. one\n\n   more of one",
    "> quoted\ncontinued",
    "| a | b |\n| --- | --- |\n| c | 丁 |",
    "```sh\nsealbook run tiny\n\nsealbook build\n```",
    "```\nnever closed",
    "    indented code\n\n    goes on",
    "[ref]: https://example.org",
    "Title\n=====",
    "---",
    "\ttab",
    "<b>no markup</b>",
    "\\",
]
SOURCES = st.lists(st.one_of(st.sampled_from(PARTS), st.text("ab #-*`|>\n中。\t", max_size=24)), max_size=8).map(
    "\n\n".join
)


def rejoined(made: Revision, without: str) -> list[str]:
    """The passages of one version, put together again from the pieces of the difference."""
    kept = (
        "".join(piece.text for piece in passage.pieces if piece.change != without)
        for passage in made.passages
        if passage.change != without
    )
    return list(kept)


@given(SOURCES)
def test_every_line_belongs_to_exactly_one_passage(source):
    made = blocks(source)

    assert SOLID.findall("".join(block.text for block in made)) == SOLID.findall(source)
    assert sum(block.lines for block in made) <= source.count("\n") + 1


@given(SOURCES, SOURCES)
def test_the_difference_turns_the_old_text_into_the_new_one_and_holds_the_old_one(old, new):
    made = revision(old, new)

    assert rejoined(made, "removed") == [block.text for block in blocks(new)]
    assert sorted(rejoined(made, "added")) == sorted(block.text for block in blocks(old))
    assert [passage.old for passage in made.passages if passage.old] == list(blocks(old))
    assert made == revision(old, new)


@given(SOURCES, SOURCES)
def test_there_is_no_difference_exactly_where_both_read_the_same(old, new):
    same = [(block.kind, block.text) for block in blocks(old)] == [(block.kind, block.text) for block in blocks(new)]

    assert revision(old, new).empty == same
    assert revision(old, old).empty


@given(st.text("ab 中文，。\n"), st.text("ab 中文，。\n"), st.booleans())
def test_the_words_of_a_passage_rejoin(before, after, code):
    pieces = words(before, after, code=code)

    assert "".join(piece.text for piece in pieces if piece.change != "removed") == after
    assert "".join(piece.text for piece in pieces if piece.change != "added") == before


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("One tool runs.", "Two tools run.", [("removed", "One tool runs"), ("added", "Two tools run"), ("same", ".")]),
        ("It is frozen now.", "It was frozen now.", ["It ", ("removed", "is"), ("added", "was"), " frozen now."]),
        ("不得更改。", "不可更改。", ["不", ("removed", "得"), ("added", "可"), "更改。"]),
        ("用 claim 认领", "用 lock 认领", ["用 ", ("removed", "claim"), ("added", "lock"), " 认领"]),
        ("第2次", "第3次", ["第", ("removed", "2"), ("added", "3"), "次"]),
    ],
)
def test_words_are_marked_and_chinese_by_characters(before, after, expected):
    assert [(piece.change, piece.text) for piece in words(before, after)] == [
        ("same", item) if isinstance(item, str) else item for item in expected
    ]


def test_a_new_line_break_inside_a_paragraph_is_no_difference():
    assert revision("one two\nthree\n\n甲乙丙", "one\ntwo three\n\n甲乙\n丙").empty
    assert not revision("```\none two\n```", "```\none\ntwo\n```").empty


def test_a_changed_target_that_shows_nothing_is_a_difference():
    made = revision("See [it][x].\n\n[x]: https://a.example\n", "See [it][x].\n\n[x]: https://b.example\n")

    assert [passage.change for passage in made.passages] == ["same", "changed"]


def test_parts_are_told_as_added_removed_renamed_and_changed():
    old = (
        "Intro.\n\n## Scope\n\nA tool runs here.\n\n## Gone\n\nold words\n\n## Kept\n\nsame\n\n## How it is made\n\nx\n"
    )
    new = "Intro.\n\n## Scope\n\nA tool runs there.\n\n## Kept\n\nsame\n\n## How it was made\n\nx\n\n## Fresh\n\nnew\n"

    made = revision(old, new)

    assert [(part.title, part.change, part.was) for part in made.sections] == [
        ("", "same", ""),
        ("Scope", "changed", ""),
        ("Gone", "removed", ""),
        ("Kept", "same", ""),
        ("How it was made", "changed", "How it is made"),
        ("Fresh", "added", ""),
    ]


def test_a_passage_below_a_removed_heading_belongs_to_the_part_that_keeps_it():
    made = revision("## One\n\na b c\n\n## Two\n\nd e f\n", "## One\n\na b c\n\nd e f\n")
    changes = [(passage.change, made.sections[passage.section].title) for passage in made.passages]

    assert changes == [("same", "One"), ("same", "One"), ("removed", "Two"), ("same", "One")]


def test_one_changed_word_does_not_replace_the_passage():
    old = "\n\n".join(f"Passage {number} says what it says." for number in range(9))
    made = revision(old, old.replace("Passage 4 says", "Passage 4 told"))

    changed = [passage for passage in made.passages if passage.change != "same"]
    assert [passage.change for passage in changed] == ["changed"]
    assert [piece.text for piece in changed[0].pieces if piece.change == "added"] == ["told"]
