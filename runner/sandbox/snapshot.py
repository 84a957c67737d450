"""What a candidate's folder holds, entry by entry with digests, whatever it put there.

Links are named with their target's spelling and not followed; FIFOs, sockets and devices are named and not
opened; a file that is too large has a length and no digest. Two equal snapshots mean equal folders.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from runner.sandbox.containment import Contained, Refusal, digest_of, why_refused

FILE_BYTES = 64 * 1024 * 1024
ENTRIES = 100_000
_DEPTH = 64


class What(StrEnum):
    """What stands at a path."""

    file = "file"
    folder = "folder"
    link = "link"
    other = "other"
    """A FIFO, socket or device."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One entry. `bytes` and `sha256` are those of a file, or of a link's target as it is spelled."""

    path: str
    r"""Relative to the folder; a byte that is not UTF-8 stands as `\xNN`, and a backslash as two."""
    what: What
    bytes: int
    sha256: str
    """Empty for a folder, for a special file, and where `refused` says why there is none."""
    executable: bool
    refused: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All entries, in the order of their paths."""

    entries: tuple[Seen, ...]
    complete: bool
    """False where there were more entries, or deeper folders, than anybody looks at."""

    @property
    def sha256(self) -> str:
        """Over every entry with all that is told of it."""
        found = hashlib.sha256(str(self.complete).encode())
        for seen in self.entries:
            told = (seen.path, seen.what, seen.bytes, seen.sha256, seen.executable, seen.refused or "")
            found.update("\0".join(map(str, told)).encode("utf-8") + b"\n\0")
        return found.hexdigest()

    def by_path(self) -> dict[str, Seen]:
        """The entries by their paths."""
        return {seen.path: seen for seen in self.entries}

    def changed_since(self, earlier: "Snapshot") -> tuple[str, ...]:
        """The paths that came, went, or are not what they were, sorted."""
        before, now = earlier.by_path(), self.by_path()
        return tuple(sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path)))


def spelled(name: str) -> str:
    """A name as text that evidence can hold, which no other name has."""
    return os.fsencode(name).replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")


def name_of(path: str) -> str:
    """The path that is spelled so, as the file system takes it."""

    def byte(found: re.Match[bytes]) -> bytes:
        return bytes.fromhex(found[1].decode()) if found[1] else b"\\"

    return os.fsdecode(re.sub(rb"\\(?:\\|x([0-9a-f]{2}))", byte, path.encode()))


def snapshot(folder: Contained, *, file_bytes: int = FILE_BYTES, entries: int = ENTRIES) -> Snapshot:
    """Look at everything below a folder. `file_bytes` is the longest file that is read.

    Raises OSError for what no candidate can bring about, such as too many open files.
    """
    found: list[Seen] = []
    complete = True
    for seen in _below(os.dup(folder.handle), "", file_bytes, 0):
        if seen is None or len(found) == entries:
            complete = False
            break
        found.append(seen)
    return Snapshot(tuple(sorted(found, key=lambda seen: seen.path)), complete)


def _below(handle: int, prefix: str, most: int, depth: int) -> Iterator[Seen | None]:
    """Every entry below an open folder, which is closed at the end; None where it goes too deep."""
    try:
        for name in sorted(os.listdir(handle)):
            path = prefix + spelled(name)
            try:
                mode = os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode
                yield _seen(handle, name, path, mode, most)
            except FileNotFoundError:
                continue  # somebody still works there: it is gone already
            except OSError as error:
                why_refused(error)
                yield None  # its folder is locked by its owner, or it was swapped while it was looked at
                return
            if stat.S_ISDIR(mode):
                if depth == _DEPTH:
                    yield None
                    return
                try:
                    below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=handle)
                except OSError as error:
                    why_refused(error)
                    yield None  # locked by its owner, or swapped for something else
                    return
                yield from _below(below, f"{path}/", most, depth + 1)
    finally:
        os.close(handle)


def _seen(handle: int, name: str, path: str, mode: int, most: int) -> Seen:
    if stat.S_ISDIR(mode):
        return Seen(path, What.folder, 0, "", executable=False)
    if stat.S_ISLNK(mode):
        target = os.fsencode(os.readlink(name, dir_fd=handle))
        return Seen(path, What.link, len(target), hashlib.sha256(target).hexdigest(), executable=False)
    if not stat.S_ISREG(mode):
        return Seen(path, What.other, 0, "", executable=False)
    executable = bool(mode & stat.S_IXUSR)
    digested = digest_of(handle, name, most)
    if isinstance(digested, Refusal):
        length = os.stat(name, dir_fd=handle, follow_symlinks=False).st_size
        return Seen(path, What.file, length, "", executable=executable, refused=digested)
    return Seen(path, What.file, *digested, executable=executable)
