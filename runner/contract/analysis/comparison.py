"""What the attempts of a comparison show: the matrix, totals by lane, and paired differences once nothing is missing.

Differences are left minus right, cell by cell, and exist only for two lanes and a complete matrix. There is no ranking,
no rate, no imputation and no significance: these are descriptions of what was observed.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from runner.contract.analysis.parts import ArmResult, Finding, not_met
from runner.contract.attempt import Attempt, Outcome
from runner.contract.comparison.actions import Agent
from runner.contract.comparison.detail import ComparisonDetail, KnownAgent, NoObservation
from runner.contract.comparison.metrics import Metric, Values
from runner.contract.comparison.schedule import Place, places
from runner.contract.plan import Plan, as_comparison
from runner.contract.tally import Endings, Tally
from runner.contract.values import AttemptId, Count, Line, Record, Slug


class Completeness(StrEnum):
    """Whether the matrix of tasks, available lanes and trials has a usable observation in every cell."""

    complete = "complete"
    partial = "partial"


class CellResult(Record):
    """The attempts of one lane at one task."""

    arm: Slug
    task: Slug
    tally: Tally


class ObservedTotals(Record):
    """Sums over at least one observation."""

    totals: Literal["observed"] = "observed"
    values: Values


class NoTotals(Record):
    """There is no observation to sum, which is not the same as a sum of zero."""

    totals: Literal["none"] = "none"


class LaneTotals(Record):
    """Sums over the observed attempts of one lane. They say how many those are."""

    arm: Slug
    observed: Count
    """Attempts with a usable observation."""
    completed: Count
    """Those of them in which every criterion passed."""
    criteria_passed: Count
    metrics: Annotated[ObservedTotals | NoTotals, Field(discriminator="totals")]


class MissingCell(Record):
    """A cell of the matrix without a usable observation, or one that its pair does not fit."""

    arm: Slug
    task: Slug
    trial: int
    reason: Line


class PairedDifference(Record):
    """What one pair differs by, left minus right."""

    task: Slug
    trial: int
    left: AttemptId
    right: AttemptId
    metrics: Values


class ComparisonAnalysis(Record):
    """Everything that a page or a verifier says about a comparison beyond its tally."""

    kind: Literal["comparison"] = "comparison"
    version: Literal[1] = 1
    disposition: Completeness
    fixture: bool
    """Whether a script stood in for a model: then no number here is about a model."""
    arms: tuple[ArmResult, ...]
    cells: tuple[CellResult, ...]
    findings: tuple[Finding, ...]
    lanes: tuple[LaneTotals, ...]
    missing: tuple[MissingCell, ...]
    direction: Literal["left_minus_right"] = "left_minus_right"
    differences: tuple[PairedDifference, ...]
    """Empty unless the matrix is complete and exactly two lanes are available."""


class ComparisonCount:
    """Tally and analysis of a run, from its attempts one by one. Raises ValueError as `Endings` does, which counts."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._design, self._tasks = as_comparison(plan)
        self._endings = Endings(plan.slots)
        self._lanes = tuple(lane.id for lane in self._design.available)
        self._names = tuple(task.id for task in self._tasks.tasks)
        self._last: dict[Place, _Kept] = {}
        self._findings: dict[int, Finding] = {}

    def add(self, attempt: Attempt) -> None:
        """Take one attempt. Raises ValueError as `Endings.add` does, and for a record of another kind."""
        position = self._endings.add(attempt)
        if position is None:
            return
        if not isinstance(attempt.detail, ComparisonDetail):
            raise ValueError(f"attempt {attempt.attempt} is recorded as a {attempt.detail.kind}")  # noqa: TRY004
        self._findings.pop(position, None)  # of an attempt that counts no more
        if attempt.outcome is Outcome.rejected:
            self._findings[position] = Finding(attempt=attempt.attempt, criteria=not_met(attempt))
        self._last[attempt.arm, attempt.task, attempt.trial] = _Kept(attempt, attempt.detail)

    def tally(self) -> Tally:
        """The counts of the whole run."""
        return self._endings.tally(excluded=len(self._plan.exclusions))

    def analysis(self) -> ComparisonAnalysis:
        """What the attempts taken so far show."""
        missing = tuple(self._missing())
        return ComparisonAnalysis(
            disposition=Completeness.partial if missing else Completeness.complete,
            fixture=all(kept.detail.fixture for kept in self._last.values()),
            arms=tuple(ArmResult(arm=lane.id, tally=self._tally(lane.id, None)) for lane in self._design.lanes),
            cells=tuple(
                CellResult(arm=lane.id, task=task, tally=self._tally(lane.id, task))
                for lane in self._design.lanes
                for task in self._names
            ),
            findings=tuple(self._findings[position] for position in sorted(self._findings)),
            lanes=tuple(self._totals(lane) for lane in self._lanes),
            missing=missing,
            differences=() if missing else tuple(self._differences()),
        )

    def _tally(self, lane: str, task: str | None) -> Tally:
        return self._endings.tally(
            (
                position
                for position, slot in enumerate(self._plan.slots)
                if slot.arm == lane and task in (None, slot.task)
            ),
            excluded=sum(item.arm == lane and task in (None, item.task) for item in self._plan.exclusions),
        )

    def _matrix(self) -> Iterator[Place]:
        """Every cell, task by task, trial by trial, lane by lane."""
        for task in self._names:
            for trial in range(1, self._design.repetitions + 1):
                for lane in self._lanes:
                    yield lane, task, trial

    def _missing(self) -> Iterator[MissingCell]:
        planned = {(slot.arm, slot.task, slot.trial) for slot in self._plan.slots}
        for cell in self._matrix():
            if (reason := self._reason(cell, planned=cell in planned)) is not None:
                yield MissingCell(arm=cell[0], task=cell[1], trial=cell[2], reason=reason)

    def _reason(self, cell: Place, *, planned: bool) -> str | None:
        if not planned:
            return "not selected"
        kept = self._last.get(cell)
        if kept is None:
            return "not attempted"
        if (agent := kept.agent) is None or kept.values is None:
            return kept.why
        first = self._last.get((self._lanes[0], *cell[1:]))
        differing = _differing(first.agent, agent) if first and first.agent else ()
        return f"differs from its pair in {', '.join(differing)}" if differing else None

    def _totals(self, lane: str) -> LaneTotals:
        found = [kept for cell in self._matrix() if cell[0] == lane and (kept := self._last.get(cell))]
        observed = [(kept, kept.values) for kept in found if kept.values is not None]
        return LaneTotals(
            arm=lane,
            observed=len(observed),
            completed=sum(kept.accepted for kept, _ in observed),
            criteria_passed=sum(kept.passed for kept, _ in observed),
            metrics=ObservedTotals(values=total([values for _, values in observed])) if observed else NoTotals(),
        )

    def _differences(self) -> Iterator[PairedDifference]:
        if len(self._lanes) != 2:
            return
        for task in self._names:
            for trial in range(1, self._design.repetitions + 1):
                left, right = (self._last[lane, task, trial] for lane in self._lanes)
                assert left.values is not None  # noqa: S101 -- the matrix is complete
                assert right.values is not None  # noqa: S101
                yield PairedDifference(
                    task=task,
                    trial=trial,
                    left=left.name,
                    right=right.name,
                    metrics=difference(left.values, right.values),
                )


