"""An axis: which places its numbers have."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

from sitegen.charts.ticks import ticks

WIDTH = 10_000
"""The whole width, in hundredths of a percent."""
WIDE_SPAN = 50
"""From this ratio of the largest to the smallest value on, a logarithmic axis shows more."""


@dataclass(frozen=True, slots=True)
class Tick:
    """One labelled place of an axis."""

    x: int
    text: str


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps whole numbers between its first and its last tick to places."""

    ticks: tuple[int, ...]
    logarithmic: bool = False

    def at(self, value: int) -> int:
        """The place of a value, from 0 to `WIDTH`; a value outside the axis stands at its end."""
        low, high = self.ticks[0], self.ticks[-1]
        value = min(max(value, low), high)
        if self.logarithmic:
            return round(WIDTH * log(value / low) / log(high / low))
        return rounded(WIDTH * (value - low), high - low)

    def labelled(self, words: Callable[[int], str]) -> tuple[Tick, ...]:
        """The ticks with their words."""
        return tuple(Tick(self.at(tick), words(tick)) for tick in self.ticks)


def axis(values: Sequence[int], *, may_be_logarithmic: bool = False) -> Axis:
    """An axis for all of `values`; for none of them, one from 0 to 2.

    It is logarithmic where that is allowed, nothing is zero, and the span is wide.
    """
    low, high = min(values, default=0), max(values, default=0)
    logarithmic = may_be_logarithmic and low >= 1 and high >= WIDE_SPAN * low
    return Axis(ticks(low, high, logarithmic=logarithmic), logarithmic)


def rounded(numerator: int, denominator: int) -> int:
    """The nearest whole number, halves up, in whole numbers alone. The denominator is positive."""
    return (2 * numerator + denominator) // (2 * denominator)
