"""Write-once files that survive a crash whole or not at all.

A file is written under a temporary name, synced, linked to its final name (which fails if
that is taken) and only then visible. Nothing here overwrites, and nothing here reads JSON.
"""

import errno
import fcntl
import hashlib
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from runner.errors import StorageError

PART = ".part"
"""Ends the temporary name of a file that is being written."""
_CHUNK = 1024 * 1024
GIT_ATTRIBUTES = ".gitattributes"
_UNTOUCHED = b"# Sealed bytes: git must not change a single line end.\n* -text\n"
_REMEDIES = {
    errno.ENOSPC: "free some space, then resume",
    errno.EDQUOT: "free some space, then resume",
    errno.EACCES: "make it writable, then resume",
    errno.EROFS: "make it writable, then resume",
    errno.EEXIST: "something else is in its place: look at it",
    errno.ENOTDIR: "something else is in its place: look at it",
}
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Say of an OSError which file it was. Raises `StorageError` from it."""
    try:
        yield
    except OSError as error:
        what = (error.strerror or type(error).__name__).lower()
        todo = _REMEDIES.get(error.errno or 0, "check the disk, then resume")
        raise StorageError(what, todo, where=path.name) from error


@contextmanager
def in_turn(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file `path` alone; whoever wants it too calls `waiting` once and waits.

    The lock ends with the process that holds it, however that ends. Raises `StorageError`.
    """
    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def put(path: Path, data: bytes) -> None:
    """Make `path` hold `data`, durably. Raises `StorageError`, also if `path` exists."""
    with storing(path):
        _publish(path, iter((data,)))


def put_all(files: Mapping[Path, bytes]) -> None:
    """Make every path hold its data, durably, each whole or not at all. Raises as `put`.

    All are written before the first is synced: the file system then has one journal to write, and not one a file.
    """
    parts: dict[Path, int] = {}
    try:
        for path, data in files.items():
            with storing(path):
                parts[path] = os.open(_part(path), _WRITE, 0o600)
                write_all(parts[path], data)
        for path, descriptor in parts.items():
            with storing(path):
                os.fsync(descriptor)
        for path in parts:
            with storing(path):
                os.link(_part(path), path, follow_symlinks=False)
    finally:
        for path, descriptor in parts.items():
            os.close(descriptor)
            _part(path).unlink()
    for folder in dict.fromkeys(path.parent for path in parts):
        with storing(folder):
            sync_folder(folder)


def put_copy(path: Path, source: Path) -> None:
    """Make `path` hold what the regular file `source` holds; a link or a device is refused."""
    with _regular(source) as stream, storing(path):
        _publish(path, iter(lambda: stream.read(_CHUNK), b""))


def copy(path: Path, source: Path) -> str:
    """Like `put_copy`, in a folder that nobody sees before all of it is durable. Returns the SHA-256 of the bytes."""
    whole = hashlib.sha256()
    with _regular(source) as stream, storing(path):
        descriptor = os.open(path, _WRITE, 0o600)
        try:
            while chunk := stream.read(_CHUNK):
                whole.update(chunk)
                write_all(descriptor, chunk)
        finally:
            os.close(descriptor)
    return whole.hexdigest()


@contextmanager
def _regular(source: Path) -> Iterator[BinaryIO]:
    with storing(source):
        # O_NONBLOCK: a FIFO must be refused and not waited for.
        descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise StorageError("not a regular file", "keep regular files only", where=source.name)
        yield stream


@contextmanager
def growing(path: Path) -> Iterator[Callable[[bytes], None]]:
    """Make `path` hold what is written meanwhile, durably, or nothing if that does not come to its end."""
    with storing(path), _growing(path) as write:
        yield write


def make_folder(path: Path, *, below: Path) -> None:
    """Make `path` and what is missing between it and the existing folder `below`, durably."""
    if path.is_dir():  # mostly it is there, and looking at its parents takes longer than this
        return
    with storing(path):
        missing = [folder for folder in (path, *path.parents) if folder.is_relative_to(below)]
        for folder in reversed(missing):
            if folder != below and not folder.is_dir():
                folder.mkdir(mode=0o700, exist_ok=True)  # an attempt beside this one may have just made it
                sync_folder(folder.parent)


@contextmanager
def kept_folder(target: Path) -> Iterator[Path]:
    """A hidden folder to fill, which becomes `target` when the block ends well, for all to read and none to write.

    Nothing is seen of it before, nothing stays of it if the block does not end well, and what a crash left of an
    earlier one goes. The folder around it tells git to leave its bytes alone. Raises `StorageError`, also if `target`
    is there already and not empty.
    """
    part = target.with_name(f".{target.name}{PART}")
    around = target.parent
    make_folder(around, below=around.parent)
    with storing(target):
        around.chmod(0o755)
        if part.exists():
            shutil.rmtree(part)
        part.mkdir(mode=0o755)
        if not (around / GIT_ATTRIBUTES).exists():
            put(around / GIT_ATTRIBUTES, _UNTOUCHED)
            (around / GIT_ATTRIBUTES).chmod(0o644)
    try:
        yield part
        with storing(target):
            for path in part.rglob("*"):
                path.chmod(0o755 if path.is_dir() else 0o444)
            part.rename(target)
            sync_folder(around)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(folder: Path) -> None:
    """Remove files that a crash left half-written. Call it only while nobody else writes there."""
    with storing(folder):
        for path in sorted(folder.glob(f".*{PART}")):
            path.unlink()


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, however little the kernel takes at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}{PART}")


def _publish(path: Path, chunks: Iterator[bytes]) -> None:
    with _growing(path) as write:
        for chunk in chunks:
            write(chunk)


@contextmanager
def _growing(path: Path) -> Iterator[Callable[[bytes], None]]:
    part = _part(path)
    descriptor = os.open(part, _WRITE, 0o600)
    try:
        try:
            yield lambda data: write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.link(part, path, follow_symlinks=False)
    finally:
        part.unlink()
    sync_folder(path.parent)
