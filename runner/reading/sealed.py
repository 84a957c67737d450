"""Opens a sealed run and verifies all of it: bytes, forms, and every number counted again.

This is the one verifying reader. Whoever shows or publishes a run has it from here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter

from runner.contract.attempt import Attempt
from runner.contract.errors import ContractError, InvalidRecordError, Problem
from runner.contract.events import Event
from runner.contract.evidence import Commitment, Run, Timing
from runner.contract.plan import Plan
from runner.contract.values import FileDigest
from runner.reading.checks.attempts import check_attempts
from runner.reading.checks.events import check_events, check_timing, replaced_in
from runner.reading.checks.plan import check_plan
from runner.reading.checks.totals import check_beginning, check_commitments, check_times, check_totals
from runner.reading.folder import SealedFolder, open_sealed_folder
from runner.reading.records import read_document, read_rows

_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


@dataclass(frozen=True, slots=True)
class SealedRun:
    """A sealed run, verified."""

    folder: Path
    run: Run
    plan: Plan
    attempts: tuple[Attempt, ...]
    timings: tuple[Timing, ...]
    """One an attempt, in the same order."""
    commitments: tuple[Commitment, ...]
    files: tuple[FileDigest, ...]
    """Every sealed file, in the order of SHA256SUMS."""
    seal_sha256: str
    """Of SHA256SUMS itself: it stands for the whole run."""
    sealed: SealedFolder

    def line_of(self, attempt_id: str) -> int:
        """The attempt's line in attempts.jsonl, from 1. Raises KeyError if it has none."""
        for number, attempt in enumerate(self.attempts, 1):
            if attempt.attempt == attempt_id:
                return number
        raise KeyError(attempt_id)

    def attempt(self, attempt_id: str) -> Attempt:
        """The attempt of this name. Raises KeyError if there is none."""
        return self.attempts[self.line_of(attempt_id) - 1]

    def events(self, attempt_id: str) -> tuple[Event, ...]:
        """What happened in an attempt, read and compared with the seal again.

        Raises `SealMismatchError` if the file has changed since, KeyError for an unknown attempt.
        """
        path = self.attempt(attempt_id).events
        if path is None:
            return ()
        problems: list[Problem] = []
        events = read_rows(_EVENT, self.sealed.file(path), problems)
        if problems:
            raise InvalidRecordError(*problems)
        return events

    def data(self, path: str) -> bytes:
        """The bytes of a sealed file. Raises `SealMismatchError` if they have changed since."""
        return self.sealed.file(path).data()


def open_run(folder: Path, *, name: str | None = None) -> SealedRun:
    """Open the sealed run in `folder`; `name` is how messages call the folder.

    Raises `ContractError` with every problem, each by file and line. What is only meaningful
    once the forms are right is checked once they are.
    """
    shown = name or folder.name
    sealed = open_sealed_folder(folder, shown)
    problems: list[Problem] = []
    run = read_document(Run, sealed.file("run.json"), problems)
    plan = read_document(Plan, sealed.file("plan.json"), problems)
    attempts = read_rows(Attempt, sealed.file("attempts.jsonl"), problems)
    timings = read_rows(Timing, sealed.file("timings.jsonl"), problems)
    commitments = read_rows(Commitment, sealed.file("commitments.jsonl"), problems)
    if problems or run is None or plan is None:
        raise InvalidRecordError(*problems)
    opened = SealedRun(
        folder=folder,
        run=run,
        plan=plan,
        attempts=attempts,
        timings=timings,
        commitments=commitments,
        files=tuple(sealed.files.values()),
        seal_sha256=sealed.seal_sha256,
        sealed=sealed,
    )
    problems += (replace(problem, file=f"{shown}/{problem.file}") for problem in _records(opened))
    problems += _events(opened)
    if problems:
        raise InvalidRecordError(*problems)
    return opened


def _records(opened: SealedRun) -> Iterator[Problem]:
    run, plan, attempts = opened.run, opened.plan, opened.attempts
    yield from check_plan(plan)
    yield from check_attempts(plan, attempts)
    yield from check_beginning(run, plan, opened.sealed.files["plan.json"].sha256, attempts)
    yield from check_totals(run, plan, attempts)
    yield from check_times(run, attempts, opened.timings)
    yield from check_commitments(attempts, opened.commitments)
    named = {path for a in attempts for path in (a.events, *a.artifacts) if path is not None}
    present = {path for path in opened.sealed.files if "/" in path}
    for path in sorted(named - present):
        yield Problem(path, "", "an attempt names it, and it is not there", "do not rely on this run")
    for path in sorted(present - named):
        yield Problem(path, "", "belongs to no attempt", "do not rely on this run")


def _events(opened: SealedRun) -> Iterator[Problem]:
    """Problems of every events file, which are read one after the other and not kept."""
    timing_of = {timing.attempt: (n, timing) for n, timing in enumerate(opened.timings, 1)}
    shown = opened.sealed.shown
    replaced = 0
    for attempt in opened.attempts:
        if attempt.events is not None and attempt.events not in opened.sealed.files:
            continue
        try:
            events = opened.events(attempt.attempt)
        except ContractError as error:
            yield from error.problems
            continue
        replaced += replaced_in(events)
        found = [*check_events(attempt, events)]
        if attempt.attempt in timing_of:
            found += check_timing(*timing_of[attempt.attempt], len(events))
        yield from (replace(problem, file=f"{shown}/{problem.file}") for problem in found)
    if replaced > opened.run.replaced:
        what = f"{opened.run.replaced} stated, the events alone give {replaced}"
        yield Problem(f"{shown}/run.json", "replaced", what, "do not rely on this run")
