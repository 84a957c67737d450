"""A forest plot: one estimate with its interval a row, against a line of reference."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sitegen.charts.axis import WIDTH, Tick, axis
from sitegen.charts.labels import beside, cut

HEAD, LABEL, MARK, GAP = 20, 18, 14, 8
"""Heights: the head with the reference's words, and a row's parts."""
AXIS = 26


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with the interval it lies in, if one was stated, all in one unit (such as millionths)."""

    value: int
    interval: tuple[int, int] | None

    def __post_init__(self) -> None:
        """Refuse an interval that does not hold its estimate."""
        low, high = self.ends
        if not low <= self.value <= high:
            raise ValueError(f"{self.value} lies outside {low} to {high}")

    @property
    def ends(self) -> tuple[int, int]:
        """The interval, or the value twice where there is none."""
        return self.interval or (self.value, self.value)


@dataclass(frozen=True, slots=True)
class ForestRow:
    """What is shown of one row: an estimate, or nothing but words where there is none."""

    label: str
    estimate: Estimate | None
    words: str


@dataclass(frozen=True, slots=True)
class Whisker:
    """An estimate's place: itself as a mark, its interval as a line through it."""

    y: int
    x: int
    line: tuple[int, int] | None
    """From where to where the interval reaches."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row as it is drawn."""

    y: int
    """The base line of the label."""
    label: str
    words_y: int
    """That of the words: the same, or the next where both do not fit one."""
    words: str
    whisker: Whisker | None


@dataclass(frozen=True, slots=True)
class ForestDrawing:
    """Rows from top to bottom over one axis."""

    height: int
    lines: tuple[Line, ...]
    ticks: tuple[Tick, ...]
    floor: int
    reference: Tick | None

    @property
    def anchor(self) -> str:
        """On which side of its line the reference's words stand, so that they stay inside."""
        x = self.reference.x if self.reference else 0
        return "start" if x < WIDTH // 3 else "end" if x > WIDTH * 2 // 3 else "middle"


def forest_drawing(
    rows: Sequence[ForestRow],
    words: Callable[[int], str],
    reference: tuple[int, str] | None = None,
    bounds: Sequence[int] = (),
) -> ForestDrawing:
    """Draw the rows in their order. `reference` is a value with its words; the axis covers `bounds` as well."""
    known = [row.estimate for row in rows if row.estimate]
    covered = [*bounds, *([reference[0]] if reference else ())]
    scale = axis([*(end for item in known for end in item.ends), *covered])
    top = HEAD if reference else 0
    lines = []
    for row in rows:
        y = top + LABEL - 5
        words_y = y if beside(row.label, row.words) else y + LABEL
        floor = words_y + 5
        whisker = None
        if it := row.estimate:
            line = (scale.at(it.interval[0]), scale.at(it.interval[1])) if it.interval else None
            whisker = Whisker(floor + MARK // 2, scale.at(it.value), line)
        lines.append(Line(y, cut(row.label), words_y, row.words, whisker))
        top = floor + MARK + GAP
    return ForestDrawing(
        height=top + AXIS,
        lines=tuple(lines),
        ticks=scale.labelled(words),
        floor=top,
        reference=Tick(scale.at(reference[0]), reference[1]) if reference else None,
    )
