"""The attempts of a run: the list of runs, and the table with one row an attempt."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from runner.contract.attempt import Outcome, ReasonCode
from runner.contract.plan import Exclusion
from runner.contract.qualification.design import Feature
from runner.contract.seal import ATTEMPTS_FILE
from sitegen.pages import marks, place
from sitegen.pages.attempt_table import attempt_table, check_names
from sitegen.pages.counts import TallyView, tally_view
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.matrix import Heads, heads
from sitegen.pages.page import Link, PageView
from sitegen.pages.planned import task_words
from sitegen.pages.results import ResultLine, run_line
from sitegen.pages.tables import Choice, Facet, TableView, table_view
from sitegen.sources import RunSource
from sitegen.tables import Table


@dataclass(frozen=True, slots=True)
class ExclusionRow:
    """A task of the plan that was not attempted."""

    subject: str
    task: str
    mark: Mark
    text: str
    proof: str


@dataclass(frozen=True, slots=True)
class NotStarted:
    """Planned attempts of one check that never began: nothing of them is in attempts.jsonl."""

    subject: str
    check: str
    planned: int


@dataclass(frozen=True, slots=True)
class RunLine:
    """How the list of runs shows one run."""

    table: Link
    line: ResultLine
    counts: TallyView


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptIndexPage(PageView):
    """Every run with its counts."""

    runs: tuple[RunLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptTablePage(PageView):
    """All attempts of one run."""

    study: Link
    run: str
    publication: Mark
    published: bool
    counts: TallyView
    table: TableView
    reasons: tuple[Choice, ...]
    """Why rows are not accepted, by number."""
    superseded: int
    """How many rows a later attempt of the same slot replaces in the counts."""
    heads: Heads
    not_started: tuple[NotStarted, ...]
    exclusions: tuple[ExclusionRow, ...]
    file: Link
    digest: str
    data: tuple[Link, ...]
    """The same rows for programs."""


def attempt_table_pages(edition: Edition) -> Iterator[PageView]:
    """The list of runs, then one table a run."""
    runs = [run for study in edition.site.studies for run in study.runs]
    yield AttemptIndexPage(
        frame=edition.frame,
        path=place.ATTEMPTS,
        template="attempt-index.html",
        title=edition.say("nav.attempts"),
        description=edition.say("attempts.description"),
        section="attempts",
        trail=edition.trail("attempts")[:1],
        runs=tuple(
            RunLine(
                table=edition.link(run.id, place.attempts(run.sealed.run.study, run.id)),
                line=run_line(edition, run),
                counts=_counts(edition, run),
            )
            for run in runs
        ),
    )
    for run in runs:
        yield _table(edition, run)


def _excluded(edition: Edition, run: RunSource, exclusion: Exclusion) -> str:
    """What an exclusion excludes: a check by its title, or a feature by its name."""
    with suppress(KeyError):
        return task_words(edition, run.sealed.plan, exclusion.arm, exclusion.task)
    features = {str(feature) for feature in Feature}
    return edition.catalog.word(Feature(exclusion.task)) if exclusion.task in features else exclusion.task


def _counts(edition: Edition, run: RunSource) -> TallyView:
    return tally_view(run.sealed.run.tally, "/tally", edition.quotes(run), edition.catalog)


def _table(edition: Edition, run: RunSource) -> AttemptTablePage:
    sealed = run.sealed
    study = sealed.plan.study
    names = edition.subjects(run)
    table = attempt_table(run)
    view = _table_view(edition, run, table, names)
    file = place.sealed_file(study.id, run.id, ATTEMPTS_FILE)
    return AttemptTablePage(
        frame=edition.frame,
        path=place.attempts(study.id, run.id),
        template="attempt-table.html",
        title=edition.say("attempts.title", run=run.id),
        description=edition.words(study.title),
        section="attempts",
        trail=edition.trail("attempts"),
        beside=edition.run_neighbours(run),
        study=edition.link(edition.words(study.title), place.study(study.id)),
        run=run.id,
        publication=edition.publication(run),
        published=run.published,
        counts=_counts(edition, run),
        table=view,
        reasons=next((_failures(facet) for facet in view.facets if facet.key == "reason"), ()),
        superseded=sealed.run.tally.superseded,
        heads=heads(edition, run),
        not_started=_not_started(edition, run, names),
        exclusions=tuple(
            ExclusionRow(
                subject=names[item.arm],
                task=_excluded(edition, run, item),
                mark=marks.exclusion(item.reason, edition.catalog),
                text=edition.words(item.text),
                proof=item.proof or "",
            )
            for item in sealed.plan.exclusions
        ),
        file=Link(ATTEMPTS_FILE, file),
        digest=sealed.file(ATTEMPTS_FILE).sha256,
        data=(
            *(
                Link(edition.say(f"data.{form}"), place.attempt_data(study.id, run.id, form))
                for form in ("csv", "jsonl")
            ),
            Link(edition.say("data.table"), place.attempt_counts(study.id, run.id)),
        ),
    )


def _not_started(edition: Edition, run: RunSource, names: Mapping[str, str]) -> tuple[NotStarted, ...]:
    if not run.sealed.run.tally.not_started:
        return ()
    slots = (slot for slot in run.sealed.plan.slots if not run.sealed.began(slot))
    return tuple(
        NotStarted(names[arm], task_words(edition, run.sealed.plan, arm, task), planned)
        for (arm, task), planned in Counter((slot.arm, slot.task) for slot in slots).items()
    )


def _table_view(edition: Edition, run: RunSource, table: Table, names: Mapping[str, str]) -> TableView:
    """The table in the edition's language, with an id for the first row of each subject at each feature or task."""
    catalog, study = edition.catalog, run.sealed.run.study
    columns = {column.key: column for column in table.choices}
    arms, groups = columns["arm"], columns.get("feature", columns["task"])
    first: dict[str, int] = {}
    for row, (arm, group) in enumerate(zip(arms.codes, groups.codes, strict=True)):
        first.setdefault(f"{arms.values[arm]}.{groups.values[group]}", row)
    titles = {name: task_words(edition, run.sealed.plan, *slot) for slot, name in check_names(run).items()}
    return table_view(
        table,
        catalog,
        {
            "outcome": lambda value: marks.outcome(Outcome(value), catalog),
            "reason": lambda value: catalog.word(ReasonCode(value)),
            "standing": lambda value: catalog.say(f"standing.{value}"),
            "arm": names.__getitem__,
            "feature": lambda value: catalog.word(Feature(value)),
            "task": titles.__getitem__,
        },
        name="attempts",
        script=place.attempt_script(study, run.id),
        whole=Link(edition.say("data.csv"), place.attempt_data(study, run.id, "csv")),
        note="standing",
        anchors={row: anchor for anchor, row in first.items()},
    )


def _failures(facet: Facet) -> tuple[Choice, ...]:
    return tuple(choice for choice in facet.choices if choice.value)
