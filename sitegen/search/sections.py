"""The readable text of one rendered page, section by section, as a search finds and quotes it."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SILENT = frozenset(
    {"button", "caption", "details", "figcaption", "nav", "noscript", "pre", "script", "style", "svg", "thead"}
)
"""Elements whose text is no prose: recorded output, drawings, controls, links, names of columns, folded steps."""
_SILENT_CLASSES = frozenset({"band", "glyph", "hash", "number", "seal", "seals", "versus", "whole"})
"""Classes of what is read as a value, not as a text."""
_APART = frozenset({"block", "meaning"})
"""Classes that show an inline element as a block."""
_INLINE = frozenset(
    {"a", "abbr", "b", "cite", "code", "del", "dfn", "em", "i", "ins", "kbd", "mark", "q", "s", "samp"}
    | {"small", "span", "strong", "sub", "sup", "time", "u", "var"}
)
_VOID = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Section:
    """What stands below one heading, or in one row of a table that has an id."""

    anchor: str
    """The id that a link leads to; empty for the top of the page."""
    heading: str
    text: str
    """Blocks are apart by one blank."""


def sections(markup: str) -> tuple[Section, ...]:
    """The sections of a page's `<main>` in their order; those without heading and text are left out."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    done = (Section(part.anchor, _joined(part.heading), _joined(part.text)) for part in reader.parts)
    return tuple(part for part in done if part.heading or part.text)


@dataclass(slots=True, eq=False)
class _Part:
    anchor: str
    heading: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    """Collects sections. A row with an id is one of its own; after its table the text goes on above."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._now = _Part("")
        """Where text goes."""
        self._above = self._now
        """The section of the last heading."""
        self.parts = [self._now]
        self._open: list[tuple[str, bool]] = []
        """Open elements inside `<main>`, each with whether it is silent."""
        self._silent = 0
        self._heading = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Enter an element."""
        if not self._open and tag != "main":
            return
        given = {name: value or "" for name, value in attrs}
        classes = given.get("class", "").split()
        if tag not in _INLINE or not _APART.isdisjoint(classes):
            self._say(" ")
        if tag in _VOID:
            return
        silent = tag in _SILENT or not _SILENT_CLASSES.isdisjoint(classes)
        self._open.append((tag, silent))
        self._silent += silent
        if self._silent:
            return
        if tag == "h1":
            self._heading = tag
        elif tag in _HEADINGS:
            self._above = self._begin(given.get("id") or self._above.anchor)
            self._heading = tag
        elif tag in {"tr", "th"} and given.get("id"):
            self._begin(given["id"])
        if tag == "th" and self._now is not self._above:
            self._heading = tag

    def handle_endtag(self, tag: str) -> None:
        """Leave an element, and what was left open in it."""
        if all(tag != name for name, _ in self._open):
            return
        name = ""
        while name != tag:
            name, silent = self._open.pop()
            self._silent -= silent
        if tag == self._heading:
            self._heading = ""
        if tag == "table":
            self._now = self._above
        if tag not in _INLINE:
            self._say(" ")

    def handle_data(self, data: str) -> None:
        """Note text."""
        if self._open and not self._silent:
            self._say(data)

    def _begin(self, anchor: str) -> _Part:
        self._now = _Part(anchor)
        self.parts.append(self._now)
        return self._now

    def _say(self, words: str) -> None:
        (self._now.heading if self._heading else self._now.text).append(words)


def _joined(words: list[str]) -> str:
    return _BLANKS.sub(" ", "".join(words)).strip()
