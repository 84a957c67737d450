"""Checks all pages of one site against each other and against its files, each page as it is made.

Of a page only its ids stay, and the links that lead to what is not there yet. Most links lead to
what is: a site of 100,000 attempts is checked in the memory of its list of files.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from posixpath import dirname, join, normpath
from urllib.parse import SplitResult, unquote, urlsplit

from runner.contract.errors import Problem
from sitegen.check.page import CSS_REFERENCE, Page, Reference
from sitegen.check.plain import read_page
from sitegen.errors import Collected
from sitegen.sources import LANGUAGES

FOLDER = "site"
OUTSIDE = frozenset({"http", "https", "mailto"})
EVIDENCE_PAGES = "evidence/"
"""Below a language's folder, the pages that quote evidence; figures link to their anchors."""
_REMEMBERED = 4096
"""Addresses that pages of one folder have in common, and a few more."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A link to what was not there when its page was checked."""

    path: str
    line: int
    target: str
    fragment: str


@dataclass(slots=True)
class SiteCheck:
    """What was seen of a site so far. Only a `link` to `base_url` may be absolute in a page's head."""

    base_url: str | None
    _found: Collected = field(default_factory=Collected)
    _files: set[str] = field(default_factory=set)
    """Every file that is no page."""
    _ids: dict[str, str] = field(default_factory=dict)
    """The ids of every page, each between line feeds: one string is a tenth of a set."""
    _open: dict[str, list[_Open]] = field(default_factory=dict)
    """Links by the place that they lead to."""
    _figures: dict[str, Counter[str]] = field(default_factory=dict)
    """What a page binds, until its twin in the other language is seen."""

    def file(self, path: str) -> None:
        """Note a file that is no page; sealed evidence is none, whatever it is called."""
        self._files.add(path)

    def page(self, path: str, markup: str) -> None:
        """Check one page, as far as the site is there."""
        page = read_page(markup)
        for line, what in page.faults:
            self._note(path, line, what, "remove it")
        if not page.title:
            self._note(path, 1, "no title", "give the page a title")
        if page.headlines != 1:
            self._note(path, 1, f"{page.headlines} headings of the first level", "keep one, the page's title")
        lines: dict[str, int] = {}
        for name, line in page.ids:
            if name in lines or not name:
                what = f"id {name!r} stands in line {lines[name]} as well" if name else "an empty id"
                self._note(path, line, what, "rename the heading or the element")
            lines.setdefault(name, line)
        self._ids[path] = "\n".join(("", *lines, ""))
        for reference in page.references:
            self._reference(path, reference, lines)
        language = path.partition("/")[0]
        if language in LANGUAGES:
            self._language(path, page, language)
        elif page.language.partition("-")[0] not in LANGUAGES:
            self._note(path, 1, f"lang={page.language!r}", f"one of {', '.join(LANGUAGES)}")

    def style_sheet(self, path: str, data: bytes) -> None:
        """Check what a style sheet of the theme loads."""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            self._note(path, data.count(b"\n", 0, error.start) + 1, "not UTF-8", "store the style sheet as UTF-8")
            return
        for match in CSS_REFERENCE.finditer(text):
            target = match[1] or match[2]
            if target.startswith("#"):  # CSS takes it for an element of the page that uses the style sheet
                continue
            line = text.count("\n", 0, match.start()) + 1
            self._reference(path, Reference(target, line, loaded=True, element="style"), {})

    def problems(self) -> tuple[Problem, ...]:
        """Every problem of the site, now that all of it was seen."""
        for place, links in self._open.items():
            for link in links:
                self._leads(link, place)
        self._open.clear()
        for path in self._ids:
            language, _, below = path.partition("/")
            if language in LANGUAGES:
                for other in LANGUAGES:
                    if f"{other}/{below}" not in self._ids:
                        self._note(path, 0, f"no page {FOLDER}/{other}/{below}", "make the page in every language")
        return self._found.problems

    def _language(self, path: str, page: Page, language: str) -> None:
        """Check that a page says its language, names its twin, and shows the same figures."""
        if page.language.partition("-")[0] != language:
            self._note(path, 1, f"lang={page.language!r} in the folder {language}/", "set the page's language")
        below = path.removeprefix(f"{language}/")
        figures = self._bound(path, page, language)
        for other in LANGUAGES:
            if other == language:
                continue
            twin = f"{other}/{below}"
            named = {
                _place(path, item.target)[0] for item in page.references if item.hreflang.partition("-")[0] == other
            }
            if twin not in named:
                self._note(path, 1, f"no hreflang={other} that names {twin}", "link the twin in the head")
            if twin not in self._ids:
                self._figures[path] = figures
            elif language == LANGUAGES[0]:
                self._same_figures(path, figures, twin, self._figures.pop(twin))
            else:
                self._same_figures(twin, self._figures.pop(twin), path, figures)

    def _same_figures(self, path: str, here: Counter[str], twin: str, there: Counter[str]) -> None:
        """Check that two languages bind the same figures equally often; their order may differ."""
        for figure in sorted((here - there) + (there - here)):
            what = f"the figure {figure} stands here {there[figure]} times, in {FOLDER}/{path} {here[figure]} times"
            self._note(twin, 0, what, "let both languages show the same figures")

    def _bound(self, path: str, page: Page, language: str) -> Counter[str]:
        """The anchors of quoted evidence that a page links to, without its language."""
        places = (_place(path, item.target) for item in page.references if "#" in item.target)
        return Counter(
            f"{place.removeprefix(f'{language}/')}#{fragment}"
            for place, fragment in places
            if fragment and place.startswith(f"{language}/{EVIDENCE_PAGES}")
        )

    def _reference(self, path: str, reference: Reference, ids: dict[str, int]) -> None:
        """Check one place that a page with these ids names."""
        target = reference.target
        if target.startswith("#") and target[1:] in ids:  # most links of a long page stay in it
            return
        parts = _split(target)
        if parts is None:
            self._note(path, reference.line, f"{target!r} is no address", "correct it")
        elif parts.scheme or parts.netloc:
            self._absolute(path, reference, parts.scheme)
        else:
            place, fragment = _place(path, target)
            link = _Open(path, reference.line, target, fragment)
            if place in self._ids or place in self._files:
                self._leads(link, place)
            else:
                self._open.setdefault(place, []).append(link)

    def _absolute(self, path: str, reference: Reference, scheme: str) -> None:
        """Check an address outside the site."""
        target = reference.target
        if reference.loaded:
            self._note(path, reference.line, f"<{reference.element}> loads {target!r}", "keep it in the site")
        elif reference.element == "link":
            if self.base_url is None or not f"{target}/".startswith(f"{self.base_url}/"):
                self._note(path, reference.line, f"<link> names {target!r}, outside the site", "leave it out")
        elif scheme.lower() not in OUTSIDE:
            self._note(path, reference.line, f"a link to {target!r}", "use http, https or mailto")

    def _leads(self, link: _Open, place: str) -> None:
        """Check that a link leads to something that is there."""
        if place in self._ids:
            if link.fragment and f"\n{link.fragment}\n" not in self._ids[place]:
                what = f"{link.target!r}: no id {link.fragment!r} in {FOLDER}/{place}"
                self._note(link.path, link.line, what, "correct the anchor")
        elif place not in self._files:
            self._note(link.path, link.line, f"{link.target!r} leads nowhere", "correct the link")
        elif link.fragment and not place.endswith(".svg"):
            self._note(link.path, link.line, f"{link.target!r}: an anchor in a file", "link the file")

    def _note(self, path: str, line: int, what: str, todo: str) -> None:
        """Note a problem; line 0 is the whole file."""
        self._found.add(f"{FOLDER}/{path}", f"line {line}" if line else "", what, todo)


def _place(path: str, target: str) -> tuple[str, str]:
    """A relative target as a file from the site's root, and the fragment in it; what is asked stays behind."""
    place, fragment = _resolved(dirname(path), target)
    return place or path, fragment


@lru_cache(_REMEMBERED)
def _resolved(folder: str, target: str) -> tuple[str, str]:
    """The same from a folder; an empty place is the page itself."""
    parts = _split(target)
    if parts is None or parts.scheme or parts.netloc or parts.path.startswith("/"):
        return "/", ""
    place = normpath(join(folder, unquote(parts.path))) if parts.path else ""
    return place, unquote(parts.fragment)


@lru_cache(_REMEMBERED)
def _split(target: str) -> SplitResult | None:
    try:
        return urlsplit(target)
    except ValueError:
        return None
