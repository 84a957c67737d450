"""Every limit that the benchmarks hold, in one place, and where it comes from.

A limit is a ratio to something measured in the same run, or a size. Seconds are guides for a quiet machine of two
cores: they are printed and never judged.
"""

from dataclasses import dataclass
from enum import StrEnum


class Source(StrEnum):
    """Who asks for a limit."""

    goal = "the figures of the full site (docs/bench.md)"
    guard = "what was measured, with head-room: slower would be told"


@dataclass(frozen=True, slots=True)
class Limit:
    """One figure, at most so much."""

    most: float
    unit: str
    guide: str = ""
    """What a quiet machine should show, in words."""
    source: Source = Source.goal


TABLE = Limit(1 / 3, "of the peer")
BUILD = Limit(7, "times the peer", "the study's pages in under 4 s", Source.guard)
LINEAR = Limit(11, "times", "100,000 attempts in at most 11 times the time of 10,000")
INTERACTIVE = Limit(1 / 3, "of the peer", "under 0.5 s")
FILTER = Limit(1 / 3, "of the peer", "under 0.05 s")
FOLDER = Limit(5.0, "MB")
MEMORY = Limit(500.0, "MB")
COMPLAINTS = Limit(0, "requests and complaints")
ATTEMPTS_PROCESSES = Limit(48, "times a bare process", source=Source.guard)
ATTEMPTS_OVERHEAD = Limit(32, "times a bare process", "under 15 ms", Source.guard)
ATTEMPTS_SIDE_BY_SIDE = Limit(60, "times the bare processes", "1,000 in under 60 s, where as many processes take 1 s")
HARNESS = Limit(1.02, "of a bare spawn", "4 ms more at most")
ATTEMPTS_MEMORY = Limit(3, "times that of 100", "flat", Source.guard)

GUIDE_SORT = "under 0.05 s"
GUIDE_LARGE = {"interactive": "under 1 s", "sort": "under 0.15 s", "filter": "under 0.1 s"}
GUIDE_SEARCH = {"first": "under 0.3 s", "later": "under 0.05 s"}
