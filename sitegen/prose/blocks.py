"""The passages of a Markdown source, as two versions or two languages of a document are compared.

Every line that is not blank belongs to exactly one passage, also what shows nothing by itself, such as the target of a
reference: otherwise a change of it could not be seen.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sitegen.prose.cjk import is_cjk

Kind: TypeAlias = Literal["heading", "text", "code", "row"]
_KINDS: dict[str, Kind] = {
    "heading_open": "heading",
    "paragraph_open": "text",
    "hr": "text",
    "fence": "code",
    "code_block": "code",
    "tr_open": "row",
}
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Block:
    """One passage: a heading, a paragraph or the text of a list item, a code block, a row of a table."""

    kind: Kind
    text: str
    """The source. Outside code, line breaks and runs of blanks are read as Markdown reads them."""
    lines: int
    """How many lines of the source it takes, blank ones after it included."""
    level: int = 0
    """Of a heading, from 1."""
    title: str = ""
    """Of a heading, without its marks."""


def blocks(body: str) -> tuple[Block, ...]:
    """The passages of a Markdown source in order."""
    lines = body.split("\n")
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    spans: list[_Span] = []
    at = 0
    for span in _leaves(tokens):
        spans += _uncovered(lines, at, span.start)
        spans.append(span)
        at = span.end
    spans += _uncovered(lines, at, len(lines))
    follows = [*(span.start for span in spans), len(lines)][1:]
    return tuple(
        Block(span.kind, _read(lines[span.start : span.end], span.kind), after - span.start, span.level, span.title)
        for span, after in zip(spans, follows, strict=True)
    )


class _Span(NamedTuple):
    start: int
    end: int
    kind: Kind
    title: str = ""
    level: int = 0


def _leaves(tokens: list[Token]) -> Iterator[_Span]:
    """The innermost blocks by their lines, headings with title and level."""
    for index, token in enumerate(tokens):
        kind = _KINDS.get(token.type)
        if kind is None or token.map is None:
            continue
        heading = kind == "heading"
        title, level = (tokens[index + 1].content, int(token.tag[1:])) if heading else ("", 0)
        yield _Span(token.map[0], token.map[1], kind, title, level)


def _uncovered(lines: list[str], start: int, end: int) -> Iterator[_Span]:
    """Each line that is not blank and that no block covers, such as a definition or the rule below a table's head."""
    for number in range(start, end):
        if lines[number].strip():
            yield _Span(number, number + 1, "text")


def _read(lines: list[str], kind: Kind) -> str:
    if kind == "code":
        return "\n".join(lines).rstrip()
    text = ""
    for line in (_BLANKS.sub(" ", line).strip() for line in lines):
        if not line:
            continue
        apart = text and not (is_cjk(text[-1]) and is_cjk(line[0]))
        text = f"{text} {line}" if apart else text + line
    return text
