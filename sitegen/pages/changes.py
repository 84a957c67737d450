"""What became of a result later, as its own page, its successor's and every list say it."""

from dataclasses import dataclass

from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark, named
from sitegen.pages.page import Link
from sitegen.sources import ResultSource


@dataclass(frozen=True, slots=True)
class ChangeView:
    """Why a result no longer stands, and what to read instead."""

    mark: Mark
    date: str
    reason: str
    successor: Link | None
    was: Mark
    """What the result said that it was."""
    says: str
    """The message that tells what is still true of the page."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """An earlier result that names this one as its successor."""

    mark: Mark
    date: str
    link: Link


def status_mark(edition: Edition, source: ResultSource) -> Mark:
    """The status of a result as it is now."""
    return named("result", source.change.status if source.change else source.status, edition.catalog)


def change_view(edition: Edition, source: ResultSource) -> ChangeView | None:
    """What became of `source`, or None while it stands."""
    change = source.change
    if change is None:
        return None
    successor = edition.site.result(change.successor) if change.successor else None
    return ChangeView(
        mark=status_mark(edition, source),
        date=change.date,
        reason=change.reasons[edition.language],
        successor=result_link(edition, successor) if successor else None,
        was=named("result", source.status, edition.catalog),
        says=edition.say(f"change.{change.status}"),
    )


def replaced(edition: Edition, source: ResultSource) -> tuple[Replaced, ...]:
    """The results that name `source` as their successor, newest first."""
    return tuple(
        Replaced(status_mark(edition, earlier), earlier.change.date, result_link(edition, earlier))
        for earlier in edition.site.results
        if earlier.change and earlier.change.successor == source.name
    )


def result_link(edition: Edition, source: ResultSource) -> Link:
    """A link to the page of a dated result, in its own words."""
    return edition.link(source.documents[edition.language].title, place.result(source.name))
