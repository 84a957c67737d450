"""The software's own daemon: who it says it is, whether it is gone, and how it is stopped."""

import json
import time
from dataclasses import dataclass

from runner.contract.events import Exited
from runner.contract.parity.design import Daemon
from runner.contract.qualification.judge import Judgement
from runner.kinds.parity.stage import Stage
from runner.sandbox.process import Finished
from runner.sandbox.process_table import look

GONE_SECONDS = 5.0
"""As long a daemon that was told to stop may take to be gone."""
_LOOK_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Witnessed:
    """What a daemon says of itself, and whether such a process lives."""

    pid: int
    lives: bool


def witnessed(stage: Stage, daemon: Daemon) -> Witnessed | None:
    """What the receipt says; None if there is none, or it names no process."""
    try:
        stated = json.loads((stage.run / daemon.receipt).read_bytes())
        pid = stated[daemon.pid]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Witnessed(pid, lives(pid)) if type(pid) is int and pid > 0 else None


def lives(pid: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    entry = look(pid)
    return entry is not None and not entry.zombie


def running(stage: Stage, daemon: Daemon) -> int | None:
    """The process of the daemon that runs in this attempt; None if there is none."""
    stage.look_around()
    found = witnessed(stage, daemon)
    return found.pid if found and found.lives and found.pid in stage.processes else None


def stop(
    stage: Stage, daemon: Daemon, step: str, backend: str, *, record_if_met: bool = True
) -> tuple[Judgement, Finished | None]:
    """Stop the daemon by its own command; it must end, and its receipt must say so or be gone.

    Returns how the command ended, too; None if there was no daemon of this attempt, and nothing was stopped. The
    command is recorded; without `record_if_met` only where the judgement is not met.
    """
    before = witnessed(stage, daemon)
    wanted = "its process has ended, and its receipt is gone"
    if before is None or not before.lives:
        return Judgement(False, wanted, "no daemon was running"), None
    stage.look_around()
    if before.pid not in stage.processes:
        seen = f"the receipt names process {before.pid}, which is none of this attempt"
        return Judgement(False, wanted, seen), None
    request = stage.request(stage.arguments(daemon.stop, backend), stage.environment(f"{step}-{stage.calls + 1}"))
    finished = stage.finish(stage.start(request), float(stage.caps.process_seconds))
    until = time.monotonic() + GONE_SECONDS
    while lives(before.pid) and time.monotonic() < until:
        time.sleep(_LOOK_SECONDS)
    said = _ended(stage, daemon, before.pid, finished, wanted)
    if record_if_met or not said.met:
        stage.record(step, request, finished)
    return said, finished


def _ended(stage: Stage, daemon: Daemon, pid: int, finished: Finished, wanted: str) -> Judgement:
    after = witnessed(stage, daemon)
    if lives(pid):
        return Judgement(False, wanted, f"process {pid} lives on")
    if after is not None:
        return Judgement(False, wanted, f"process {pid} has ended, and the receipt still names {after.pid}")
    if finished.end != Exited(code=0):
        return Judgement(False, wanted, "it is gone, and the command to stop it failed")
    return Judgement(True, wanted, f"process {pid} has ended, and its receipt is gone")
