"""Samples that are requests to a running daemon: one daemon of each variant, a warm series, a burst, and its memory."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from runner.contract.events import Exited
from runner.contract.parity.measurement import step_of
from runner.contract.parity.samples import DaemonSamples, Failed, MemoryReading, Taken
from runner.contract.parity.timing import Measure, TimingProtocol
from runner.contract.parity.variant import AnyVariant
from runner.kinds.parity.client import Client
from runner.kinds.parity.row import LATE, NO_DAEMON, DaemonRow
from runner.kinds.parity.sampling import Answers
from runner.sandbox.process_table import look, memory_of

IDLE_SECONDS = 1.0
"""How long a daemon that has answered once has nothing to do before its memory is read."""


def requests(measured: DaemonRow, variant: AnyVariant, client: Path, cold: Sequence[Taken | Failed]) -> DaemonSamples:
    """Start a daemon outside of what is timed, send it the warm requests and the burst, and stop it.

    `cold` are the variant's cold starts, which were taken before.
    """
    begun = measured.row.begin(variant)
    found = _requests(measured, variant, client, tuple(cold)) if begun else _none(measured.timing, variant, cold, LATE)
    measured.row.tell(Measure.warm, variant, found.warm)
    measured.row.tell(Measure.burst, variant, found.burst)
    return found


def _requests(measured: DaemonRow, variant: AnyVariant, file: Path, cold: tuple[Taken | Failed, ...]) -> DaemonSamples:
    row, timing = measured.row, measured.timing
    stage = row.stage
    started = stage.call(step_of(variant.id, measured.ask.id), stage.arguments(measured.daemon.ask, row.backend))
    begin = measured.process()
    if begin is None or started.end != Exited(code=measured.ask.expect.exit):
        measured.end(variant)
        return _none(timing, variant, cold, NO_DAEMON)
    entry = look(begin)
    time.sleep(IDLE_SECONDS)
    memory = _memory(begin, "idle")
    client = Client(stage, measured.daemon, timing.request, row.backend, file)
    answers = Answers(measured.ask.expect.exit)
    warm = client.ask(step_of(variant.id, "warm"), timing.warm, answers)
    burst = client.ask(step_of(variant.id, "burst"), timing.burst, answers)
    memory += _memory(begin, "after-burst")
    others = [pid for pid in (*warm.processes, *burst.processes, measured.process() or 0) if pid != begin]
    now = look(begin)
    # A process id may be given again: only with the moment of its start it names one process.
    same = entry is not None and now is not None and now.started == entry.started
    measured.end(variant)
    return DaemonSamples(
        variant=variant.id,
        cold=cold,
        warm=warm.samples,
        burst=burst.samples,
        memory=memory,
        process_begin=begin,
        process_end=others[-1] if others else begin if same else 0,
    )


def _memory(pid: int, when: Literal["idle", "after-burst"]) -> tuple[MemoryReading, ...]:
    """One reading; none if the process is gone."""
    found = memory_of(pid)
    if found is None:
        return ()
    return (MemoryReading(when=when, resident_bytes=found.resident_bytes, highest_bytes=found.highest_bytes),)


def _none(timing: TimingProtocol, variant: AnyVariant, cold: Sequence[Taken | Failed], why: Failed) -> DaemonSamples:
    """No request was sent."""
    return DaemonSamples(
        variant=variant.id,
        cold=tuple(cold),
        warm=(why,) * timing.warm,
        burst=(why,) * timing.burst,
        memory=(),
        process_begin=0,
        process_end=0,
    )
