"""A tally as a reader sees it: a strip whose parts add up, and rows with named denominators."""

from collections.abc import Sequence
from dataclasses import dataclass

from runner.contract.attempt import Outcome
from runner.contract.tally import Tally
from sitegen.catalog import Catalog
from sitegen.pages.marks import Mark, outcome
from sitegen.pages.quotes import Bound, Quotes

STRIP_WIDTH = 1000
"""Units of the strip's drawing; the parts are whole units and add up to it exactly."""


@dataclass(frozen=True, slots=True)
class Part:
    """One outcome with its count."""

    mark: Mark
    count: Bound


@dataclass(frozen=True, slots=True)
class Segment:
    """One outcome's stretch of the strip, in units of its drawing."""

    x: int
    width: int
    mark: Mark
    hatched: bool


@dataclass(frozen=True, slots=True)
class TallyView:
    """Planned and what became of it, all linked to one tally of run.json."""

    planned: Bound
    accepted: Bound
    rejected: Bound
    parts: tuple[Part, ...]
    superseded: Bound
    passed_after_cap: Bound
    excluded: Bound
    segments: tuple[Segment, ...]

    @property
    def present(self) -> tuple[Part, ...]:
        """The outcomes that occurred."""
        return tuple(part for part in self.parts if not part.count.zero)


def tally_view(counts: Tally, pointer: str, quotes: Quotes, catalog: Catalog) -> TallyView:
    """The view of the tally that stands at `pointer` of run.json."""
    parts = tuple(Part(outcome(item, catalog), quotes.at(f"{pointer}/{item.name}")) for item in Outcome)
    return TallyView(
        planned=quotes.at(f"{pointer}/planned"),
        accepted=quotes.at(f"{pointer}/accepted"),
        rejected=quotes.at(f"{pointer}/rejected"),
        parts=parts,
        superseded=quotes.at(f"{pointer}/superseded"),
        passed_after_cap=quotes.at(f"{pointer}/passed_after_cap"),
        excluded=quotes.at(f"{pointer}/excluded"),
        segments=segments([(part.mark, counts.of(item)) for part, item in zip(parts, Outcome, strict=True)]),
    )


def segments(counts: Sequence[tuple[Mark, int]]) -> tuple[Segment, ...]:
    """Stretches in proportion to the counts; edges are rounded, so nothing overlaps or is left over."""
    total = sum(number for _, number in counts)
    found: list[Segment] = []
    before = 0
    for mark, number in counts:
        if number:
            start = before * STRIP_WIDTH // total
            end = (before + number) * STRIP_WIDTH // total
            found.append(Segment(start, end - start, mark, mark.tone in ("broken", "hold", "set-aside")))
        before += number
    return tuple(found)
