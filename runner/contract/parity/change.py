"""What became of a time between base and head: the difference, and the change as an exact fraction of the base."""

from typing import Annotated, Literal

from pydantic import Field

from runner.contract.canonical import MAX_INTEGER
from runner.contract.values import Nanoseconds, Record

SignedNanoseconds = Annotated[int, Field(ge=-MAX_INTEGER, le=MAX_INTEGER)]
MOST_DECIMALS = 9


class Percentage(Record):
    """A percentage to a number of decimals: 797684 with 6 decimals is 0.797684 %."""

    change: Literal["defined"] = "defined"
    digits: int
    decimals: Annotated[int, Field(ge=0, le=MOST_DECIMALS)]


class UndefinedPercentage(Record):
    """The base is 0, and nothing is a part of it. The difference is still there."""

    change: Literal["undefined"] = "undefined"


class Change(Record):
    """Head minus base over base, kept as it is: neither divided nor rounded."""

    difference_ns: SignedNanoseconds
    """Negative where head took less."""
    base_ns: Nanoseconds

    @property
    def defined(self) -> bool:
        """Whether there is anything to divide by."""
        return self.base_ns > 0

    def percentage(self, decimals: int) -> Percentage | UndefinedPercentage:
        """The change as a percentage, to the nearest digit, halves away from zero. The one place that rounds it."""
        if not self.defined:
            return UndefinedPercentage()
        scaled = abs(self.difference_ns) * 100 * 10**decimals
        digits = (2 * scaled + self.base_ns) // (2 * self.base_ns)
        return Percentage(digits=-digits if self.difference_ns < 0 else digits, decimals=decimals)

    def exceeds(self, millionths: int) -> bool:
        """Whether the change is more than so many millionths of a percent; no undefined one is."""
        return self.defined and self.difference_ns * 100_000_000 > millionths * self.base_ns


def change(base_ns: int, head_ns: int) -> Change:
    """What became of `base_ns`."""
    return Change(difference_ns=head_ns - base_ns, base_ns=base_ns)
