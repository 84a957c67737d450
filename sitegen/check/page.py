"""One rendered page as the check sees it: its language, its ids and everything it refers to."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

CSS_REFERENCE = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)|@import\s+["']([^"']+)["']""")
_LINKS = frozenset({("a", "href"), ("area", "href")})
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


def parse_page(markup: str) -> Page:
    """Read one page."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return Page(
        reader.language,
        "".join(reader.title).strip(),
        tuple(reader.references),
        tuple(reader.ids),
        reader.headlines,
        tuple(reader.faults),
    )


class _Reader(HTMLParser):
    """Collects what `Page` holds."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.language = ""
        self.title: list[str] = []
        self.references: list[Reference] = []
        self.ids: list[tuple[str, int]] = []
        self.headlines = 0
        self.faults: list[tuple[int, str]] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one element."""
        line = self.getpos()[0]
        given = {name: value or "" for name, value in attrs}
        self._inside = tag
        if tag == "html":
            self.language = given.get("lang", "")
        elif tag == "h1":
            self.headlines += 1
        if "id" in given:
            self.ids.append((given["id"], line))
        self._faults(tag, given, line)
        self._references(tag, given)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag == self._inside:
            self._inside = ""

    def handle_data(self, data: str) -> None:
        """Note the title and what a style sheet inside the page names."""
        if self._inside == "title":
            self.title.append(data)
        elif self._inside == "style":
            self._css(data)

    def _faults(self, tag: str, given: dict[str, str], line: int) -> None:
        self.faults += [(line, f"an event handler {name} in <{tag}>") for name in given if name.startswith("on")]
        if tag == "script" and given.get("type") == "module":
            self.faults.append((line, "a module script, which no browser loads from disk"))
        if tag == "meta" and given.get("http-equiv", "").lower() == "refresh":
            self.faults.append((line, "a page that leaves by itself"))

    def _references(self, tag: str, given: dict[str, str]) -> None:
        language = given.get("hreflang", "")
        for name, value in given.items():
            if (tag, name) in _LINKS:
                self._note(value, tag, loaded=False, language=language)
            elif (tag, name) in _RESOURCES:
                self._note(value, tag, loaded=True)
            elif tag == "link" and name == "href":
                loaded = not _LOADED_LINKS.isdisjoint(given.get("rel", "").lower().split())
                self._note(value, tag, loaded=loaded, language=language)
            elif name == "srcset":
                for candidate in value.split(","):
                    self._note(next(iter(candidate.split()), ""), tag, loaded=True)
            elif name == "style":
                self._css(value)

    def _css(self, text: str) -> None:
        for match in CSS_REFERENCE.finditer(text):
            self._note(match[1] or match[2], "style", loaded=True)

    def _note(self, target: str, element: str, *, loaded: bool, language: str = "") -> None:
        self.references.append(Reference(target.strip(), self.getpos()[0], loaded, element, language))
