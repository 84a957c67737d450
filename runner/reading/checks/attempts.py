"""Whether the attempts are those of the plan, in its order, and each agrees with itself."""

from collections.abc import Iterator
from typing import assert_never

from runner.contract.attempt import Attempt, Outcome, ReasonCode, Verdict
from runner.contract.errors import Problem
from runner.contract.plan import Plan, Slot

FILE = "attempts.jsonl"
_REMEDY = "do not rely on this run"
_UNPERFORMED = frozenset({Outcome.refused, Outcome.interrupted, Outcome.not_started})


class AttemptsCheck:
    """Checks attempts.jsonl line by line, and keeps of each attempt only its name, its outcome and its line."""

    def __init__(self, plan: Plan) -> None:
        self.problems: list[Problem] = []
        self.lines: dict[str, int] = {}
        """The line of each attempt, from 1, by its name."""
        self._outcomes: dict[int, Outcome] = {}
        self._position = {(slot.arm, slot.task, slot.trial): n for n, slot in enumerate(plan.slots)}
        pairs = {(slot.arm, slot.task) for slot in plan.slots}
        self._criteria = {pair: _criteria(plan, *pair) for pair in pairs}
        self._kind = plan.study.design.kind
        self._before = (-1, -1)
        self._in_order = True
        self._retries: list[tuple[int, str, str]] = []
        self._last = ""
        self.superseded: set[str] = set()
        """The names of the attempts whose slot was attempted again, in a run in which all is right."""

    def see(self, number: int, attempt: Attempt) -> None:
        """Take the attempt of line `number`."""
        position = self._position.get((attempt.arm, attempt.task, attempt.trial))
        for what in self._of_one(attempt, known=position is not None):
            self._add(f"line {number}", f"{attempt.attempt} {what}")
        if attempt.attempt in self.lines:
            self._add(f"line {number}", f"{attempt.attempt} stands twice, first on line {self.lines[attempt.attempt]}")
        self.lines[attempt.attempt] = number
        self._outcomes[number] = attempt.outcome
        if position is not None:
            place = (position, attempt.retry)
            self._in_order &= self._before <= place
            if self._before[0] == position:
                self.superseded.add(self._last)
            self._before, self._last = place, attempt.attempt
        if attempt.retry:
            slot = Slot(arm=attempt.arm, task=attempt.task, trial=attempt.trial)
            self._retries.append((number, attempt.attempt, slot.attempt_id(attempt.retry - 1)))

    def end(self) -> list[Problem]:
        """Every problem, after the last attempt."""
        if not self._in_order:
            self._add("", "is not in plan order with each retry after its first attempt")
        for number, name, before in self._retries:
            if before not in self.lines:
                self._add(f"line {number}", f"{name} is a retry of {before}, which is not there")
            elif (ended := self._outcomes[self.lines[before]]) is not Outcome.interrupted:
                self._add(f"line {number}", f"{name} retries an attempt that ended as {ended.value}")
        return self.problems

    def _add(self, where: str, what: str) -> None:
        self.problems.append(Problem(FILE, where, what, _REMEDY))

    def _of_one(self, attempt: Attempt, *, known: bool) -> Iterator[str]:
        if not known:
            yield "is not in the plan"
            return
        name = f"{attempt.arm}.{attempt.task}.{attempt.trial}" + (f".r{attempt.retry}" if attempt.retry else "")
        if attempt.attempt != name:
            yield f"should be called {name}"
        planned = self._criteria.get((attempt.arm, attempt.task), ())
        if tuple(criterion.id for criterion in attempt.criteria) != planned:
            yield f"has other criteria than its task: {', '.join(planned)}"
        if attempt.detail.kind != self._kind:
            yield f"is recorded as a {attempt.detail.kind}"
        yield from _outcome(attempt)
        yield from _files(attempt)


def _criteria(plan: Plan, arm: str, task: str) -> tuple[str, ...]:
    """The criteria of a slot; none where the plan lacks the task, which the check of the plan says."""
    try:
        return plan.tasks.criteria(arm, task)
    except KeyError:
        return ()


def _files(attempt: Attempt) -> Iterator[str]:
    """What of the files that an attempt names is not as it should be."""
    files = f"artifacts/{attempt.attempt}/"
    if attempt.events not in (None, f"events/{attempt.attempt}.jsonl"):
        yield f"names {attempt.events} as its events"
    if any(not path.startswith(files) for path in attempt.artifacts):
        yield f"names artifacts outside {files}"
    if list(attempt.artifacts) != sorted(set(attempt.artifacts)):
        yield "names its artifacts twice or out of order"
    if (attempt.events is None) != (attempt.outcome in _UNPERFORMED):
        yield f"is {attempt.outcome.value} and has {'no' if attempt.events is None else 'an'} events file"
    if attempt.artifacts and attempt.outcome in _UNPERFORMED:
        yield f"is {attempt.outcome.value} and has artifacts"


def _outcome(attempt: Attempt) -> Iterator[str]:
    """What of outcome, criteria and reason does not go together."""
    outcome = attempt.outcome
    verdicts = [criterion.verdict for criterion in attempt.criteria]
    all_met = all(verdict is Verdict.met for verdict in verdicts)
    code = attempt.reason.code if attempt.reason else None
    if code not in _REASONS[outcome]:
        yield f"is {outcome.value} for the reason {code.value if code else 'none'}"
    if outcome is Outcome.accepted and not all_met:
        yield "is accepted, and not every criterion is met"
    if outcome is Outcome.rejected and Verdict.not_met not in verdicts:
        yield "is rejected, and no criterion is judged as not met"
    if outcome is Outcome.failed_to_run and all_met:
        yield "failed to run, and every criterion is met"
    if attempt.passed_after_cap != (outcome is Outcome.timed_out and all_met):
        yield "does not say rightly in `passed_after_cap` whether all was met after the cap"
    if outcome in _UNPERFORMED and any(verdict is not Verdict.not_reached for verdict in verdicts):
        yield f"is {outcome.value}, and something was judged"


def _reasons(outcome: Outcome) -> frozenset[ReasonCode | None]:
    """For which reasons an attempt may end so."""
    allowed: frozenset[ReasonCode | None]
    match outcome:
        case Outcome.accepted:
            allowed = frozenset({None})
        case Outcome.rejected:
            allowed = frozenset({ReasonCode.criterion_not_met})
        case Outcome.failed_to_run:
            allowed = frozenset(
                {
                    ReasonCode.setup_step_failed,
                    ReasonCode.boundary_not_reached,
                    ReasonCode.process_not_started,
                    ReasonCode.reference_missing,
                    ReasonCode.runner_fault,
                }
            )
        case Outcome.timed_out:
            allowed = frozenset({ReasonCode.wall_cap})
        case Outcome.refused:
            allowed = frozenset({ReasonCode.tier_too_weak})
        case Outcome.interrupted:
            allowed = frozenset({ReasonCode.runner_ended})
        case Outcome.not_started:
            allowed = frozenset({ReasonCode.run_ended_before})
        case _:
            assert_never(outcome)
    return allowed


_REASONS = {outcome: _reasons(outcome) for outcome in Outcome}
