"""Pages that show a hundred attempts of a large run each: the same of every attempt as a page of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from sitegen import figures
from sitegen.pages import place
from sitegen.pages.attempt import AttemptView, attempt_views
from sitegen.pages.attempt_place import PER_PAGE, paged
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link, PageView
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailPage(PageView):
    """A hundred attempts, or the rest of a run."""

    study: Link
    run: str
    publication: Mark
    published: bool
    lead: str
    attempts: tuple[AttemptView, ...]
    before: Link | None
    after: Link | None


def detail_pages(edition: Edition) -> Iterator[DetailPage]:
    """The pages of each large run; nothing is kept of one page while the next is made."""
    for study in edition.site.studies:
        for run in study.runs:
            if paged(run):
                yield from _pages(edition, run)


def _pages(edition: Edition, run: RunSource) -> Iterator[DetailPage]:
    total = len(run.sealed.attempts)
    views = attempt_views(edition, run)
    study = run.sealed.plan.study
    for number, first in enumerate(range(1, total + 1, PER_PAGE), 1):
        last = min(first + PER_PAGE - 1, total)
        title = _title(edition, first, last)
        yield DetailPage(
            frame=edition.frame,
            path=place.details(study.id, run.id, number),
            template="attempt-details.html",
            title=title,
            description=edition.words(study.title),
            section="attempts",
            trail=edition.trail("attempts", edition.link(run.id, place.attempts(study.id, run.id))),
            beside=edition.run_neighbours(run),
            study=edition.link(edition.words(study.title), place.study(study.id)),
            run=run.id,
            publication=edition.publication(run),
            published=run.published,
            lead=edition.say("details.lead", total=figures.count(total, edition.catalog)),
            attempts=tuple(islice(views, PER_PAGE)),
            before=_beside(edition, run, number - 1, total),
            after=_beside(edition, run, number + 1, total),
        )


def _beside(edition: Edition, run: RunSource, number: int, total: int) -> Link | None:
    first = 1 + (number - 1) * PER_PAGE
    if not 1 <= first <= total:
        return None
    last = min(first + PER_PAGE - 1, total)
    return edition.link(_title(edition, first, last), place.details(run.sealed.run.study, run.id, number))


def _title(edition: Edition, first: int, last: int) -> str:
    catalog = edition.catalog
    return edition.say("details.title", first=figures.count(first, catalog), last=figures.count(last, catalog))
