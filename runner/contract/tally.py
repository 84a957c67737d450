"""The one place that counts attempts.

planned = accepted + rejected + failed to run + timed out + refused + interrupted + not started.
A slot counts once, by its last attempt; earlier attempts stay and are counted as superseded.
"""

from array import array
from collections.abc import Iterable
from typing import Self

from pydantic import model_validator

from runner.contract.attempt import Attempt, Outcome
from runner.contract.plan import Slot
from runner.contract.values import Count, Record


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


_NOT_ATTEMPTED = (Outcome.not_started, False)


class Endings:
    """How each planned slot ended, by its last attempt: attempts are taken one by one and none is kept.

    Raises ValueError if the plan names a slot twice: a count never shrinks silently.
    """

    def __init__(self, slots: Iterable[Slot]) -> None:
        self._position: dict[tuple[str, str, int], int] = {}
        planned = 0
        for slot in slots:
            self._position[slot.arm, slot.task, slot.trial] = planned
            planned += 1
        if len(self._position) != planned:
            raise ValueError("the plan names a slot twice")
        # A few bytes a slot, where an attempt takes thousands.
        self._last = [_NOT_ATTEMPTED] * planned
        self._retry = array("H", bytes(2 * planned))
        self._times = array("L", bytes(array("L").itemsize * planned))
        self._names: set[str] = set()

    def add(self, attempt: Attempt) -> int | None:
        """Take one attempt; return the position of its slot if it is the last one of it so far.

        Raises ValueError for an attempt outside the plan and for a second one of its name.
        """
        position = self._position.get((attempt.arm, attempt.task, attempt.trial))
        if position is None:
            raise ValueError(f"attempt {attempt.attempt} is not in the plan")
        if attempt.attempt in self._names:
            raise ValueError(f"attempt {attempt.attempt} stands twice")
        self._names.add(attempt.attempt)
        self._times[position] += 1
        if self._times[position] > 1 and attempt.retry <= self._retry[position]:
            return None
        self._retry[position] = attempt.retry
        self._last[position] = attempt.outcome, attempt.passed_after_cap
        return position

    def tally(self, positions: Iterable[int] | None = None, *, excluded: int) -> Tally:
        """The counts of the slots at these positions of the plan, by default of all."""
        counts = dict.fromkeys(Outcome, 0)
        planned = superseded = passed_after_cap = 0
        for position in range(len(self._last)) if positions is None else positions:
            outcome, passed = self._last[position]
            counts[outcome] += 1
            planned += 1
            passed_after_cap += passed
            superseded += max(self._times[position] - 1, 0)
        return Tally(
            planned=planned,
            superseded=superseded,
            passed_after_cap=passed_after_cap,
            excluded=excluded,
            **{outcome.name: count for outcome, count in counts.items()},
        )
