"""Every attempt of a comparison by task, trial and lane, and what the agents noticed of a drift."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from runner.contract.attempt import Attempt, Outcome, Verdict
from runner.contract.comparison.acceptance import NoticedRule, RecoveredRule
from runner.contract.comparison.design import ComparisonDesign, ExternalLane
from runner.contract.comparison.detail import ComparisonDetail, UsableObservation
from runner.contract.comparison.happenings import DriftedEvent
from runner.contract.comparison.tasks import ComparisonTask, ComparisonTasks, PatchDrift
from runner.contract.plan import ExclusionReason, as_comparison
from sitegen.pages import marks
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link
from sitegen.pages.quotes import Bound
from sitegen.sources import RunSource

SHOWN_ROWS = 50
"""Of the matrix, a row being one trial of one task. The table of attempts has them all."""

Place = tuple[str, str, int]
"""Lane, task and trial."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """What became of one trial of one task in one lane."""

    mark: Mark
    attempt: Link | None
    """None where there is no attempt."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One trial of one task in all lanes."""

    task: str
    trial: int
    first: bool
    """Whether it is the task's first row here."""
    cells: tuple[MatrixCell, ...]


@dataclass(frozen=True, slots=True)
class DriftRow:
    """What one attempt did about the drift under it."""

    attempt: Link
    lane: str
    trial: Bound
    applied: Bound
    after: str
    """After how many events of the attempt; empty where it was not applied."""
    notices: Bound | None
    """How often the agent said that what it knew is out of date; None where that is not known."""
    actions: Bound | None
    """What it did about that, likewise."""
    noticed: Mark | None
    """Whether it noticed in the sense of the task; None where the task does not ask."""
    recovered: Mark | None


@dataclass(frozen=True, slots=True)
class TaskDrift:
    """The declared drift of one task."""

    task: str
    description: str
    patch: str
    rows: tuple[DriftRow, ...]


@dataclass(frozen=True, slots=True)
class AttemptMatrix:
    """The attempts of a comparison that count."""

    lanes: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    drifts: tuple[TaskDrift, ...]
    whole: bool
    """Whether every row is shown."""


def attempt_matrix(edition: Edition, run: RunSource) -> AttemptMatrix:
    """The matrix of a run of a comparison."""
    design, tasks = as_comparison(run.sealed.plan)
    shown = list(islice(_rows(design, tasks), SHOWN_ROWS))
    found = _attempts(run, frozenset(shown))
    planned = {(slot.arm, slot.task, slot.trial) for slot in run.sealed.plan.slots}
    return AttemptMatrix(
        lanes=tuple(edition.subjects(run).values()),
        rows=tuple(
            MatrixRow(
                task=edition.words(task.title),
                trial=trial,
                first=trial == 1,
                cells=tuple(
                    _cell(edition, run, lane.id in _external(design), (lane.id, task.id, trial), found, planned)
                    for lane in design.lanes
                ),
            )
            for task, trial in ((tasks.check("", name), trial) for name, trial in shown)
        ),
        drifts=tuple(
            TaskDrift(
                edition.words(task.title),
                edition.words(task.drift.description),
                task.drift.patch,
                tuple(_drifts(edition, run, task, found)),
            )
            for task in tasks.tasks
            if isinstance(task.drift, PatchDrift) and any(name == task.id for name, _ in shown)
        ),
        whole=len(shown) == len(tasks.tasks) * design.repetitions,
    )


def _rows(design: ComparisonDesign, tasks: ComparisonTasks) -> Iterator[tuple[str, int]]:
    for task in tasks.tasks:
        for trial in range(1, design.repetitions + 1):
            yield task.id, trial


def _external(design: ComparisonDesign) -> frozenset[str]:
    return frozenset(lane.id for lane in design.lanes if isinstance(lane, ExternalLane))


def _attempts(run: RunSource, shown: frozenset[tuple[str, int]]) -> Mapping[Place, Attempt]:
    """The attempt that counts at each place of the rows that are shown."""
    counting = run.sealed.current
    return {
        (attempt.arm, attempt.task, attempt.trial): attempt
        for attempt in run.sealed.attempts
        if (attempt.task, attempt.trial) in shown and attempt.attempt in counting
    }


def _cell(
    edition: Edition,
    run: RunSource,
    external: bool,  # noqa: FBT001 -- one of two ways for a lane to be
    at: Place,
    found: Mapping[Place, Attempt],
    planned: set[Place],
) -> MatrixCell:
    if external:
        return MatrixCell(marks.exclusion(ExclusionReason.external_unrun, edition.catalog), None)
    attempt = found.get(at)
    if attempt is not None:
        link = edition.link(attempt.attempt, attempt_place(run, attempt.attempt))
        return MatrixCell(marks.outcome(attempt.outcome, edition.catalog), link)
    if at in planned:
        return MatrixCell(marks.outcome(Outcome.not_started, edition.catalog), None)
    return MatrixCell(marks.named("cell", "not selected", edition.catalog), None)


def _drifts(
    edition: Edition, run: RunSource, task: ComparisonTask, found: Mapping[Place, Attempt]
) -> Iterator[DriftRow]:
    quotes, names = edition.quotes(run), edition.subjects(run)
    for (lane, name, _), attempt in sorted(found.items(), key=lambda item: (item[0][2], list(names).index(item[0][0]))):
        detail = attempt.detail
        if name != task.id or not isinstance(detail, ComparisonDetail):
            continue
        usable = isinstance(detail.observed, UsableObservation)
        metrics = "/detail/observed/metrics"
        yield DriftRow(
            attempt=edition.link(attempt.attempt, f"{attempt_place(run, attempt.attempt)}"),
            lane=names[lane],
            trial=quotes.in_attempt(attempt, "/trial"),
            applied=quotes.in_attempt(attempt, "/detail/drift_applications"),
            after=_after(edition, run, attempt),
            notices=quotes.in_attempt(attempt, f"{metrics}/stale_failures") if usable else None,
            actions=quotes.in_attempt(attempt, f"{metrics}/stale_recovery_actions") if usable else None,
            noticed=_judged(edition, task, attempt, NoticedRule),
            recovered=_judged(edition, task, attempt, RecoveredRule),
        )


def _after(edition: Edition, run: RunSource, attempt: Attempt) -> str:
    if attempt.events is None:
        return ""
    events = run.sealed.events_in(attempt.events)
    number = next((number for number, event in enumerate(events) if isinstance(event, DriftedEvent)), None)
    return "" if number is None else edition.say("drift.after", n=number)


def _judged(
    edition: Edition, task: ComparisonTask, attempt: Attempt, rule: type[NoticedRule] | type[RecoveredRule]
) -> Mark | None:
    """What became of the criteria that hold such a rule: the worst of it."""
    asked = {item.id for item in task.acceptance if any(isinstance(one, rule) for one in item.rules)}
    verdicts = {item.verdict for item in attempt.criteria if item.id in asked}
    worst = next((one for one in (Verdict.not_met, Verdict.not_reached, Verdict.met) if one in verdicts), None)
    return None if worst is None else marks.verdict(worst, edition.catalog)
