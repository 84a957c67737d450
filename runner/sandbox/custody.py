"""Finds every process of one attempt, however it hid, and ends it.

The runner is made a child subreaper, so orphans become its own children instead of init's, and
only descendants of the runner are ever looked at. One of them belongs to an attempt if it
descends from a process that the attempt started, carries the attempt's marker in its
environment, or works in the attempt's folder. An orphan that shows none of these belongs to the
only attempt in progress, or to the last of several to end.

If the runner itself is killed, its guardian (`guarded`) or else the next runner ends what carries the
marker and all below it. Not covered at tier `process`: an orphan that has thrown the marker away by then.
"""

import ctypes
import itertools
import os
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from runner.contract.seal import digest
from runner.errors import SandboxError
from runner.sandbox.abandoned import MARKER, Leftover, end_all, marks_of
from runner.sandbox.process import Running, reap_adopted
from runner.sandbox.process_table import Entry, command_of, descendants, folder_of, look, snapshot

GRACE_SECONDS = 0.5
"""A process that ends by itself this soon after the last step was ending, not left over."""
LIMIT_SECONDS = 20.0
_PR_SET_CHILD_SUBREAPER = 36
_numbers = itertools.count()
_open: set[str] = set()
_lock = threading.Lock()


class Custody:
    """All processes of one attempt. Close it with `clear`, whatever happened."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` is private to the attempt; None for a program of the runner's own."""
        _become_subreaper()
        self._folder = folder.resolve() if folder else None
        name = str(self._folder or f"{os.getpid()} {next(_numbers)}")
        self._token = f"{_runner()}.{digest(name.encode())[:32]}"
        self._roots: dict[int, Running] = {}
        self._opened = int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK")) - 1
        with _lock:
            _open.add(self._token)

    @property
    def marker(self) -> tuple[str, str]:
        """The variable that every process of the attempt carries."""
        return MARKER, self._token

    def adopt(self, running: Running) -> Running:
        """Note a process that the attempt has started."""
        self._roots[running.pid] = running
        return running

    def members(self) -> tuple[Entry, ...]:
        """Every living process of the attempt, in the order of their ids."""
        table = snapshot()
        me, mine = os.getpid(), os.getsid(0)
        living = {pid for pid, running in self._roots.items() if running.finished is None}
        found = descendants(table, living) | living
        for pid in descendants(table, [me]) - found:
            entry = table[pid]
            orphan = entry.parent == me and entry.session != mine and entry.started >= self._opened
            if not entry.zombie and self._owns(pid, orphan=orphan):
                found.add(pid)
        found |= descendants(table, found)
        return tuple(table[pid] for pid in sorted(found) if pid in table and not table[pid].zombie)

    def _owns(self, pid: int, *, orphan: bool) -> bool:
        marks = marks_of(pid)
        if self._token.encode() in marks:
            return True
        if self._folder and (folder := folder_of(pid)) and folder.is_relative_to(self._folder):
            return True
        # A mark that no attempt in progress has is a forged one, or one of a runner that ran inside; it exempts nobody.
        return orphan and len(_open) == 1

    def stop(self, running: Running) -> None:
        """End a started process together with everything that still hangs below it."""
        table = snapshot()
        _kill(table[pid] for pid in descendants(table, [running.pid]) if pid in table)
        running.kill()

    def clear(self, *, grace_seconds: float = GRACE_SECONDS) -> tuple[Leftover, ...]:
        """End the attempt: as `empty`, and no orphan belongs to it from now on."""
        leftovers = self.empty(grace_seconds=grace_seconds)
        with _lock:
            _open.discard(self._token)
        return leftovers

    def empty(self, *, grace_seconds: float = GRACE_SECONDS) -> tuple[Leftover, ...]:
        """Kill what is left until nothing is, and return it. Raises `SandboxError` if that fails.

        Processes that were started with `adopt` and still run are killed too and not returned:
        whoever started them knows of them.
        """
        until = time.monotonic() + grace_seconds
        while (left := self._strays()) and time.monotonic() < until:
            time.sleep(0.02)
        leftovers = {entry.pid: command_of(entry.pid) for entry in left}
        limit = time.monotonic() + LIMIT_SECONDS
        while members := self.members():
            if time.monotonic() > limit:
                raise SandboxError(
                    f"{len(members)} processes of an attempt cannot be killed",
                    "end them by hand and run again",
                    where=command_of(members[0].pid),
                )
            for entry in members:
                if entry.pid not in self._roots:
                    leftovers.setdefault(entry.pid, command_of(entry.pid))
            _kill(members)
        _reap()
        return tuple(sorted((Leftover(*item) for item in leftovers.items()), key=lambda left: left.program))

    def _strays(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.members() if entry.pid not in self._roots)


def _runner() -> str:
    """This runner, named for ever: its id and the moment it started."""
    entry = look(os.getpid())
    return f"{os.getpid()}.{entry.started if entry else 0}"


def _kill(entries: Iterable[Entry]) -> None:
    """End each of these very processes, and collect the adopted."""
    for pid in end_all(entries):
        reap_adopted(pid)


def _reap() -> None:
    """Collect every orphan that died in our care, so that no dead entry stays in the table."""
    me, mine = os.getpid(), os.getsid(0)
    for entry in snapshot().values():
        if entry.zombie and entry.parent == me and entry.session != mine:
            reap_adopted(entry.pid)


def _become_subreaper() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        reason = os.strerror(ctypes.get_errno()).lower()
        raise SandboxError(f"cannot adopt orphaned processes: {reason}", "run on Linux 3.4 or later")
