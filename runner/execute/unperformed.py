"""Attempts that no study kind performed: refused, interrupted, or broken by a fault of the runner."""

from runner.contract.attempt import (
    Attempt,
    Criterion,
    Detail,
    Outcome,
    QualificationDetail,
    Reason,
    ReasonCode,
    Verdict,
)
from runner.contract.comparison.detail import nothing_acted
from runner.contract.comparison.tasks import FIXTURE_BACKEND, ComparisonTasks
from runner.contract.events import FaultEvent
from runner.contract.plan import Plan, Slot
from runner.contract.study import Tier
from runner.contract.values import NoModelUsage, UnknownUsage, Usage
from runner.kinds.kind import Performed

NOTHING_DONE = QualificationDetail(steps_performed=0, processes_started=0, clock_shifts=0, kills=0, leftovers=0)


def nothing_done(plan: Plan) -> Detail:
    """What is recorded of an attempt that was not performed to its end."""
    if isinstance(plan.tasks, ComparisonTasks):
        fixture = plan.tasks.backend == FIXTURE_BACKEND
        return nothing_acted(plan.tasks.backend, fixture=fixture, reason="the attempt was not performed to its end")
    return NOTHING_DONE


def spent(plan: Plan) -> Usage:
    """What a model spent on it: nothing where none takes part, and otherwise nobody knows."""
    if isinstance(plan.tasks, ComparisonTasks) and plan.tasks.backend != FIXTURE_BACKEND:
        return UnknownUsage(reason="the attempt was not performed to its end")
    return NoModelUsage()


def not_reached(plan: Plan, slot: Slot) -> tuple[Criterion, ...]:
    """Every criterion of a slot's task, not reached."""
    names = plan.tasks.criteria(slot.arm, slot.task)
    return tuple(Criterion(id=name, verdict=Verdict.not_reached) for name in names)


def refused(plan: Plan, slot: Slot, retry: int, tier: Tier) -> Attempt:
    """An attempt that the runner would not perform, since the tier is too weak for the study."""
    reason = Reason(code=ReasonCode.tier_too_weak, at=f"{tier.value} is below {plan.study.tier.value}")
    return _attempt(plan, slot, retry, tier, Outcome.refused, reason)


def interrupted(plan: Plan, slot: Slot, retry: int, tier: Tier) -> Attempt:
    """An attempt that ended with the runner. What it did until then is not known."""
    reason = Reason(code=ReasonCode.runner_ended, at=None)
    return _attempt(plan, slot, retry, tier, Outcome.interrupted, reason)


def faulty(plan: Plan, slot: Slot, message: str, now_ns: int) -> Performed:
    """What is kept when the runner itself failed: nothing was judged."""
    return Performed(
        outcome=Outcome.failed_to_run,
        reason=Reason(code=ReasonCode.runner_fault, at=None),
        passed_after_cap=False,
        criteria=not_reached(plan, slot),
        usage=spent(plan),
        detail=nothing_done(plan),
        events=(FaultEvent(message=message),),
        event_ns=(now_ns,),
        replaced=0,
    )


def _attempt(plan: Plan, slot: Slot, retry: int, tier: Tier, outcome: Outcome, reason: Reason) -> Attempt:
    return Attempt(
        attempt=slot.attempt_id(retry),
        arm=slot.arm,
        task=slot.task,
        trial=slot.trial,
        retry=retry,
        outcome=outcome,
        reason=reason,
        passed_after_cap=False,
        criteria=not_reached(plan, slot),
        usage=spent(plan),
        tier=tier,
        events=None,
        artifacts=(),
        detail=nothing_done(plan),
    )
