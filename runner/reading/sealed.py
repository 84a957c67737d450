"""Opens a sealed run and verifies all of it: bytes, forms, and every number counted again.

This is the one verifying reader. Whoever shows or publishes a run has it from here. It reads each file once and keeps
no attempt, so that a run may have more of them than fit into memory.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from runner.contract.attempt import Attempt
from runner.contract.canonical import parse_record
from runner.contract.errors import ContractError, InvalidRecordError, Problem
from runner.contract.events import Event
from runner.contract.evidence import Commitment, Run, Timing
from runner.contract.plan import Plan, Slot
from runner.contract.values import FileDigest
from runner.reading.checks.attempts import AttemptsCheck
from runner.reading.checks.beside import CommitmentsCheck, TimingsCheck
from runner.reading.checks.files import FilesCheck
from runner.reading.checks.plan import check_plan
from runner.reading.checks.totals import TotalsCheck
from runner.reading.folder import SealedFolder, open_sealed_folder
from runner.reading.records import read_document, read_rows
from runner.reading.rows import RowLog, read_log

_ATTEMPT: TypeAdapter[Attempt] = TypeAdapter(Attempt)
_TIMING: TypeAdapter[Timing] = TypeAdapter(Timing)
_COMMITMENT: TypeAdapter[Commitment] = TypeAdapter(Commitment)
_EVENT: TypeAdapter[Event] = TypeAdapter(Event)
_SHORT = 2048
"""Bytes of an event that is worth remembering: what is kept so stays below 20 MB."""


@dataclass(frozen=True, slots=True)
class SealedRun:
    """A sealed run, verified. Attempts, timings and commitments are read when they are asked for."""

    folder: Path
    run: Run
    plan: Plan
    attempts: RowLog[Attempt]
    timings: RowLog[Timing]
    """One an attempt, in the same order."""
    commitments: RowLog[Commitment]
    files: Collection[FileDigest]
    """Every sealed file, in the order of SHA256SUMS."""
    seal_sha256: str
    """Of SHA256SUMS itself: it stands for the whole run."""
    sealed: SealedFolder
    lines: Mapping[str, int]
    """The line of each attempt in attempts.jsonl, from 1, by its name."""

    current: frozenset[str]
    """The names of the attempts that count: the last one of each slot."""

    def began(self, slot: Slot) -> bool:
        """Whether there is an attempt at a planned slot."""
        return slot.attempt_id(0) in self.lines

    def line_of(self, attempt_id: str) -> int:
        """The attempt's line in attempts.jsonl, from 1. Raises KeyError if it has none."""
        return self.lines[attempt_id]

    def attempt(self, attempt_id: str) -> Attempt:
        """The attempt of this name. Raises KeyError if there is none."""
        return self.attempts[self.line_of(attempt_id) - 1]

    def timing(self, attempt_id: str) -> Timing:
        """When the attempt of this name happened. Raises KeyError if there is none."""
        return self.timings[self.line_of(attempt_id) - 1]

    def file(self, path: str) -> FileDigest:
        """Length and digest of a sealed file. Raises KeyError if there is none at `path`."""
        return self.sealed.files[path]

    def events(self, attempt_id: str) -> tuple[Event, ...]:
        """What happened in an attempt, read and compared with the seal again.

        Raises `SealMismatchError` if the file has changed since, KeyError for an unknown attempt.
        """
        path = self.attempt(attempt_id).events
        return () if path is None else self.events_in(path)

    def events_in(self, path: str) -> tuple[Event, ...]:
        """What the events file at `path` holds, for whoever has the attempt at hand. Raises as `events` does."""
        return _events(self.sealed, path)

    def data(self, path: str) -> bytes:
        """The bytes of a sealed file. Raises `SealMismatchError` if they have changed since."""
        return self.sealed.file(path).data()


