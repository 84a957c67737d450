"""Markdown to HTML, with what Chinese text needs and nothing that a page must not hold."""

from collections.abc import Callable
from dataclasses import dataclass

from sitegen.sources import Document


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure in the text and the place that proves it."""

    text: str
    href: str
    """From the page that shows it to the anchor that quotes the evidence."""


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading with the id that links to it."""

    level: int
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A rendered document and what of it must agree between languages."""

    html: str
    """Safe markup; every character of the source that is not Markdown is escaped."""
    headings: tuple[Heading, ...]
    code_blocks: tuple[str, ...]
    bound: tuple[str, ...]
    """The JSON pointers of its figures, in order."""
    links: tuple[str, ...]
    """Targets as they stand in the HTML, in order."""


def render(
    document: Document,
    *,
    resolve: Callable[[str], Bound | None],
    link: Callable[[str], str | None],
) -> Prose:
    """Render a document.

    `resolve` turns a JSON pointer into run.json of the page's run into a figure, or None.
    `link` turns a target relative to the document's file (with its fragment) into one relative
    to the page, or None if nothing of the site stands there.
    Raises `ContentError` that lists every unresolved figure and refused link by file and line.
    """
    raise NotImplementedError


def heading_ids(texts: list[str]) -> list[str]:
    """One id a heading: stable, unique on the page, never empty, and the same for every caller."""
    raise NotImplementedError
