"""Samples that are requests to a running daemon: one daemon of each variant, a warm series, a burst, and its memory."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from runner.contract.events import Exited
from runner.contract.parity.design import Variant
from runner.contract.parity.measurement import step_of
from runner.contract.parity.samples import DaemonSamples, Failed, MemoryReading, Taken
from runner.contract.parity.timing import Measure
from runner.kinds.parity.client import Client
from runner.kinds.parity.row import LATE, NO_DAEMON, Row
from runner.kinds.parity.sampling import Answers
from runner.sandbox.process_table import look, memory_of

IDLE_SECONDS = 1.0
"""How long a daemon that has answered once has nothing to do before its memory is read."""


def requests(row: Row, variant: Variant, client: Path, cold: Sequence[Taken | Failed]) -> DaemonSamples:
    """Start a daemon outside of what is timed, send it the warm requests and the burst, and stop it.

    `cold` are the variant's cold starts, which were taken before.
    """
    found = _requests(row, variant, client, tuple(cold)) if row.begin(variant) else _none(row, variant, cold, LATE)
    row.tell(Measure.warm, variant, found.warm)
    row.tell(Measure.burst, variant, found.burst)
    return found


def _requests(row: Row, variant: Variant, file: Path, cold: tuple[Taken | Failed, ...]) -> DaemonSamples:
    stage = row.stage
    started = stage.call(step_of(variant.id, row.ask.id), stage.arguments(row.daemon.ask, row.backend))
    begin = row.daemon_process()
    if begin is None or started.end != Exited(code=row.ask.expect.exit):
        row.end(variant, daemon=True)
        return _none(row, variant, cold, NO_DAEMON)
    entry = look(begin)
    time.sleep(IDLE_SECONDS)
    memory = _memory(begin, "idle")
    client = Client(stage, row.daemon, row.backend, file)
    answers = Answers(row.ask.expect.exit)
    warm = client.ask(step_of(variant.id, "warm"), row.protocol.warm, answers)
    burst = client.ask(step_of(variant.id, "burst"), row.protocol.burst, answers)
    memory += _memory(begin, "after-burst")
    others = [pid for pid in (*warm.processes, *burst.processes, row.daemon_process() or 0) if pid != begin]
    now = look(begin)
    # A process id may be given again: only with the moment of its start it names one process.
    same = entry is not None and now is not None and now.started == entry.started
    row.end(variant, daemon=True)
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


def _none(row: Row, variant: Variant, cold: Sequence[Taken | Failed], why: Failed) -> DaemonSamples:
    """No request was sent."""
    return DaemonSamples(
        variant=variant.id,
        cold=tuple(cold),
        warm=(why,) * row.protocol.warm,
        burst=(why,) * row.protocol.burst,
        memory=(),
        process_begin=0,
        process_end=0,
    )
