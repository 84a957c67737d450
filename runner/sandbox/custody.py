"""Finds every process of one attempt, however it hid, and ends it.

The runner is made a child subreaper, so orphans become its own children instead of init's, and
only descendants of the runner are ever looked at. One of them belongs to an attempt if it
descends from a process that the attempt started, carries the attempt's marker in its
environment, or works in the attempt's folder. An orphan that shows none of these belongs to the
only attempt in progress, or to the last of several to end.

Not covered at tier `process`: if the runner itself is killed, what it had started lives on
until a next one calls `end_abandoned`.
"""

import ctypes
import itertools
import os
import signal
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from runner.contract.seal import digest
from runner.errors import SandboxError
from runner.sandbox.process import Running, ended, reap_adopted
from runner.sandbox.process_table import (
    Entry,
    command_of,
    descendants,
    environment_of,
    folder_of,
    look,
    snapshot,
    user_of,
)

MARKER = "SEALBOOK_ATTEMPT"
GRACE_SECONDS = 0.5
"""A process that ends by itself this soon after the last step was ending, not left over."""
LIMIT_SECONDS = 20.0
_PR_SET_CHILD_SUBREAPER = 36
_numbers = itertools.count()
_open: set[str] = set()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Leftover:
    """A process that outlived its attempt and was killed."""

    pid: int
    program: str


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
        environment = environment_of(pid)
        if f"{MARKER}={self._token}".encode() in environment:
            return True
        if self._folder and (folder := folder_of(pid)) and folder.is_relative_to(self._folder):
            return True
        return orphan and not _marked(environment) and len(_open) == 1

    def stop(self, running: Running) -> None:
        """End a started process together with everything that still hangs below it."""
        table = snapshot()
        _kill(table[pid] for pid in descendants(table, [running.pid]) if pid in table)
        running.kill()

    def clear(self, *, grace_seconds: float = GRACE_SECONDS) -> tuple[Leftover, ...]:
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
        with _lock:
            _open.discard(self._token)
        _reap()
        return tuple(sorted((Leftover(*item) for item in leftovers.items()), key=lambda left: left.program))

    def _strays(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.members() if entry.pid not in self._roots)


def end_abandoned() -> tuple[Leftover, ...]:
    """End what runners that are no longer alive have left behind, and return it.

    Only processes of this user whose marker names a runner that is gone; those of a runner that
    works at the same time are never touched.
    """
    found = []
    while strays := [entry for entry in snapshot().values() if not entry.zombie and _abandoned(entry.pid)]:
        found += [Leftover(entry.pid, command_of(entry.pid)) for entry in strays]
        _kill(strays)
    return tuple(found)


def _abandoned(pid: int) -> bool:
    for pair in environment_of(pid):
        name, _, value = pair.decode("ascii", "replace").partition("=")
        if name == MARKER and (parts := value.split(".")) and len(parts) == 3:
            runner = look(int(parts[0])) if parts[0].isdecimal() else None
            return user_of(pid) == os.geteuid() and (runner is None or str(runner.started) != parts[1])
    return False


def _runner() -> str:
    """This runner, named for ever: its id and the moment it started."""
    entry = look(os.getpid())
    return f"{os.getpid()}.{entry.started if entry else 0}"


def _marked(environment: frozenset[bytes]) -> bool:
    return any(pair.startswith(f"{MARKER}=".encode()) for pair in environment)


def _kill(entries: Iterable[Entry]) -> None:
    """SIGKILL each of these very processes, wait until they are gone, and collect the adopted."""
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
        for pid, handle in handles.items():
            ended(handle, 2.0)
            reap_adopted(pid)
    finally:
        for handle in handles.values():
            os.close(handle)


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
