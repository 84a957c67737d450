"""Attempts that no study kind performed: refused, interrupted, or broken by a fault of the runner."""

from runner.contract.attempt import Attempt, Criterion, Outcome, Reason, ReasonCode, Verdict
from runner.contract.events import FaultEvent
from runner.contract.plan import Plan, Slot
from runner.contract.study import Tier
from runner.kinds.kind import Performed, Unperformed


def not_reached(plan: Plan, slot: Slot) -> tuple[Criterion, ...]:
    """Every criterion of a slot's task, not reached."""
    names = plan.tasks.criteria(slot.arm, slot.task)
    return tuple(Criterion(id=name, verdict=Verdict.not_reached) for name in names)


def refused(plan: Plan, slot: Slot, retry: int, tier: Tier, nothing: Unperformed) -> Attempt:
    """An attempt that the runner would not perform, since the tier is too weak for the study."""
    reason = Reason(code=ReasonCode.tier_too_weak, at=f"{tier.value} is below {plan.study.tier.value}")
    return _attempt(plan, slot, retry, tier, Outcome.refused, reason, nothing)


def interrupted(plan: Plan, slot: Slot, retry: int, tier: Tier, nothing: Unperformed) -> Attempt:
    """An attempt that ended with the runner. What it did until then is not known."""
    reason = Reason(code=ReasonCode.runner_ended, at=None)
    return _attempt(plan, slot, retry, tier, Outcome.interrupted, reason, nothing)


def faulty(plan: Plan, slot: Slot, message: str, now_ns: int, nothing: Unperformed) -> Performed:
    """What is kept when the runner itself failed: nothing was judged."""
    return Performed(
        outcome=Outcome.failed_to_run,
        reason=Reason(code=ReasonCode.runner_fault, at=None),
        passed_after_cap=False,
        criteria=not_reached(plan, slot),
        usage=nothing.usage,
        detail=nothing.detail,
        events=(FaultEvent(message=message),),
        event_ns=(now_ns,),
        replaced=0,
    )


def _attempt(
    plan: Plan, slot: Slot, retry: int, tier: Tier, outcome: Outcome, reason: Reason, nothing: Unperformed
) -> Attempt:
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
        usage=nothing.usage,
        tier=tier,
        events=None,
        artifacts=(),
        detail=nothing.detail,
    )
