"""All that is recorded of the attempts of a run, in no language, each read when it is asked for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import TypeAdapter

from runner.contract.attempt import Attempt, Verdict
from runner.contract.canonical import parse_record
from runner.contract.comparison.detail import ComparisonDetail, KnownAgent
from runner.contract.comparison.ledger import DIFFERENCE_KIND, Ledger
from runner.contract.comparison.observation import LEDGER_FILE
from runner.contract.events import Event
from runner.contract.evidence import Commitment, Timing
from runner.contract.seal import digest
from sitegen.sources import RunSource, once_a_run

_LEDGER: TypeAdapter[Ledger] = TypeAdapter(Ledger)


@dataclass(frozen=True, slots=True)
class Judged:
    """The documents of an attempt at a comparison that was judged."""

    ledger: Ledger
    folder: str
    """Where its artifacts lie in the run."""
    difference_file: str
    difference: str
    """What the agent changed, as a unified diff."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """All that is recorded of one attempt, in no language."""

    number: int
    """Its line, from 1."""
    attempt: Attempt
    timing: Timing
    events: tuple[Event, ...]
    lines: tuple[tuple[str, str], tuple[str, str]]
    """Its lines of attempts.jsonl and of timings.jsonl, each with its SHA-256."""
    judged: Judged | None
    """What a comparison publishes of it beside its events; None where nothing was judged."""


def recorded(run: RunSource, wanted: range) -> Iterator[Recorded]:
    """The attempts of these indexes, in their order, each read when it is asked for.

    Raises `SealMismatchError` for what is no longer as it was sealed.
    """
    sealed = run.sealed
    rows = zip(wanted, sealed.attempts.quoted(wanted), sealed.timings.quoted(wanted), strict=True)
    for index, (attempt, line), (timing, times) in rows:
        events = sealed.events_in(attempt.events) if attempt.events else ()
        lines = (line.decode(), digest(line)), (times.decode(), digest(times))
        yield Recorded(index + 1, attempt, timing, events, lines, _judged(run, attempt))


def _judged(run: RunSource, attempt: Attempt) -> Judged | None:
    folder = f"artifacts/{attempt.attempt}"
    path = f"{folder}/{LEDGER_FILE}"
    reached = all(item.verdict is not Verdict.not_reached for item in attempt.criteria)
    if not (reached and isinstance(attempt.detail, ComparisonDetail) and isinstance(attempt.detail.who, KnownAgent)):
        return None  # as the reader has it: of no other attempt is the ledger known to be one
    ledger = parse_record(_LEDGER, run.sealed.data(path), file=path)
    difference = next(f"{folder}/{item.path}" for item in ledger.artifacts if item.kind == DIFFERENCE_KIND)
    return Judged(ledger, folder, difference, run.sealed.data(difference).decode(errors="replace"))


@once_a_run
def committed(run: RunSource) -> Mapping[str, range]:
    """Which lines of commitments.jsonl, from 0, belong to each attempt that has some, in the order of the file."""
    spans: dict[str, range] = {}
    for at, item in enumerate(run.sealed.commitments):
        spans[item.attempt] = range(spans.get(item.attempt, range(at, at)).start, at + 1)
    return spans


def commitments(run: RunSource, attempt: str) -> tuple[Commitment, ...]:
    """What exists of an attempt and is not published."""
    lines = committed(run).get(attempt, range(0))
    return tuple(run.sealed.commitments[lines.start : lines.stop]) if lines else ()
