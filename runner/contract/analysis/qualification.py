"""What the attempts of a qualification show, by subject and by feature."""

from array import array
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Literal

from runner.contract.analysis.parts import ArmResult, Finding, not_met
from runner.contract.attempt import Attempt, Outcome
from runner.contract.plan import Plan, as_qualification
from runner.contract.qualification.design import Feature, InstalledSubject
from runner.contract.qualification.tasks import QualificationTasks
from runner.contract.tally import Endings, Tally
from runner.contract.values import Record, Slug


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


class QualificationCount:
    """Tally and analysis of a run, from its attempts one by one; none is kept.

    Raises ValueError as `Endings` does, which counts.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._design, self._tasks = as_qualification(plan)
        self._endings = Endings(plan.slots)
        self._findings: dict[int, Finding] = {}

    def add(self, attempt: Attempt) -> None:
        """Take one attempt. Raises ValueError as `Endings.add` does."""
        position = self._endings.add(attempt)
        if position is None:
            return
        self._findings.pop(position, None)  # of an attempt that counts no more
        if attempt.outcome is Outcome.rejected:
            self._findings[position] = Finding(attempt=attempt.attempt, criteria=not_met(attempt))

    def tally(self) -> Tally:
        """The counts of the whole run."""
        return self._endings.tally(excluded=len(self._plan.exclusions))

    def analysis(self) -> QualificationAnalysis:
        """What the attempts taken so far show."""
        places = _Places(self._plan)
        arms = tuple(
            ArmResult(arm=subject.id, tally=self._tally_of(places, subject.id, None))
            for subject in self._design.subjects
        )
        features = tuple(
            self._feature(places, subject.id, feature, gated=not isinstance(subject, InstalledSubject))
            for subject in self._design.subjects
            for feature in Feature
        )
        findings = tuple(self._findings.values())
        whole = self.tally()
        if findings:
            disposition = Disposition.findings
        elif whole.accepted == whole.planned:
            disposition = Disposition.qualified
        else:
            disposition = Disposition.not_yet_proven
        return QualificationAnalysis(disposition=disposition, arms=arms, features=features, findings=findings)

    def _tally_of(self, places: "_Places", arm: str, feature: Feature | None) -> Tally:
        tasks = _tasks_of(self._tasks, arm, feature)
        return self._endings.tally(
            places.of(arm, tasks),
            excluded=sum(item.arm == arm and item.task in tasks for item in self._plan.exclusions),
        )

    def _feature(self, places: "_Places", arm: str, feature: Feature, *, gated: bool) -> FeatureResult:
        counts = self._tally_of(places, arm, feature)
        if gated:
            state = FeatureState.access_gated
        elif any(
            entry.feature is feature
            for tasks in self._tasks.subjects
            if tasks.subject == arm
            for entry in tasks.not_offered
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


class _Places:
    """At which positions of the plan the slots of a task stand."""

    def __init__(self, plan: Plan) -> None:
        self._of: dict[tuple[str, str], array[int]] = {}
        for position, slot in enumerate(plan.slots):
            self._of.setdefault((slot.arm, slot.task), array("L")).append(position)

    def of(self, arm: str, tasks: Iterable[str]) -> Iterator[int]:
        """Every position of these tasks of one arm, in no order that matters."""
        for task in tasks:
            yield from self._of.get((arm, task), ())


def _tasks_of(planned: QualificationTasks, arm: str, feature: Feature | None) -> frozenset[str]:
    """The checks and, for what has no check, the feature itself, as exclusions name it."""
    names: set[str] = {feature.value} if feature else {item.value for item in Feature}
    for tasks in planned.subjects:
        if tasks.subject == arm:
            names |= {c.id for c in tasks.checks if feature is None or c.feature is feature}
    return frozenset(names)
