"""Counts as stacked bars on one axis: a bar is as long as its count, and its parts add up to it exactly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sitegen.charts.axis import Tick, axis
from sitegen.charts.labels import ROOM, cut, packed

LABEL, BAR, LINE, GAP = 19, 18, 17, 13
"""Heights of a row's parts."""
AXIS = 26
_APART = 12


@dataclass(frozen=True, slots=True)
class Count:
    """One kind of thing and how many there are. `tone` and `fill` are the classes that draw it."""

    glyph: str
    tone: str
    fill: str
    number: int
    words: str
    """The number in the page's language."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """One kind's part of a bar."""

    x: int
    width: int
    tone: str
    fill: str


@dataclass(frozen=True, slots=True)
class Said:
    """A number in words, below its bar."""

    tone: str
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One row: a label, a bar, and its counts."""

    y: int
    """The base line of the label."""
    label: str
    bar_y: int
    stretches: tuple[Stretch, ...]
    lines: tuple[tuple[int, tuple[Said, ...]], ...]
    """Base lines, each with the counts on it."""
    nothing: str
    """What stands in the place of a bar that counts nothing."""


@dataclass(frozen=True, slots=True)
class CountsDrawing:
    """Bars from top to bottom over one axis."""

    height: int
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    floor: int
    """Where the axis runs."""


def counts_drawing(
    rows: Sequence[tuple[str, Sequence[Count]]], words: Callable[[int], str], nothing: str
) -> CountsDrawing:
    """Draw one bar a row, each a label with its counts. `nothing` stands where all counts are zero."""
    scale = axis([0, *(sum(count.number for count in counts) for _, counts in rows)])
    bars, top = [], 0
    for label, counts in rows:
        present = [count for count in counts if count.number]
        said = [Said(count.tone, f"{count.glyph}\u00a0{count.words}") for count in present]
        bar_y = top + LABEL
        first = bar_y + BAR + LINE - 3
        lines = tuple(
            (first + number * LINE, tuple(said[index] for index in line))
            for number, line in enumerate(packed([item.text for item in said], _APART, ROOM))
        )
        bars.append(
            Bar(
                y=top + LABEL - 5,
                label=cut(label),
                bar_y=bar_y,
                stretches=stretches(present, scale.at),
                lines=lines,
                nothing="" if present else nothing,
            )
        )
        top = bar_y + BAR + LINE * max(1, len(lines)) + GAP
    return CountsDrawing(top + AXIS, tuple(bars), scale.labelled(words), top)


def stretches(counts: Sequence[Count], place: Callable[[int], int]) -> tuple[Stretch, ...]:
    """The parts of one bar, end to end: edges are rounded, so nothing overlaps and nothing is left over."""
    found, before = [], 0
    for count in counts:
        start, end = place(before), place(before + count.number)
        found.append(Stretch(start, end - start, count.tone, count.fill))
        before += count.number
    return tuple(found)
