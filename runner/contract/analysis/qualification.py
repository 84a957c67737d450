"""What the attempts of a qualification show, by subject and by feature."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from runner.contract.attempt import Attempt, Outcome, Verdict
from runner.contract.plan import Plan
from runner.contract.qualification.design import Feature, InstalledSubject
from runner.contract.tally import Tally, current, tally
from runner.contract.values import AttemptId, Line, Record, Slug


class FeatureState(StrEnum):
    """What the run shows of one feature of one subject."""

    accepted = "accepted"
    """Every planned attempt at it was accepted."""
    finding = "finding"
    """At least one attempt was judged and did not meet a criterion."""
    unproven = "unproven"
    """No criterion failed, and at least one attempt was not judged to its end."""
    not_offered = "not-offered"
    access_gated = "access-gated"
    left_out = "left-out"
    """A quick run excluded all its checks."""


class FeatureResult(Record):
    """One cell of the table of subjects and features."""

    arm: Slug
    feature: Feature
    state: FeatureState
    tally: Tally


class ArmResult(Record):
    """One subject's counts."""

    arm: Slug
    tally: Tally


class Finding(Record):
    """An attempt that a subject failed: kept and said, never adjusted away."""

    attempt: AttemptId
    criteria: tuple[Line, ...]
    """The criteria that were judged and not met."""


class Disposition(StrEnum):
    """What the whole run amounts to. It is a qualification, not a benefit and not a reproduction."""

    qualified = "qualified"
    """Every planned attempt was accepted."""
    findings = "findings"
    """At least one criterion was not met."""
    not_yet_proven = "not-yet-proven"
    """No criterion failed, and not everything was judged."""


class QualificationAnalysis(Record):
    """Everything that a page or a verifier says about a qualification beyond its tally."""

    kind: Literal["qualification"] = "qualification"
    version: Literal[1] = 1
    disposition: Disposition
    arms: tuple[ArmResult, ...]
    features: tuple[FeatureResult, ...]
    findings: tuple[Finding, ...]


def analyse(plan: Plan, attempts: Sequence[Attempt]) -> QualificationAnalysis:
    """Derive the analysis from a plan and all attempts made under it."""
    counting = current(attempts)
    arms = tuple(
        ArmResult(arm=subject.id, tally=_tally_of(plan, attempts, subject.id, None))
        for subject in plan.study.design.subjects
    )
    features = tuple(
        _feature(plan, attempts, subject.id, feature, gated=not isinstance(subject, InstalledSubject))
        for subject in plan.study.design.subjects
        for feature in Feature
    )
    findings = tuple(
        Finding(attempt=attempt.attempt, criteria=_not_met(attempt))
        for attempt in attempts
        if attempt.attempt in counting and attempt.outcome is Outcome.rejected
    )
    whole = tally(plan.slots, attempts, excluded=len(plan.exclusions))
    if findings:
        disposition = Disposition.findings
    elif whole.accepted == whole.planned:
        disposition = Disposition.qualified
    else:
        disposition = Disposition.not_yet_proven
    return QualificationAnalysis(disposition=disposition, arms=arms, features=features, findings=findings)


def _not_met(attempt: Attempt) -> tuple[str, ...]:
    return tuple(c.id for c in attempt.criteria if c.verdict is Verdict.not_met)


def _tasks_of(plan: Plan, arm: str, feature: Feature | None) -> frozenset[str]:
    """The checks and, for what has no check, the feature itself, as exclusions name it."""
    names: set[str] = {feature.value} if feature else {item.value for item in Feature}
    for tasks in plan.tasks.subjects:
        if tasks.subject == arm:
            names |= {c.id for c in tasks.checks if feature is None or c.feature is feature}
    return frozenset(names)


def _tally_of(plan: Plan, attempts: Sequence[Attempt], arm: str, feature: Feature | None) -> Tally:
    tasks = _tasks_of(plan, arm, feature)
    return tally(
        [slot for slot in plan.slots if slot.arm == arm and slot.task in tasks],
        [attempt for attempt in attempts if attempt.arm == arm and attempt.task in tasks],
        excluded=sum(item.arm == arm and item.task in tasks for item in plan.exclusions),
    )


def _feature(plan: Plan, attempts: Sequence[Attempt], arm: str, feature: Feature, *, gated: bool) -> FeatureResult:
    counts = _tally_of(plan, attempts, arm, feature)
    if gated:
        state = FeatureState.access_gated
    elif any(
        entry.feature is feature for tasks in plan.tasks.subjects if tasks.subject == arm for entry in tasks.not_offered
    ):
        state = FeatureState.not_offered
    elif counts.planned == 0:
        state = FeatureState.left_out
    elif counts.rejected:
        state = FeatureState.finding
    elif counts.accepted == counts.planned:
        state = FeatureState.accepted
    else:
        state = FeatureState.unproven
    return FeatureResult(arm=arm, feature=feature, state=state, tally=counts)
