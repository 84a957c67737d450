"""What the analyses of all study kinds have in common: counts by arm, and attempts that were judged and failed."""

from runner.contract.attempt import Attempt, Verdict
from runner.contract.tally import Tally
from runner.contract.values import AttemptId, Line, Record, Slug


class ArmResult(Record):
    """One arm's counts."""

    arm: Slug
    tally: Tally


class Finding(Record):
    """An attempt that an arm failed: kept and said, never adjusted away."""

    attempt: AttemptId
    criteria: tuple[Line, ...]
    """The criteria that were judged and not met."""


def not_met(attempt: Attempt) -> tuple[str, ...]:
    """The criteria of an attempt that were judged and not met."""
    return tuple(item.id for item in attempt.criteria if item.verdict is Verdict.not_met)
