"""The page of one attempt, in runs that are not large."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sitegen.pages import place
from sitegen.pages.attempt_place import attempt_place, paged
from sitegen.pages.attempt_records import recorded
from sitegen.pages.attempt_views import AttemptView, AttemptViews
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link, PageView
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptPage(PageView):
    """The page of one attempt."""

    study: Link
    run: str
    publication: Mark
    published: bool
    attempt: AttemptView
    before: Link | None
    after: Link | None


def attempt_pages(edition: Edition) -> Iterator[PageView]:
    """One page for each attempt of each run that is not large."""
    for study in edition.site.studies:
        for run in study.runs:
            if not paged(run):
                yield from _pages(edition, run)


def _pages(edition: Edition, run: RunSource) -> Iterator[AttemptPage]:
    study = run.sealed.plan.study
    names = tuple(run.sealed.lines)
    views = AttemptViews(edition, run)
    for index, record in enumerate(recorded(run, range(len(names)))):
        view = views.view(record)
        yield AttemptPage(
            frame=edition.frame,
            path=attempt_place(run, view.name),
            template="attempt.html",
            title=view.name,
            description=view.task.check.words,
            section="attempts",
            trail=edition.trail("attempts", edition.link(run.id, place.attempts(study.id, run.id))),
            beside=edition.run_neighbours(run),
            study=edition.link(edition.words(study.title), place.study(study.id)),
            run=run.id,
            publication=edition.publication(run),
            published=run.published,
            attempt=view,
            before=_neighbour(edition, run, names, index - 1),
            after=_neighbour(edition, run, names, index + 1),
        )


def _neighbour(edition: Edition, run: RunSource, names: Sequence[str], index: int) -> Link | None:
    if not 0 <= index < len(names):
        return None
    return edition.link(names[index], attempt_place(run, names[index]))
