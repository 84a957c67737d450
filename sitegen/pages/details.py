"""Pages that show a hundred attempts of a large run each: the same of every attempt as a page of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sitegen import figures
from sitegen.pages import place
from sitegen.pages.attempt_place import PER_PAGE, paged
from sitegen.pages.attempt_records import recorded
from sitegen.pages.attempt_views import AttemptView, AttemptViews
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link, PageView
from sitegen.sources import RunSource, Site


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


@dataclass(frozen=True, slots=True)
class Block:
    """A hundred attempts of a large run, or the rest of it."""

    run: RunSource
    number: int
    """From 1: that of the page that shows them in each language."""

    @property
    def indexes(self) -> range:
        """Which attempts of the run they are, from 0."""
        return range((self.number - 1) * PER_PAGE, min(self.number * PER_PAGE, len(self.run.sealed.attempts)))


def blocks(site: Site) -> Iterator[Block]:
    """The blocks of every large run."""
    for study in site.studies:
        for run in study.runs:
            if paged(run):
                pages = -(-len(run.sealed.attempts) // PER_PAGE)
                yield from (Block(run, number) for number in range(1, pages + 1))


class DetailPages:
    """Makes the pages of blocks. What is recorded is read once for all languages, and nothing is kept of it."""

    def __init__(self, editions: Sequence[Edition]) -> None:
        self._editions = editions
        self._views: dict[tuple[str, RunSource], AttemptViews] = {}

    def pages(self, block: Block) -> Iterator[DetailPage]:
        """The page of a block in every language."""
        records = tuple(recorded(block.run, block.indexes))
        for edition in self._editions:
            key = (edition.language, block.run)
            views = self._views.get(key) or self._views.setdefault(key, AttemptViews(edition, block.run))
            yield _page(edition, block, tuple(map(views.view, records)))


def _page(edition: Edition, block: Block, attempts: tuple[AttemptView, ...]) -> DetailPage:
    run, number = block.run, block.number
    total = len(run.sealed.attempts)
    study = run.sealed.plan.study
    return DetailPage(
        frame=edition.frame,
        path=place.details(study.id, run.id, number),
        template="attempt-details.html",
        title=_title(edition, block.indexes),
        description=edition.words(study.title),
        section="attempts",
        trail=edition.trail("attempts", edition.link(run.id, place.attempts(study.id, run.id))),
        beside=edition.run_neighbours(run),
        study=edition.link(edition.words(study.title), place.study(study.id)),
        run=run.id,
        publication=edition.publication(run),
        published=run.published,
        lead=edition.say("details.lead", total=figures.count(total, edition.catalog)),
        attempts=attempts,
        before=_beside(edition, Block(run, number - 1)),
        after=_beside(edition, Block(run, number + 1)),
    )


def _beside(edition: Edition, block: Block) -> Link | None:
    if block.number < 1 or not block.indexes:
        return None
    target = place.details(block.run.sealed.run.study, block.run.id, block.number)
    return edition.link(_title(edition, block.indexes), target)


def _title(edition: Edition, indexes: range) -> str:
    catalog = edition.catalog
    first, last = indexes[0] + 1, indexes[-1] + 1
    return edition.say("details.title", first=figures.count(first, catalog), last=figures.count(last, catalog))
