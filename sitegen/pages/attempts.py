"""The attempts of a run: the list of runs, and the table with one row an attempt."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.attempt import Attempt
from runner.contract.plan import Exclusion
from runner.contract.qualification.design import Feature
from runner.contract.tally import current
from sitegen import figures
from sitegen.pages import marks, place
from sitegen.pages.counts import TallyView, tally_view
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link, PageView
from sitegen.pages.results import ResultLine, run_line
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One attempt as the table shows it."""

    link: Link
    subject: str
    arm: str
    feature: str
    check: str
    trial: int
    retry: int
    mark: Mark
    reason: str
    duration: str
    duration_ns: int
    processes: int
    kills: int
    clock_shifts: int
    line: int
    line_target: str
    times_target: str
    superseded: bool


@dataclass(frozen=True, slots=True)
class Group:
    """The attempts of one subject at one feature."""

    anchor: str
    subject: str
    feature: str
    rows: tuple[AttemptRow, ...]


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
    groups: tuple[Group, ...]
    not_started: tuple[NotStarted, ...]
    exclusions: tuple[ExclusionRow, ...]
    subjects: tuple[tuple[str, str], ...]
    """Arm and title of each subject that has a row, for the filter."""
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


def task_words(edition: Edition, run: RunSource, exclusion: Exclusion) -> str:
    """What an exclusion excludes: a check by its title, or a feature by its name."""
    for tasks in run.sealed.plan.tasks.subjects:
        for check in tasks.checks:
            if (tasks.subject, check.id) == (exclusion.arm, exclusion.task):
                return edition.words(check.title)
    features = {str(feature) for feature in Feature}
    return edition.catalog.word(Feature(exclusion.task)) if exclusion.task in features else exclusion.task


def _counts(edition: Edition, run: RunSource) -> TallyView:
    return tally_view(run.sealed.run.tally, "/tally", edition.quotes(run), edition.catalog)


def _table(edition: Edition, run: RunSource) -> AttemptTablePage:
    sealed = run.sealed
    study = sealed.plan.study
    names = {subject.id: edition.words(subject.title) for subject in study.design.subjects}
    counting = current(sealed.attempts)
    spans = {timing.attempt: timing.ended_ns - timing.started_ns for timing in sealed.timings}
    grouped: dict[tuple[str, Feature], list[AttemptRow]] = {}
    for attempt in sealed.attempts:
        check = sealed.plan.tasks.check(attempt.arm, attempt.task)
        row = _row(edition, run, attempt, names, spans, superseded=attempt.attempt not in counting)
        grouped.setdefault((attempt.arm, check.feature), []).append(row)
    file = place.sealed_file(study.id, run.id, "attempts.jsonl")
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
        groups=tuple(
            Group(f"{arm}.{feature}", names[arm], edition.catalog.word(feature), tuple(rows))
            for (arm, feature), rows in grouped.items()
        ),
        not_started=_not_started(edition, run, names),
        exclusions=tuple(
            ExclusionRow(
                subject=names[item.arm],
                task=task_words(edition, run, item),
                mark=marks.exclusion(item.reason, edition.catalog),
                text=edition.words(item.text),
                proof=item.proof or "",
            )
            for item in sealed.plan.exclusions
        ),
        subjects=tuple(dict.fromkeys((arm, names[arm]) for arm, _ in grouped)),
        file=Link("attempts.jsonl", file),
        digest=next(item.sha256 for item in sealed.files if item.path == "attempts.jsonl"),
        data=tuple(
            Link(edition.say(f"data.{form}"), place.attempt_data(study.id, run.id, form)) for form in ("csv", "jsonl")
        ),
    )


def _not_started(edition: Edition, run: RunSource, names: dict[str, str]) -> tuple[NotStarted, ...]:
    begun = {(attempt.arm, attempt.task, attempt.trial) for attempt in run.sealed.attempts}
    slots = (slot for slot in run.sealed.plan.slots if (slot.arm, slot.task, slot.trial) not in begun)
    return tuple(
        NotStarted(names[arm], edition.words(run.sealed.plan.tasks.check(arm, task).title), planned)
        for (arm, task), planned in Counter((slot.arm, slot.task) for slot in slots).items()
    )


def _row(
    edition: Edition,
    run: RunSource,
    attempt: Attempt,
    names: dict[str, str],
    spans: dict[str, int],
    *,
    superseded: bool,
) -> AttemptRow:
    study = run.sealed.run.study
    check = run.sealed.plan.tasks.check(attempt.arm, attempt.task)
    page = place.attempt(study, run.id, attempt.attempt)
    span = spans[attempt.attempt]
    return AttemptRow(
        link=edition.link(attempt.attempt, page),
        subject=names[attempt.arm],
        arm=attempt.arm,
        feature=edition.catalog.word(check.feature),
        check=edition.words(check.title),
        trial=attempt.trial,
        retry=attempt.retry,
        mark=marks.outcome(attempt.outcome, edition.catalog),
        reason=edition.catalog.word(attempt.reason.code) if attempt.reason else "",
        duration=figures.duration(span, edition.catalog),
        duration_ns=span,
        processes=attempt.detail.processes_started,
        kills=attempt.detail.kills,
        clock_shifts=attempt.detail.clock_shifts,
        line=run.sealed.line_of(attempt.attempt),
        line_target=f"{edition.frame.folder}{page}#line",
        times_target=f"{edition.frame.folder}{page}#times",
        superseded=superseded,
    )
