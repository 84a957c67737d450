"""The durable journal of one run: which attempts were started, and which are done.

Order: start record, synced → the attempt's files → its attempt file, written once → done
record, synced → and only then is the attempt acknowledged. After a crash the valid prefix
stands. A torn last line is cut; a bad line before a good one is no crash but damage, and
the ledger is kept as it is. What an attempt holds is not known here: only its name and bytes.
"""

import fcntl
import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

import rfc8785

from runner.errors import CorruptLedgerError, RunInUseError
from runner.store import put, storing, sweep, sync_folder, write_all

LEDGER_FILE = "ledger.jsonl"
ATTEMPTS_FOLDER = "attempts"
LOCK_FILE = "lock"
_LINE = re.compile(rb"^([0-9a-f]{64}) (\{.*\})\n$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger."""

    record: Literal["start", "done"]
    attempt: str
    at_ns: int
    """When, in nanoseconds from the run's start."""
    sha256: str
    """Of the attempt file; empty in a start record."""

    def line(self) -> bytes:
        """This entry as it stands in the file: digest, space, canonical JSON, line feed."""
        fields: dict[str, str | int] = {"record": self.record, "attempt": self.attempt, "at_ns": self.at_ns}
        if self.record == "done":
            fields["sha256"] = self.sha256
        body = rfc8785.dumps(fields)
        return hashlib.sha256(body).hexdigest().encode() + b" " + body + b"\n"

    @classmethod
    def parse(cls, line: bytes) -> Self | None:
        """The entry on a whole line, or None if the line is not exactly one."""
        match = _LINE.match(line)
        if match is None or hashlib.sha256(match[2]).hexdigest().encode() != match[1]:
            return None
        try:
            fields = json.loads(match[2])
            entry = cls(fields["record"], fields["attempt"], fields["at_ns"], fields.get("sha256", ""))
            return entry if entry.line() == line else None
        except (ValueError, KeyError, TypeError):
            return None


@dataclass(frozen=True, slots=True)
class Prefix:
    """What of a ledger's bytes can be relied on."""

    entries: tuple[Entry, ...]
    length: int
    """How many bytes of the file are valid; what follows is a torn tail."""


def read_prefix(data: bytes, *, file: str = LEDGER_FILE) -> Prefix:
    """The valid prefix of a ledger. Pure; serves the runner and whoever looks at a run in progress.

    Raises `CorruptLedgerError` for damage that no crash explains.
    """
    entries: list[Entry] = []
    started: set[str] = set()
    open_now: set[str] = set()
    length = 0
    lines = [line for line in re.split(rb"(?<=\n)", data) if line]
    for number, line in enumerate(lines, 1):
        entry = Entry.parse(line)
        if entry is None:
            if number < len(lines):
                what = "not a valid record, and more follows: no crash does that"
                raise CorruptLedgerError(what, _KEPT, where=f"{file}: line {number}")
            break
        if problem := _out_of_order(entry, started, open_now):
            raise CorruptLedgerError(problem, _KEPT, where=f"{file}: line {number}")
        entries.append(entry)
        length += len(line)
    return Prefix(tuple(entries), length)


_KEPT = "the file is kept as it is; start a new run with --new"


def _out_of_order(entry: Entry, started: set[str], open_now: set[str]) -> str | None:
    """What of an entry does not fit those before it; otherwise it is noted. Several attempts may be open at once."""
    if entry.record == "start":
        if entry.attempt in started:
            return f"{entry.attempt} is started twice"
        started.add(entry.attempt)
        open_now.add(entry.attempt)
        return None
    if entry.attempt not in started:
        return f"{entry.attempt} is done, and it was never started"
    if entry.attempt not in open_now:
        return f"{entry.attempt} is done twice"
    open_now.remove(entry.attempt)
    return None


class Ledger:
    """The open ledger of one run. It holds the run's lock until it is closed."""

    def __init__(self, folder: Path) -> None:
        """Open or create the ledger in `folder`, cut a torn tail, and acknowledge what was complete.

        Raises `RunInUseError`, `CorruptLedgerError` or `StorageError`.
        """
        self.folder = folder
        self.done: dict[str, str] = {}
        """Attempt to the SHA-256 of its attempt file, in the order in which they were done."""
        self.interrupted: list[Entry] = []
        """The starts of attempts that a crash cut off: they have no attempt file. `keep` one for each."""
        self._lock = _lock(folder)
        try:
            self._file, entries = _open(folder / LEDGER_FILE)
        except BaseException:
            os.close(self._lock)
            raise
        try:
            self._recover(entries)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file and of the lock."""
        os.close(self._file)
        os.close(self._lock)

    def path(self, attempt: str) -> Path:
        """The attempt file of an attempt."""
        return self.folder / ATTEMPTS_FOLDER / f"{attempt}.json"

    def start(self, attempt: str, at_ns: int) -> None:
        """Record that an attempt begins. Call it before the attempt touches anything.

        Raises ValueError if an attempt that a crash cut off has not been kept yet.
        """
        if self.interrupted:
            raise ValueError(f"{self.interrupted[0].attempt} was interrupted: keep a file for it first")
        self._append(Entry("start", attempt, at_ns, ""))

    def keep(self, attempt: str, data: bytes, at_ns: int) -> None:
        """Write the attempt file once and record that it is done. On return it is acknowledged."""
        put(self.path(attempt), data)
        self._acknowledge(attempt, data, at_ns)

    def read(self, attempt: str) -> bytes:
        """The attempt file of a done attempt. Raises `CorruptLedgerError` if its bytes differ."""
        with storing(self.path(attempt)):
            data = self.path(attempt).read_bytes()
        if hashlib.sha256(data).hexdigest() != self.done[attempt]:
            what = "differs from what the ledger acknowledged"
            raise CorruptLedgerError(what, _KEPT, where=f"{ATTEMPTS_FOLDER}/{attempt}.json")
        return data

    def _acknowledge(self, attempt: str, data: bytes, at_ns: int) -> None:
        sha256 = hashlib.sha256(data).hexdigest()
        self._append(Entry("done", attempt, at_ns, sha256))
        self.done[attempt] = sha256
        self.interrupted = [entry for entry in self.interrupted if entry.attempt != attempt]

    def _append(self, entry: Entry) -> None:
        with storing(self.folder / LEDGER_FILE):
            write_all(self._file, entry.line())
            os.fsync(self._file)

    def _recover(self, entries: tuple[Entry, ...]) -> None:
        with storing(self.folder):
            attempts = self.folder / ATTEMPTS_FOLDER
            attempts.mkdir(mode=0o700, exist_ok=True)
            sync_folder(self.folder)
            sweep(attempts)
            found = {path.stem for path in attempts.iterdir()}
        self.done = {entry.attempt: entry.sha256 for entry in entries if entry.record == "done"}
        started = [entry for entry in entries if entry.record == "start"]
        undone = [entry for entry in started if entry.attempt not in self.done]
        if unknown := sorted(found - {entry.attempt for entry in started}):
            what = "no start record names this attempt"
            raise CorruptLedgerError(what, _KEPT, where=f"{ATTEMPTS_FOLDER}/{unknown[0]}.json")
        if lost := sorted(set(self.done) - found):
            what = "the ledger acknowledged this file, and it is gone"
            raise CorruptLedgerError(what, _KEPT, where=f"{ATTEMPTS_FOLDER}/{lost[0]}.json")
        for attempt in self.done:
            self.read(attempt)
        for entry in undone:
            if entry.attempt in found:
                with storing(self.path(entry.attempt)):
                    data = self.path(entry.attempt).read_bytes()
                    sync_folder(attempts)
                self._acknowledge(entry.attempt, data, entry.at_ns)
            else:
                self.interrupted.append(entry)


def _lock(folder: Path) -> int:
    with storing(folder / LOCK_FILE):
        descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        todo = "wait for it, or start another run with --new"
        raise RunInUseError("another process is performing this run", todo, where=folder.name) from error
    return descriptor


def _open(path: Path) -> tuple[int, tuple[Entry, ...]]:
    """The ledger's descriptor at its end, and its entries; a torn tail is cut off first."""
    with storing(path):
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(path, flags, 0o600)
    try:
        with storing(path):
            sync_folder(path.parent)
            data = path.read_bytes()
        prefix = read_prefix(data)
        if prefix.length < len(data):
            with storing(path):
                os.ftruncate(descriptor, prefix.length)
                os.fsync(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, prefix.entries
