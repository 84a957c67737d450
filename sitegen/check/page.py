"""One rendered page as the check sees it: its language, its ids and everything it refers to.

`HTMLParser` reads any page, but slowly. `plain` reads pages in the form that our templates write, some eight times as
fast. Both say the same, or the page is not in that form.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

CSS_REFERENCE = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)|@import\s+["']([^"']+)["']""")
_LINKING = frozenset({"a", "area"})
"""Elements with an `href` that a reader follows."""
_RESOURCES = frozenset(
    {
        ("img", "src"), ("script", "src"), ("source", "src"), ("audio", "src"), ("video", "src"),
        ("video", "poster"), ("track", "src"), ("iframe", "src"), ("embed", "src"), ("object", "data"),
        ("input", "src"), ("use", "href"), ("use", "xlink:href"), ("image", "href"), ("image", "xlink:href"),
        ("form", "action"), ("button", "formaction"), ("base", "href"), ("html", "manifest"), ("a", "ping"),
    }
)  # fmt: skip
_LOADED_LINKS = frozenset({"stylesheet", "icon", "preload", "modulepreload", "prefetch", "manifest"})
"""Values of `rel` for which a browser fetches the target of a `link` element."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One place that a page names."""

    target: str
    line: int
    loaded: bool
    """Whether a browser fetches it by itself, in contrast to a link that a reader follows."""
    element: str
    hreflang: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page."""

    language: str
    title: str
    references: tuple[Reference, ...]
    ids: tuple[tuple[str, int], ...]
    """Every id with its line."""
    headlines: int
    """How many `h1` it has."""
    faults: tuple[tuple[int, str], ...]
    """What no page may hold, by line."""


@dataclass(slots=True)
class Facts:
    """Gathers what `Page` holds, element by element, for whoever reads the markup."""

    language: str = ""
    title: list[str] = field(default_factory=list)
    headlines: int = 0
    _references: list[Reference] = field(default_factory=list)
    _ids: list[tuple[str, int]] = field(default_factory=list)
    _faults: list[tuple[int, str]] = field(default_factory=list)

    def element(self, tag: str, given: Mapping[str, str], line: int) -> None:
        """Note one element by its attributes."""
        for name, value in given.items():
            if name == "href":
                self._href(tag, value, given, line)
            elif name == "id":
                self._ids.append((value, line))
            elif (tag, name) in _RESOURCES:
                self._note(value, tag, line, loaded=True)
            else:
                self._rare(tag, name, value, line)
        if tag == "html":
            self.language = given.get("lang", "")
        elif tag == "script" and given.get("type") == "module":
            self._faults.append((line, "a module script, which no browser loads from disk"))
        elif tag == "meta" and given.get("http-equiv", "").lower() == "refresh":
            self._faults.append((line, "a page that leaves by itself"))

    def _rare(self, tag: str, name: str, value: str, line: int) -> None:
        if name == "srcset":
            for candidate in value.split(","):
                self._note(next(iter(candidate.split()), ""), tag, line, loaded=True)
        elif name == "style":
            self.style(value, line)
        elif name.startswith("on"):
            self._faults.append((line, f"an event handler {name} in <{tag}>"))

    def style(self, text: str, line: int) -> None:
        """Note what a style sheet inside the page names."""
        for match in CSS_REFERENCE.finditer(text):
            self._note(match[1] or match[2], "style", line, loaded=True)

    def page(self) -> Page:
        """All of it."""
        title = "".join(self.title).strip()
        return Page(
            self.language, title, tuple(self._references), tuple(self._ids), self.headlines, tuple(self._faults)
        )

    def _href(self, tag: str, target: str, given: Mapping[str, str], line: int) -> None:
        if tag in _LINKING:
            self._note(target, tag, line, loaded=False, language=given.get("hreflang", ""))
        elif tag == "link":
            loaded = not _LOADED_LINKS.isdisjoint(given.get("rel", "").lower().split())
            self._note(target, tag, line, loaded=loaded, language=given.get("hreflang", ""))
        elif (tag, "href") in _RESOURCES:
            self._note(target, tag, line, loaded=True)

    def _note(self, target: str, element: str, line: int, *, loaded: bool, language: str = "") -> None:
        self._references.append(Reference(target.strip(), line, loaded, element, language))


def parse_page(markup: str) -> Page:
    """Read one page, whatever form it has."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader.facts.page()


class _Reader(HTMLParser):
    """Tells `Facts` of each element."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.facts = Facts()
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one element."""
        self._inside = tag
        self.facts.headlines += tag == "h1"
        self.facts.element(tag, {name: value or "" for name, value in attrs}, self.getpos()[0])

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag == self._inside:
            self._inside = ""

    def handle_data(self, data: str) -> None:
        """Note the title and what a style sheet inside the page names."""
        if self._inside == "title":
            self.facts.title.append(data)
        elif self._inside == "style":
            self.facts.style(data, self.getpos()[0])
