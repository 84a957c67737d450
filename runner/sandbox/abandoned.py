"""Ends what a runner that is gone has left behind. Imports no package: the guardian runs it on its own."""

import itertools
import os
import select
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass

from runner.sandbox.process_table import (
    Entry,
    command_of,
    descendants,
    environment_of,
    look,
    snapshot,
    user_of,
    words_of,
)

MARKER = "SEALBOOK_ATTEMPT"
"""The variable that every process of an attempt is started with: runner, moment of its start, attempt."""
_LIMIT_SECONDS = 20.0
NOBODY = 65534
"""Whom root becomes before bubblewrap starts: behind `--uid` root would still be the kernel's user 0, who
may write files below /proc/sys."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """A process that outlived its attempt and was killed."""

    pid: int
    program: str


def end_abandoned() -> tuple[Leftover, ...]:
    """End what runners that are no longer alive have left behind, and return what was ended.

    Only processes of this user, or those that root has started as nobody, whose marker names a runner that is
    gone, and all below them; those of a runner that works at the same time are never touched.
    """
    found: dict[int, tuple[Entry, Leftover]] = {}
    until = time.monotonic() + _LIMIT_SECONDS
    # What the kernel holds on to cannot be ended, and must not hold up whoever wants to begin.
    while (strays := _strays()) and time.monotonic() < until:
        for entry in strays:
            found.setdefault(entry.pid, (entry, Leftover(entry.pid, command_of(entry.pid))))
        end_all(strays)
    return tuple(leftover for entry, leftover in found.values() if not _lives(entry))


def end_all(entries: Iterable[Entry]) -> tuple[int, ...]:
    """SIGKILL each of these very processes, wait until they are gone, and return their ids."""
    handles: dict[int, int] = {}
    try:
        for entry in entries:
            try:
                handle = os.pidfd_open(entry.pid)
            except OSError:
                continue
            handles[entry.pid] = handle
            # The handle names one process for ever; its number may have gone to a stranger before.
            now = look(entry.pid)
            if now is not None and now.started == entry.started:
                try:
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                except OSError:
                    continue
        for handle in handles.values():
            ended(handle, 2.0)
    finally:
        for handle in handles.values():
            os.close(handle)
    return tuple(handles)


def ended(handle: int, seconds: float) -> bool:
    """Whether the process behind a pidfd ends within so many seconds."""
    return bool(select.select([handle], [], [], seconds)[0])


def _lives(entry: Entry) -> bool:
    now = look(entry.pid)
    return now is not None and now.started == entry.started and not now.zombie


def _strays() -> list[Entry]:
    table = snapshot()
    marked = {pid for pid, entry in table.items() if not entry.zombie and _abandoned(pid)}
    return [table[pid] for pid in sorted(marked | descendants(table, marked)) if not table[pid].zombie]


def _abandoned(pid: int) -> bool:
    users = (0, NOBODY) if os.geteuid() == 0 else (os.geteuid(),)
    # One mark of a runner that is gone suffices: whoever adds another one to its own gains nothing by it.
    return any(map(_is_of_the_gone, marks_of(pid))) and user_of(pid) in users


def _is_of_the_gone(mark: bytes) -> bool:
    parts = mark.decode("ascii", "replace").split(".")
    if len(parts) != 3 or not parts[0].isdecimal():
        return False
    runner = look(int(parts[0]))
    return runner is None or str(runner.started) != parts[1]


def marks_of(pid: int) -> frozenset[bytes]:
    """The attempts that a process is marked with, in its variables or, while a jail is made, in its command line."""
    name = MARKER.encode()
    found = {pair[len(name) + 1 :] for pair in environment_of(pid) if pair.startswith(name + b"=")}
    words = words_of(pid)
    found |= {after for word, after in itertools.pairwise(words) if word == name}
    return frozenset(found)