def open_run(folder: Path, *, name: str | None = None) -> SealedRun:
    """Open the sealed run in `folder`; `name` is how messages call the folder.

    Raises `ContractError` with every problem, each by file and line. What is only meaningful
    once the forms are right is told once they are.
    """
    shown = name or folder.name
    sealed = open_sealed_folder(folder, shown)
    problems: list[Problem] = []
    run = read_document(Run, sealed.file("run.json"), problems)
    plan = read_document(Plan, sealed.file("plan.json"), problems)
    if run is None or plan is None:
        read_log(_ATTEMPT, sealed.file("attempts.jsonl"), problems, _ignore)
        read_log(_TIMING, sealed.file("timings.jsonl"), problems, _ignore)
        read_log(_COMMITMENT, sealed.file("commitments.jsonl"), problems, _ignore)
        raise InvalidRecordError(*problems)
    opened, found = _open(sealed, run, plan, problems)
    if problems or found:
        raise InvalidRecordError(*(problems or found))
    return opened


def moved(run: SealedRun, folder: Path) -> SealedRun:
    """A verified run whose folder has been moved to `folder` as a whole: nothing has to be verified again for that."""
    return replace(
        run,
        folder=folder,
        sealed=replace(run.sealed, path=folder),
        attempts=run.attempts.moved(folder / "attempts.jsonl"),
        timings=run.timings.moved(folder / "timings.jsonl"),
        commitments=run.commitments.moved(folder / "commitments.jsonl"),
    )


def _open(sealed: SealedFolder, run: Run, plan: Plan, forms: list[Problem]) -> tuple[SealedRun, list[Problem]]:
    """Read the lines of a run, each once, and check them; problems of form are noted in `forms`, others returned."""
    attempts_check = AttemptsCheck(plan)
    totals = TotalsCheck(run, plan, lambda path: sealed.file(path).data())
    files = FilesCheck(
        run, plan, sealed.files, sealed.shown, lambda path: _events(sealed, path), lambda path: sealed.file(path).data()
    )

    def see(number: int, attempt: Attempt) -> None:
        attempts_check.see(number, attempt)
        totals.see(number, attempt)
        files.see(number, attempt)

    attempts: RowLog[Attempt] = read_log(_ATTEMPT, sealed.file("attempts.jsonl"), forms, see)
    times = TimingsCheck(attempts_check.lines, files.events)
    timings: RowLog[Timing] = read_log(_TIMING, sealed.file("timings.jsonl"), forms, times.see)
    committed = CommitmentsCheck(attempts_check.lines)
    commitments: RowLog[Commitment] = read_log(_COMMITMENT, sealed.file("commitments.jsonl"), forms, committed.see)

    def records() -> Iterator[Problem]:
        yield from check_plan(plan)
        yield from attempts_check.end()
        yield from totals.end(sealed.files["plan.json"].sha256)
        yield from times.end(run)
        yield from committed.end()

    found = [replace(problem, file=f"{sealed.shown}/{problem.file}") for problem in records()]
    found += files.end()
    opened = SealedRun(
        folder=sealed.path,
        run=run,
        plan=plan,
        attempts=attempts,
        timings=timings,
        commitments=commitments,
        files=sealed.files.values(),
        seal_sha256=sealed.seal_sha256,
        sealed=sealed,
        lines=attempts_check.lines,
        current=frozenset(attempts_check.lines.keys() - attempts_check.superseded),
    )
    return opened, found


def _events(sealed: SealedFolder, path: str) -> tuple[Event, ...]:
    problems: list[Problem] = []
    events = read_rows(_event, sealed.file(path), problems)
    if problems:
        raise InvalidRecordError(*problems)
    return events


def _event(data: bytes, *, file: str, where: str) -> Event:
    """One event. Many are the same in every trial of a check, and a short one is read once."""
    if len(data) <= _SHORT:
        with suppress(ContractError):  # told below, with file and line
            return _short_event(data)
    return parse_record(_EVENT, data, file=file, where=where)


@lru_cache(4096)
def _short_event(data: bytes) -> Event:
    return parse_record(_EVENT, data, file="")


def _ignore(number: int, row: object) -> None:
    del number, row
