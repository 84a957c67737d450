"""The attempts of a run as rows of plain values, and those rows as CSV and as JSON lines.

Words are the contract's own (`failed-to-run`), in no language. Row n stands for line n of the
sealed attempts.jsonl, in both forms.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import tee
from operator import attrgetter

from runner.contract.attempt import Attempt
from runner.contract.canonical import encode
from runner.contract.evidence import Timing
from sitegen.twins.sheet import sheet


@dataclass(frozen=True, slots=True)
class AttemptData:
    """One attempt; the field names are the CSV's header and the keys of a JSON line."""

    attempt: str
    arm: str
    task: str
    trial: int
    retry: int
    outcome: str
    reason: str | None
    """None for an accepted attempt only; an empty cell in CSV."""
    reason_at: str | None
    """The step or criterion, where there is one."""
    passed_after_cap: bool
    superseded: bool
    """A later attempt of the same slot counts instead."""
    duration_ns: int
    line: int
    """In the sealed attempts.jsonl, from 1."""


HEADER = tuple(field.name for field in fields(AttemptData))
_VALUES = attrgetter(*HEADER)


def attempt_rows(
    attempts: Iterable[Attempt], timings: Iterable[Timing], counting: Container[str]
) -> Iterator[AttemptData]:
    """One row an attempt, in the order of attempts.jsonl; those named in `counting` are not superseded."""
    for line, (attempt, timing) in enumerate(zip(attempts, timings, strict=True), 1):
        yield AttemptData(
            attempt=attempt.attempt,
            arm=attempt.arm,
            task=attempt.task,
            trial=attempt.trial,
            retry=attempt.retry,
            outcome=attempt.outcome.value,
            reason=attempt.reason.code.value if attempt.reason else None,
            reason_at=attempt.reason.at if attempt.reason else None,
            passed_after_cap=attempt.passed_after_cap,
            superseded=attempt.attempt not in counting,
            duration_ns=timing.ended_ns - timing.started_ns,
            line=line,
        )


def as_csv(rows: Iterable[AttemptData]) -> Iterator[bytes]:
    """One line a row, as `sheet` writes it."""
    return sheet(HEADER, map(_VALUES, rows))


def as_jsonl(rows: Iterable[AttemptData]) -> Iterator[bytes]:
    """One RFC 8785 object a line, each with a line feed; unknown is null, and no cell is guarded."""
    for row in rows:
        yield encode(dict(zip(HEADER, _VALUES(row), strict=True))) + b"\n"


def as_both(rows: Iterable[AttemptData], table: bytearray) -> Iterator[bytes]:
    """What `as_jsonl` gives, while `table` is filled with what `as_csv` gives: rows are read from the disk."""
    cells, objects = tee(rows)  # in step, so that one row is kept
    lines = as_csv(cells)
    table += next(lines)
    for line, said in zip(lines, as_jsonl(objects), strict=True):
        table += line
        yield said
