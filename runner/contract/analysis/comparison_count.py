"""Counts the attempts of a comparison one by one: cells, criteria, totals by lane, what is missing, differences."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from runner.contract.analysis.comparison import (
    CellResult,
    ComparisonAnalysis,
    Completeness,
    CriterionResult,
    LaneTotals,
    MissingCell,
    NoTotals,
    ObservedTotals,
    PairedDifference,
    UnknownTotals,
)
from runner.contract.analysis.parts import ArmResult, Finding, not_met
from runner.contract.attempt import Attempt, Outcome, Verdict
from runner.contract.canonical import MAX_INTEGER
from runner.contract.comparison.actions import Agent
from runner.contract.comparison.detail import ComparisonDetail, KnownAgent, NoObservation
from runner.contract.comparison.metrics import Metric, Values
from runner.contract.comparison.schedule import Place, places
from runner.contract.comparison.tasks import FIXTURE_BACKEND
from runner.contract.plan import Plan, as_comparison
from runner.contract.tally import Endings, Tally


class ComparisonCount:
    """Tally and analysis of a run, from its attempts one by one. Raises ValueError as `Endings` does, which counts."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._design, self._tasks = as_comparison(plan)
        self._endings = Endings(plan.slots)
        self._lanes = tuple(lane.id for lane in self._design.available)
        self._names = tuple(task.id for task in self._tasks.tasks)
        self._last: dict[Place, _Kept] = {}
        self._alike: dict[object, object] = {}
        """What many attempts have in common is kept once: who acted, verdicts, and metrics of a script."""
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
        self._last[attempt.arm, attempt.task, attempt.trial] = self._shared(_Kept(attempt, attempt.detail))

    def _shared(self, kept: "_Kept") -> "_Kept":
        for name in ("agent", "values", "verdicts", "why"):
            value = getattr(kept, name)
            setattr(kept, name, self._alike.setdefault((name, value), value))
        return kept

    def tally(self) -> Tally:
        """The counts of the whole run."""
        return self._endings.tally(excluded=len(self._plan.exclusions))

    def analysis(self) -> ComparisonAnalysis:
        """What the attempts taken so far show."""
        missing = tuple(self._missing())
        return ComparisonAnalysis(
            disposition=Completeness.partial if missing else Completeness.complete,
            fixture=self._tasks.backend == FIXTURE_BACKEND
            or (bool(self._last) and all(kept.fixture for kept in self._last.values())),
            arms=tuple(ArmResult(arm=lane.id, tally=self._tally(lane.id, None)) for lane in self._design.lanes),
            cells=tuple(
                CellResult(arm=lane.id, task=task, tally=self._tally(lane.id, task))
                for lane in self._design.lanes
                for task in self._names
            ),
            criteria=tuple(chain.from_iterable(self._criteria(lane) for lane in self._lanes)),
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

    def _criteria(self, lane: str) -> Iterator[CriterionResult]:
        planned = Counter((slot.arm, slot.task) for slot in self._plan.slots)
        judged = Counter(
            (task, name, verdict)
            for (arm, task, _), kept in self._last.items()
            if arm == lane
            for name, verdict in dict(kept.verdicts).items()
        )
        for task in self._tasks.tasks:
            for name in task.criteria:
                met, not_met = (judged[task.id, name, verdict] for verdict in (Verdict.met, Verdict.not_met))
                yield CriterionResult(
                    arm=lane,
                    task=task.id,
                    criterion=name,
                    planned=planned[lane, task.id],
                    met=met,
                    not_met=not_met,
                    not_judged=planned[lane, task.id] - met - not_met,
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
            metrics=totals([values for _, values in observed]),
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

    __slots__ = ("accepted", "agent", "fixture", "name", "passed", "values", "verdicts", "why")

    def __init__(self, attempt: Attempt, detail: ComparisonDetail) -> None:
        self.name = attempt.attempt
        self.fixture = detail.fixture
        self.accepted = attempt.outcome is Outcome.accepted
        self.passed = sum(item.verdict == "met" for item in attempt.criteria)
        self.agent: Agent | None = detail.who.about if isinstance(detail.who, KnownAgent) else None
        self.values: Values | None = None
        self.verdicts: tuple[tuple[str, Verdict], ...] = ()
        """Those that were reached within the cap."""
        self.why = f"ended as {attempt.outcome.value}"
        if attempt.outcome not in (Outcome.accepted, Outcome.rejected):
            return
        self.verdicts = tuple((item.id, item.verdict) for item in attempt.criteria)
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


def totals(observed: Sequence[Values]) -> ObservedTotals | UnknownTotals | NoTotals:
    """The sum over the observations of a lane, as far as the format can hold it."""
    if not observed:
        return NoTotals()
    values = total(observed)
    if beyond := [metric.value for metric in Metric if abs(values.of(metric)) > MAX_INTEGER]:
        return UnknownTotals(reason=f"more than {MAX_INTEGER}, the largest exact integer: {', '.join(beyond)}")
    return ObservedTotals(values=values)


def scheduled(plan: Plan) -> Iterator[Place]:
    """Every attempt that this plan must hold, in its order."""
    design, tasks = as_comparison(plan)
    names, lanes = [task.id for task in tasks.tasks], [lane.id for lane in design.available]
    return (place for place in places(names, lanes, design.repetitions) if tasks.asked.fits(*place))


def _differing(left: Agent, right: Agent) -> tuple[str, ...]:
    return tuple(name for name in Agent.model_fields if getattr(left, name) != getattr(right, name))
