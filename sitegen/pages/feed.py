"""The Atom feed of dated results in one language (RFC 4287). It needs absolute addresses, so a base URL.

Its times come from the results and their runs, never from the clock of a build.
"""

from dataclasses import dataclass

from sitegen.pages import place
from sitegen.pages.changes import status_mark
from sitegen.pages.edition import Edition
from sitegen.pages.page import PageView
from sitegen.sources import ResultSource


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One dated result."""

    address: str
    """Absolute; it is the entry's id as well."""
    title: str
    summary: str
    status: str
    published: str
    """RFC 3339, the start of the result's day in UTC."""
    updated: str
    """RFC 3339, the latest of the same, the end of its run, and the day it was withdrawn or superseded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDocument(PageView):
    """The feed of one language, newest result first."""

    updated: str
    entries: tuple[FeedEntry, ...]


def feed_document(edition: Edition) -> FeedDocument | None:
    """The feed, or None without a base URL, and where no dated result gives it a time."""
    if not edition.frame.feed:
        return None
    entries = tuple(_entry(edition, source) for source in edition.site.results)
    return FeedDocument(
        frame=edition.frame,
        path=place.FEED,
        template="feed.xml",
        title=edition.say("feed.title", site=edition.frame.site_title),
        description=edition.words(edition.site.config.description),
        section="",
        updated=max(entry.updated for entry in entries),
        entries=entries,
    )


def _entry(edition: Edition, source: ResultSource) -> FeedEntry:
    document = source.documents[edition.language]
    run = edition.site.run(source.study, source.run) if source.run else None
    day = f"{source.date}T00:00:00Z"
    times = [day, run.sealed.run.ended_at] if run else [day]
    title, status = document.title, source.status
    if source.change:  # said in the title as well, because most readers of feeds show no category
        times.append(f"{source.change.date}T00:00:00Z")
        status = source.change.status
        title = edition.say("change.feed", status=status_mark(edition, source).word, title=title)
    return FeedEntry(
        address=f"{edition.frame.base_url}{edition.frame.folder}{place.result(source.name)}",
        title=title,
        summary=document.summary,
        status=status,
        published=day,
        updated=max(times),
    )
