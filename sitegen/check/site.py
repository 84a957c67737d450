"""Checks all pages of one built site against each other and against its files."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from urllib.parse import SplitResult, unquote, urlsplit

from runner.contract.errors import Problem
from sitegen.check.page import CSS_REFERENCE, Page, Reference, parse_page
from sitegen.errors import Collected
from sitegen.sources import LANGUAGES

FOLDER = "site"
OUTSIDE = frozenset({"http", "https", "mailto"})
EVIDENCE_PAGES = "evidence/"
"""Below a language's folder, the pages that quote evidence; figures link to their anchors."""


def check_site(files: Mapping[str, bytes], *, base_url: str | None) -> tuple[Problem, ...]:
    """Every problem of the site whose files are `files`, by path from its root.

    Pages are the files that end in `.html`, apart from sealed evidence, which is never read as a
    page. Only a `link` to `base_url` may be absolute among what a page's head names.
    """
    pages = {
        path: parse_page(data.decode("utf-8"))
        for path, data in files.items()
        if path.endswith(".html") and not path.startswith(EVIDENCE_PAGES)
    }
    check = _Check(frozenset(files), pages, base_url)
    for path in sorted(pages):
        check.page(path)
    for path in sorted(path for path in files if path.endswith(".css")):
        check.style_sheet(path, files[path].decode("utf-8"))
    return check.found.problems


@dataclass(slots=True)
class _Check:
    """All pages, and what was found so far."""

    files: frozenset[str]
    pages: Mapping[str, Page]
    base_url: str | None
    found: Collected = field(default_factory=Collected)
    targets: dict[str, frozenset[str]] = field(default_factory=dict)
    """The ids of each page that was linked to."""

    def page(self, path: str) -> None:
        """Check one page."""
        page = self.pages[path]
        for line, what in page.faults:
            self.note(path, line, what, "remove it")
        if not page.title:
            self.note(path, 1, "no title", "give the page a title")
        if page.headlines != 1:
            self.note(path, 1, f"{page.headlines} headings of the first level", "keep one, the page's title")
        lines: dict[str, int] = {}
        for name, line in page.ids:
            if name in lines or not name:
                what = f"id {name!r} stands in line {lines[name]} as well" if name else "an empty id"
                self.note(path, line, what, "rename the heading or the element")
            lines.setdefault(name, line)
        for reference in page.references:
            self.reference(path, reference)
        language = path.partition("/")[0]
        if language in LANGUAGES:
            self.language(path, page, language)
        elif page.language.partition("-")[0] not in LANGUAGES:
            self.note(path, 1, f"lang={page.language!r}", f"one of {', '.join(LANGUAGES)}")

    def language(self, path: str, page: Page, language: str) -> None:
        """Check that a page says its language, has its twin, and shows the same figures."""
        if page.language.partition("-")[0] != language:
            self.note(path, 1, f"lang={page.language!r} in the folder {language}/", "set the page's language")
        below = path.removeprefix(f"{language}/")
        for other in LANGUAGES:
            twin = f"{other}/{below}"
            if other == language:
                continue
            if twin not in self.pages:
                self.note(path, 0, f"no page {FOLDER}/{twin}", "make the page in every language")
                continue
            named = {
                self.place(path, item.target)[0] for item in page.references if item.hreflang.partition("-")[0] == other
            }
            if twin not in named:
                self.note(path, 1, f"no hreflang={other} that names {twin}", "link the twin in the head")
            if language == LANGUAGES[0]:
                self.same_figures(path, twin)

    def same_figures(self, path: str, twin: str) -> None:
        """Check that two languages bind the same figures equally often; their order may differ."""
        here, there = self.figures(path), self.figures(twin)
        for figure in sorted((here - there) + (there - here)):
            what = f"the figure {figure} stands here {there[figure]} times, in {FOLDER}/{path} {here[figure]} times"
            self.note(twin, 0, what, "let both languages show the same figures")

    def figures(self, path: str) -> Counter[str]:
        """The anchors of quoted evidence that a page links to, without its language."""
        language = path.partition("/")[0]
        places = (self.place(path, item.target) for item in self.pages[path].references)
        return Counter(
            f"{place.removeprefix(f'{language}/')}#{fragment}"
            for place, fragment in places
            if fragment and place.startswith(f"{language}/{EVIDENCE_PAGES}")
        )

    def reference(self, path: str, reference: Reference) -> None:
        """Check one place that a page names."""
        target = reference.target
        parts = _split(target)
        if parts is None:
            self.note(path, reference.line, f"{target!r} is no address", "correct it")
        elif parts.scheme or parts.netloc:
            self.absolute(path, reference, parts.scheme)
        else:
            self.relative(path, reference)

    def absolute(self, path: str, reference: Reference, scheme: str) -> None:
        """Check an address outside the site."""
        target = reference.target
        if reference.loaded:
            self.note(path, reference.line, f"<{reference.element}> loads {target!r}", "keep it in the site")
        elif reference.element == "link":
            if self.base_url is None or not f"{target}/".startswith(f"{self.base_url}/"):
                self.note(path, reference.line, f"<link> names {target!r}, outside the site", "leave it out")
        elif scheme.lower() not in OUTSIDE:
            self.note(path, reference.line, f"a link to {target!r}", "use http, https or mailto")

    def relative(self, path: str, reference: Reference) -> None:
        """Check a place inside the site and the anchor in it."""
        place, fragment = self.place(path, reference.target)
        if place not in self.files:
            self.note(path, reference.line, f"{reference.target!r} leads nowhere", "correct the link")
        elif fragment and place in self.pages and fragment not in self.ids_of(place):
            what = f"{reference.target!r}: no id {fragment!r} in {FOLDER}/{place}"
            self.note(path, reference.line, what, "correct the anchor")
        elif fragment and place not in self.pages and not place.endswith(".svg"):
            self.note(path, reference.line, f"{reference.target!r}: an anchor in a file", "link the file")

    def style_sheet(self, path: str, text: str) -> None:
        """Check what a style sheet loads."""
        for match in CSS_REFERENCE.finditer(text):
            target = match[1] or match[2]
            if target.startswith("#"):  # CSS takes it for an element of the page that uses the style sheet
                continue
            line = text.count("\n", 0, match.start()) + 1
            self.reference(path, Reference(target, line, loaded=True, element="style"))

    def place(self, path: str, target: str) -> tuple[str, str]:
        """A relative target as a file from the site's root, and the fragment in it."""
        parts = _split(target)
        if parts is None or parts.scheme or parts.netloc or parts.path.startswith("/"):
            return "/", ""
        place = normpath(join(dirname(path), unquote(parts.path))) if parts.path else path
        return place, unquote(parts.fragment)

    def ids_of(self, path: str) -> frozenset[str]:
        """The ids of a page."""
        if path not in self.targets:
            self.targets[path] = frozenset(name for name, _ in self.pages[path].ids)
        return self.targets[path]

    def note(self, path: str, line: int, what: str, todo: str) -> None:
        """Note a problem; line 0 is the whole file."""
        self.found.add(f"{FOLDER}/{path}", f"line {line}" if line else "", what, todo)


def _split(target: str) -> SplitResult | None:
    try:
        return urlsplit(target)
    except ValueError:
        return None
