"""Statistics of a column of numbers: over what is finite alone, and what is not counted apart."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from sitegen.tables.table import NoNumber, Numeric


@dataclass(frozen=True, slots=True)
class Spread:
    """Where finite numbers lie. The median of an even count is the mean of the middle two, exactly."""

    minimum: int
    median: Fraction
    maximum: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A column in numbers: `finite + unknown + undefined + non_finite` is its length."""

    finite: int
    unknown: int
    undefined: int
    non_finite: int
    """NaN and both infinities."""
    spread: Spread | None
    """None where nothing is finite: a median of nothing is undefined."""


def summary(cells: Iterable[Numeric]) -> Summary:
    """The statistics of `cells`."""
    others: Counter[NoNumber] = Counter()
    finite: list[int] = []
    for cell in cells:
        if isinstance(cell, NoNumber):
            others[cell] += 1
        else:
            finite.append(cell)
    finite.sort()
    return Summary(
        finite=len(finite),
        unknown=others[NoNumber.unknown],
        undefined=others[NoNumber.undefined],
        non_finite=sum(number for kind, number in others.items() if kind.non_finite),
        spread=_spread(finite) if finite else None,
    )


def _spread(ordered: list[int]) -> Spread:
    lower, upper = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return Spread(ordered[0], Fraction(lower + upper, 2), ordered[-1])
