"""Empirical distributions as step curves: at each value, how many of all are known to lie at or below it.

The denominator is everything that was planned. What was cut off is marked where it was cut off
and is no value; what has no value at all keeps the curve from reaching the top.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sitegen.charts.axis import WIDTH, Axis, Tick, axis, rounded

GRID = 500
"""Steps of the curve's own grid in each direction: a curve has at most so many, for any number of values."""
HEIGHT = 200
AXIS = 42
_QUARTERS = 4
STYLES = 6
"""How many kinds of line there are; further curves begin anew."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What is known of one group."""

    label: str
    values: tuple[int, ...]
    """Sorted upwards."""
    censored: tuple[int, ...] = ()
    """Where an observation ended before its value was reached. Sorted upwards."""
    apart: int = 0
    """How many have neither."""

    @property
    def total(self) -> int:
        """The denominator."""
        return len(self.values) + len(self.censored) + self.apart

    def quantile(self, numerator: int, denominator: int) -> int | None:
        """The smallest value that so large a part of all lies at or below; None if the curve ends below that."""
        rank = max(1, -(-self.total * numerator // denominator))
        return self.values[rank - 1] if rank <= len(self.values) else None


@dataclass(frozen=True, slots=True)
class Censored:
    """Where observations were cut off, on their curve."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Curve:
    """One group's steps on the grid, from the left edge to the right."""

    label: str
    style: int
    """From 1 to `STYLES`."""
    points: tuple[tuple[int, int], ...]
    """Places on the grid, y counted upwards; the curve goes right, then up, to each of them."""
    censored: tuple[Censored, ...]

    @property
    def path(self) -> str:
        """SVG path data, y counted downwards as SVG does."""
        steps = [f"M0 {GRID}"]
        x, y = 0, 0
        for to_x, to_y in self.points:
            if to_x != x:
                steps.append(f"h{to_x - x}")
            if to_y != y:
                steps.append(f"v{y - to_y}")
            x, y = to_x, to_y
        return "".join(steps)


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line with its share in words."""

    y: int
    text: str


@dataclass(frozen=True, slots=True)
class EcdfDrawing:
    """Curves over one axis of values and one of shares."""

    height: int
    plot: int
    """Height of the plot alone."""
    grid: int
    curves: tuple[Curve, ...]
    ticks: tuple[Tick, ...]
    levels: tuple[Level, ...]
    unit: str


def ecdf_drawing(
    samples: Sequence[Sample], scale: Axis, words: Callable[[int], str], unit: str, share: Callable[[int], str]
) -> EcdfDrawing:
    """Draw one curve for each sample that has anything in it. `share` words a whole number of percent."""
    drawn = [sample for sample in samples if sample.total]
    return EcdfDrawing(
        height=HEIGHT + AXIS,
        plot=HEIGHT,
        grid=GRID,
        curves=tuple(curve(sample, scale, 1 + index % STYLES) for index, sample in enumerate(drawn)),
        ticks=scale.labelled(words),
        levels=tuple(
            Level(HEIGHT - HEIGHT * part // _QUARTERS, share(100 * part // _QUARTERS)) for part in range(_QUARTERS + 1)
        ),
        unit=unit,
    )


def sample_axis(samples: Sequence[Sample]) -> Axis:
    """An axis for all values of all samples, those that were cut off as well; unless logarithmic, from zero."""
    extremes = [
        number for sample in samples for known in (sample.values, sample.censored) if known for number in _ends(known)
    ]
    scale = axis(extremes, may_be_logarithmic=True)
    return scale if scale.logarithmic else axis([0, *extremes])


def _ends(known: tuple[int, ...]) -> tuple[int, int]:
    return known[0], known[-1]


def curve(sample: Sample, scale: Axis, style: int) -> Curve:
    """The steps of one sample; values that fall on one line of the grid make one step."""
    highest: dict[int, int] = {}
    for rank, value in enumerate(sample.values, 1):
        highest[rounded(scale.at(value) * GRID, WIDTH)] = rounded(rank * GRID, sample.total)
    points = [*highest.items()]
    points.append((GRID, points[-1][1] if points else 0))
    marks: dict[int, Censored] = {}
    for value in sample.censored:
        x = scale.at(value)
        below = bisect_right(sample.values, value)
        y = HEIGHT - rounded(below * HEIGHT, sample.total)
        marks.setdefault(rounded(x * GRID, WIDTH), Censored(x, y))
    return Curve(sample.label, style, tuple(points), tuple(marks.values()))
