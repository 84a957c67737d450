"""The running text of a document as its readers meet it, for rules about what a text may say.

Code, figures and whatever a role shows stand in it as one character that is neither letter nor
digit, so that the words around them stay neighbours and nothing inside them is judged.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it.token import Token

SHOWN = "\ufffc"
"""Stands for what is shown and is no text of the author's: OBJECT REPLACEMENT CHARACTER."""
_SHORT = ("e.g.", "i.e.", "cf.", "vs.", "viz.", "resp.", "approx.", "incl.", "et al.", "fig.")
"""Abbreviations within a sentence. Of others, such as `etc.` and `no.`, nobody can tell whether they end it."""
_WITHIN = "".join(rf"(?<!\b{re.escape(short)})" for short in (*_SHORT, *(short.capitalize() for short in _SHORT)))
_ENDS = re.compile(rf"(?<=[.!?]){_WITHIN}[)\"'”’]?\s+|(?<=[。！？])[」』”’）]?")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with where it begins in its passage."""

    start: int
    text: str
    claims: tuple[str, ...]
    """The claims that it cites."""
    disclaimed: tuple[tuple[int, str], ...]
    """Words that it says it does not claim, with where they stand in the passage."""


@dataclass(slots=True)
class Passage:
    """One block of running text: a paragraph, a heading, a cell, or a line of front matter."""

    text: str = ""
    breaks: list[tuple[int, int]] = field(default_factory=list)
    """Offsets at which a line of the file begins, with the line."""
    claims: list[tuple[int, str]] = field(default_factory=list)
    disclaimed: list[tuple[int, str]] = field(default_factory=list)

    def line_at(self, offset: int) -> int:
        """The line of the file in which a character of the text stands."""
        return max(line for start, line in self.breaks if start <= offset)

    def sentences(self) -> Iterator[Sentence]:
        """The sentences in their order, each with the roles in it."""
        start = 0
        for end in [*(match.end() for match in _ENDS.finditer(self.text)), len(self.text)]:
            if end > start:
                claims = tuple(claim for at, claim in self.claims if start <= at < end)
                disclaimed = tuple(item for item in self.disclaimed if start <= item[0] < end)
                yield Sentence(start, self.text[start:end], claims, disclaimed)
            start = end


def passage(block: Token, line: int) -> Passage:
    """The text of one inline block that begins in `line` of its file."""
    found = Passage(breaks=[(0, line)])
    _collect(block.children or [], found, line)
    return found


def _collect(tokens: list[Token], found: Passage, line: int) -> int:
    """Add what `tokens` show, the first of them in `line`; the line of the last."""
    address = False
    for token in tokens:
        match token.type:
            case "link_open" | "link_close":
                address = token.type == "link_open" and token.markup == "autolink"
            case "softbreak" | "hardbreak":
                line += 1
                found.text += " "
                found.breaks.append((len(found.text), line))
            case "text" if token.meta.get("line_break"):
                line += 1
                found.breaks.append((len(found.text), line))
            case "text":
                found.text += SHOWN if address else token.content
            case "image":
                line = _collect(token.children or [], found, line)
            case "myst_role":
                _note_role(token, found)
            case "code_inline":
                found.text += SHOWN
    return line


def _note_role(token: Token, found: Passage) -> None:
    match token.meta["name"]:
        case "claim":
            found.claims.append((len(found.text), token.content.strip()))
        case "disclaimed":
            found.disclaimed.append((len(found.text), token.content))
    found.text += SHOWN
