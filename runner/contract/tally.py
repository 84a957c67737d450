"""The one place that counts attempts.

planned = accepted + rejected + failed to run + timed out + refused + interrupted + not started.
A slot counts once, by its last attempt; earlier attempts stay and are counted as superseded.
"""

from collections.abc import Iterable, Sequence
from typing import Self

from pydantic import model_validator

from runner.contract.attempt import Attempt, Outcome
from runner.contract.plan import Slot
from runner.contract.values import Count, Ratio, Record


class Tally(Record):
    """Counts that add up to what was planned."""

    planned: Count
    accepted: Count
    rejected: Count
    failed_to_run: Count
    timed_out: Count
    refused: Count
    interrupted: Count
    not_started: Count
    superseded: Count
    """Attempts whose slot was attempted again. They stand outside the sum."""
    passed_after_cap: Count
    """Attempts among `timed_out` whose criteria were met all the same, too late."""
    excluded: Count
    """Tasks that the plan lists with a reason and does not attempt. Outside the sum."""

    @model_validator(mode="after")
    def _parts_add_up(self) -> Self:
        parts = sum(self.of(outcome) for outcome in Outcome)
        if parts != self.planned:
            raise ValueError(f"the outcomes add up to {parts}, planned are {self.planned}")
        return self

    def of(self, outcome: Outcome) -> int:
        """How many planned slots ended so."""
        count: int = getattr(self, outcome.name)
        return count

    @property
    def accepted_of_planned(self) -> Ratio:
        """The headline: failures of every kind stay in its denominator."""
        return Ratio(numerator=self.accepted, denominator=self.planned)

    @property
    def accepted_of_judged(self) -> Ratio:
        """Accepted of those that were judged at all; never a headline."""
        return Ratio(numerator=self.accepted, denominator=self.accepted + self.rejected)


def tally(slots: Sequence[Slot], attempts: Iterable[Attempt], *, excluded: int) -> Tally:
    """Count `attempts` against the planned `slots`.

    A slot without any attempt is not started. Raises ValueError for an attempt outside the
    plan and for two attempts of one name: a count never shrinks silently.
    """
    planned = {(slot.arm, slot.task, slot.trial) for slot in slots}
    if len(planned) != len(slots):
        raise ValueError("the plan names a slot twice")
    last: dict[tuple[str, str, int], Attempt] = {}
    seen: set[str] = set()
    total = 0
    for attempt in attempts:
        slot = (attempt.arm, attempt.task, attempt.trial)
        if slot not in planned:
            raise ValueError(f"attempt {attempt.attempt} is not in the plan")
        if attempt.attempt in seen:
            raise ValueError(f"attempt {attempt.attempt} stands twice")
        seen.add(attempt.attempt)
        total += 1
        if slot not in last or attempt.retry > last[slot].retry:
            last[slot] = attempt
    counts = dict.fromkeys(Outcome, 0)
    for attempt in last.values():
        counts[attempt.outcome] += 1
    counts[Outcome.not_started] += len(planned) - len(last)
    return Tally(
        planned=len(planned),
        superseded=total - len(last),
        passed_after_cap=sum(attempt.passed_after_cap for attempt in last.values()),
        excluded=excluded,
        **{outcome.name: count for outcome, count in counts.items()},
    )


def current(attempts: Sequence[Attempt]) -> frozenset[str]:
    """The names of the attempts that count: the last one of each slot."""
    last: dict[tuple[str, str, int], Attempt] = {}
    for attempt in attempts:
        slot = (attempt.arm, attempt.task, attempt.trial)
        if slot not in last or attempt.retry > last[slot].retry:
            last[slot] = attempt
    return frozenset(attempt.attempt for attempt in last.values())
