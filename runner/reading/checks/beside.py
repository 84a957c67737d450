"""Whether timings and commitments, which stand beside the attempts, are those of the attempts, in their order."""

from collections.abc import Iterator, Mapping

from runner.contract.errors import Problem
from runner.contract.evidence import Commitment, Run, Timing
from runner.reading.checks.events import check_timing
from runner.reading.checks.totals import FILE, end_of

_REMEDY = "do not rely on this run"


class TimingsCheck:
    """Whether timings name every attempt once, in order, one instant an event, and end when the run does."""

    def __init__(self, lines: Mapping[str, int], events: Mapping[int, int]) -> None:
        """Take the line of each attempt by its name, and how many events the attempt of a line has.

        Of attempts whose events cannot be read nobody knows how many there are; they stand in no entry.
        """
        self._lines = lines
        self._events = events
        self._problems: list[Problem] = []
        self._in_order = True
        self._number = 0
        self._last_ns = 0

    def see(self, number: int, timing: Timing) -> None:
        """Take the timing of line `number`."""
        line = self._lines.get(timing.attempt)
        self._in_order &= line == number
        self._number = number
        self._last_ns = max(self._last_ns, timing.ended_ns)
        if line is not None and line in self._events:
            self._problems += check_timing(number, timing, self._events[line])

    def end(self, run: Run) -> Iterator[Problem]:
        """Every problem, after the last timing."""
        if not self._in_order or self._number != len(self._lines):
            what = "does not name every attempt once, in the order of attempts.jsonl"
            yield Problem("timings.jsonl", "", what, _REMEDY)
        yield from self._problems
        if (ended_at := end_of(run.started_at, self._last_ns)) != run.ended_at:
            yield Problem(FILE, "ended_at", f"{run.ended_at} stated, the timings give {ended_at}", _REMEDY)


class CommitmentsCheck:
    """Whether each commitment belongs to an attempt, once, in the order of the attempts."""

    def __init__(self, lines: Mapping[str, int]) -> None:
        self._lines = lines
        self._problems: list[Problem] = []
        self._before = (0, "")
        self._in_order = True

    def see(self, number: int, item: Commitment) -> None:
        """Take the commitment of line `number`."""
        line = self._lines.get(item.attempt)
        if line is None:
            what = f"belongs to {item.attempt}, which is no attempt of this run"
            self._problems.append(Problem("commitments.jsonl", f"line {number}", what, _REMEDY))
        else:
            self._in_order &= self._before < (line, item.name)
            self._before = (line, item.name)

    def end(self) -> Iterator[Problem]:
        """Every problem, after the last commitment."""
        yield from self._problems
        if not self._in_order:
            yield Problem("commitments.jsonl", "", "a file stands twice or out of order", _REMEDY)
