"""What verdicts amount to. A hold stays: nothing that comes later is asked when an earlier version is judged."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from runner.contract.parity.gate import Held, Passed, Unjudged


class GateDisposition(StrEnum):
    """What the gated rows of one version, or all versions together, amount to."""

    passed = "pass"
    """Every gated row was judged and passed."""
    owner_review_hold = "owner-review-hold"
    """At least one row is held, until its owner decides and that decision is recorded."""
    not_yet_proven = "not-yet-proven"
    """No row is held, and not every row was judged."""


def disposition(judgements: Iterable[Passed | Held | Unjudged], *, whole: bool) -> GateDisposition:
    """What one version amounts to by its own rows; `whole` says whether they are all rows that were measured."""
    found = tuple(judgements)
    if any(isinstance(item, Held) for item in found):
        return GateDisposition.owner_review_hold
    if whole and found and all(isinstance(item, Passed) for item in found):
        return GateDisposition.passed
    return GateDisposition.not_yet_proven


def overall(versions: Sequence[GateDisposition]) -> GateDisposition:
    """What versions in order of time amount to together: held as long as one is held, else what the last one is."""
    if GateDisposition.owner_review_hold in versions:
        return GateDisposition.owner_review_hold
    return versions[-1] if versions else GateDisposition.not_yet_proven