class _Kept:
    """What of an attempt that counts the analysis needs."""

    __slots__ = ("accepted", "agent", "detail", "name", "passed", "values", "why")

    def __init__(self, attempt: Attempt, detail: ComparisonDetail) -> None:
        self.name = attempt.attempt
        self.detail = detail
        self.accepted = attempt.outcome is Outcome.accepted
        self.passed = sum(item.verdict == "met" for item in attempt.criteria)
        self.agent: Agent | None = detail.who.about if isinstance(detail.who, KnownAgent) else None
        self.values: Values | None = None
        self.why = f"ended as {attempt.outcome.value}"
        if attempt.outcome not in (Outcome.accepted, Outcome.rejected):
            return
        if isinstance(detail.observed, NoObservation):
            self.why = detail.observed.reason
        else:
            self.values = detail.observed.metrics


def difference(left: Values, right: Values) -> Values:
    """Left minus right, metric by metric."""
    return Values(**{metric.value: left.of(metric) - right.of(metric) for metric in Metric})


def total(values: Sequence[Values]) -> Values:
    """The sum, metric by metric."""
    return Values(**{metric.value: sum(item.of(metric) for item in values) for metric in Metric})


def scheduled(plan: Plan) -> Iterator[Place]:
    """Every attempt that this plan must hold, in its order."""
    design, tasks = as_comparison(plan)
    names, lanes = [task.id for task in tasks.tasks], [lane.id for lane in design.available]
    return (place for place in places(names, lanes, design.repetitions) if tasks.asked.fits(*place))


def _differing(left: Agent, right: Agent) -> tuple[str, ...]:
    return tuple(name for name in Agent.model_fields if getattr(left, name) != getattr(right, name))
