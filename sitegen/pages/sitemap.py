"""The sitemap: every page with its addresses in all languages. It needs a base URL.

The protocol (sitemaps.org) allows 50,000 addresses a file; a larger site gets an index over several.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sitegen.pages import place
from sitegen.pages.page import LANGUAGES, Frame, Language, PageView

LIMIT = 50_000
"""Addresses in one file."""


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One page in one language."""

    address: str
    alternates: tuple[tuple[Language, str], ...]
    """Its address in every language, itself included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapDocument(PageView):
    """Addresses of pages."""

    entries: tuple[SitemapEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapIndex(PageView):
    """Addresses of sitemaps."""

    addresses: tuple[str, ...]


def sitemap_documents(frame: Frame, paths: Sequence[str], *, limit: int = LIMIT) -> Iterator[PageView]:
    """The sitemap of the pages at `paths` (below the languages' folders), and first of the page above them.

    `frame` is the frame of that page. Nothing without a base URL.
    """
    if frame.base_url is None:
        return
    entries = tuple(_entries(frame.base_url, paths))
    parts = [entries[start : start + limit] for start in range(0, len(entries), limit)]
    if len(parts) == 1:
        yield _document(frame, place.SITEMAP, entries)
        return
    names = [place.SITEMAP.replace(".", f"-{number}.") for number in range(1, len(parts) + 1)]
    yield SitemapIndex(
        frame=frame,
        path=place.SITEMAP,
        template="sitemap-index.xml",
        title="",
        description="",
        section="",
        addresses=tuple(f"{frame.base_url}{name}" for name in names),
    )
    for name, part in zip(names, parts, strict=True):
        yield _document(frame, name, part)


def _document(frame: Frame, path: str, entries: tuple[SitemapEntry, ...]) -> SitemapDocument:
    return SitemapDocument(
        frame=frame, path=path, template="sitemap.xml", title="", description="", section="", entries=entries
    )


def _entries(base_url: str, paths: Sequence[str]) -> Iterator[SitemapEntry]:
    yield SitemapEntry(base_url, ())
    for path in paths:
        alternates = tuple((language, f"{base_url}{language}/{path}") for language in LANGUAGES)
        for _, address in alternates:
            yield SitemapEntry(address, alternates)
