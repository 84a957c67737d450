"""Paired differences: for each thing measured twice, how much the second differs from the first, sorted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sitegen.charts.axis import Tick, axis
from sitegen.charts.labels import beside, cut

NAMED = 24
"""Up to so many pairs each has a row with its name; more are thin bars."""
DRAWN = 100
"""Up to so many bars are drawn; of more pairs, every bar stands for the middle one of its group."""
LABEL, BAR, GAP, THIN = 17, 8, 9, 3
AXIS = 26


@dataclass(frozen=True, slots=True)
class Pair:
    """One thing measured twice, in one unit; None where a measurement is missing."""

    label: str
    base: int | None
    head: int | None

    @property
    def difference(self) -> int | None:
        """Head minus base; None unless both are known."""
        return None if self.base is None or self.head is None else self.head - self.base


@dataclass(frozen=True, slots=True)
class Difference:
    """One bar from the zero line."""

    y: int
    height: int
    x: int
    width: int
    label_y: int
    label: str
    """Empty where there is no room for names."""
    words_y: int
    """The label's base line, or the next where both do not fit one."""
    words: str


@dataclass(frozen=True, slots=True)
class PairedDrawing:
    """Bars from the largest decrease to the largest increase."""

    height: int
    bars: tuple[Difference, ...]
    ticks: tuple[Tick, ...]
    zero: int
    floor: int
    group: int
    """How many pairs the largest group behind one bar has; 1 where every pair has its own."""


def complete(pairs: Sequence[Pair]) -> tuple[tuple[int, Pair], ...]:
    """The pairs without a gap, each with its difference, sorted by that and then by name."""
    known = [(pair.difference, pair) for pair in pairs]
    found = [(difference, pair) for difference, pair in known if difference is not None]
    return tuple(sorted(found, key=lambda item: (item[0], item[1].label)))


def paired_drawing(pairs: Sequence[Pair], words: Callable[[int], str], signed: Callable[[int], str]) -> PairedDrawing:
    """Draw the complete ones of `pairs`. `words` words a tick, `signed` a difference."""
    known = complete(pairs)
    scale = axis([0, *(difference for difference, _ in known)])
    zero = scale.at(0)
    named = len(known) <= NAMED
    chosen, group = _chosen(known)
    bars, top = [], 0
    for difference, pair in chosen:
        place = scale.at(difference)
        said = signed(difference) if named else ""
        label_y = top + LABEL - 5
        words_y = label_y if beside(pair.label, said) else label_y + LABEL
        y = words_y + 5 if named else top
        bars.append(
            Difference(
                y=y,
                height=BAR if named else THIN,
                x=min(zero, place),
                width=abs(place - zero),
                label_y=label_y,
                label=cut(pair.label) if named else "",
                words_y=words_y,
                words=said,
            )
        )
        top = y + (BAR + GAP if named else THIN + 1)
    return PairedDrawing(top + AXIS, tuple(bars), scale.labelled(words), zero, top, group)


def _chosen(known: tuple[tuple[int, Pair], ...]) -> tuple[tuple[tuple[int, Pair], ...], int]:
    """The pairs that are drawn, and the size of the largest group that one of them stands for."""
    if len(known) <= DRAWN:
        return known, 1
    edges = [len(known) * part // DRAWN for part in range(DRAWN + 1)]
    spans = list(pairwise(edges))
    return tuple(known[(start + end - 1) // 2] for start, end in spans), max(end - start for start, end in spans)
