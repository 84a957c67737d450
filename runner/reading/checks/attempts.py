"""Whether the attempts are those of the plan, in its order, and each agrees with itself."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from runner.contract.attempt import Attempt, Outcome, ReasonCode, Verdict
from runner.contract.errors import Problem
from runner.contract.plan import Plan, Slot
from runner.contract.qualification.tasks import criteria

FILE = "attempts.jsonl"
_REMEDY = "do not rely on this run"
_UNPERFORMED = frozenset({Outcome.refused, Outcome.interrupted, Outcome.not_started})


def check_attempts(plan: Plan, attempts: Sequence[Attempt]) -> Iterator[Problem]:
    """Problems of attempts.jsonl as a whole and of each of its lines."""
    position: Mapping[Slot, int] = {slot: n for n, slot in enumerate(plan.slots)}
    order: list[tuple[int, int]] = []
    names: set[str] = set()
    for number, attempt in enumerate(attempts, 1):
        slot = Slot(arm=attempt.arm, task=attempt.task, trial=attempt.trial)
        for what in _of_one(plan, slot, attempt, known=slot in position):
            yield Problem(FILE, f"line {number}", f"{attempt.attempt} {what}", _REMEDY)
        if attempt.attempt in names:
            yield Problem(FILE, f"line {number}", f"{attempt.attempt} stands twice", _REMEDY)
        names.add(attempt.attempt)
        if slot in position:
            order.append((position[slot], attempt.retry))
    if order != sorted(order):
        yield Problem(FILE, "", "is not in plan order with each retry after its first attempt", _REMEDY)
    outcome_of = {attempt.attempt: attempt.outcome for attempt in attempts}
    for number, attempt in enumerate(attempts, 1):
        if attempt.retry == 0:
            continue
        before = Slot(arm=attempt.arm, task=attempt.task, trial=attempt.trial).attempt_id(attempt.retry - 1)
        if before not in outcome_of:
            what = f"{attempt.attempt} is a retry of {before}, which is not there"
            yield Problem(FILE, f"line {number}", what, _REMEDY)
        elif outcome_of[before] is not Outcome.interrupted:
            what = f"{attempt.attempt} retries an attempt that ended as {outcome_of[before].value}"
            yield Problem(FILE, f"line {number}", what, _REMEDY)


def _of_one(plan: Plan, slot: Slot, attempt: Attempt, *, known: bool) -> Iterator[str]:
    if not known:
        yield "is not in the plan"
        return
    if attempt.attempt != slot.attempt_id(attempt.retry):
        yield f"should be called {slot.attempt_id(attempt.retry)}"
    planned = tuple(criteria(plan.tasks.check(slot.arm, slot.task)))
    if tuple(criterion.id for criterion in attempt.criteria) != planned:
        yield f"has other criteria than its task: {', '.join(planned)}"
    yield from _outcome(attempt)
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
    if code not in _reasons(outcome):
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
