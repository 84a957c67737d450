"""Reads and writes of the runner in a folder that a candidate may fill with traps.

Every step of a path is opened below the one before and never through a link, so that nothing that is
swapped meanwhile leads outside. Only regular files with one name are read, after a look that opens
nothing, so that no FIFO holds the runner up and no device notices. A refusal is a value.
"""

import errno
import hashlib
import itertools
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

_PIECE = 1 << 20
_BENEATH = os.O_NOFOLLOW | os.O_CLOEXEC
_LOOK = os.O_PATH | _BENEATH
_numbers = itertools.count(1)


class Refusal(StrEnum):
    """Why a path of a candidate is not touched."""

    absolute = "absolute"
    parent = "parent"
    """It has an empty part, `.` or `..`."""
    unnameable = "unnameable"
    """No file system takes such a name: too long, or with a NUL byte or a lone surrogate."""
    link = "link"
    """A symbolic link stands somewhere on the way or at its end."""
    no_folder = "no-folder"
    """Something that is no folder stands on the way."""
    no_file = "no-file"
    """A folder, FIFO, socket or device stands at its end."""
    second_name = "second-name"
    """The file has another name, which may lie outside."""
    too_large = "too-large"
    closed = "closed"
    """The candidate has locked it."""
    no_space = "no-space"
    """The disk is full, or the candidate has used up what it was given."""
    unreadable = "unreadable"
    """The disk gives an error."""
    absent = "absent"


@dataclass(frozen=True, slots=True)
class Refused:
    """A path, as the candidate gave it, that was not touched."""

    path: str
    why: Refusal


class _Refused(Exception):  # noqa: N818  never leaves this module
    def __init__(self, why: Refusal) -> None:
        super().__init__(why)
        self.why = why


def parts_of(path: str) -> tuple[str, ...] | Refusal:
    """The parts of a relative path below a root, or why it is none. Pure: the spelling alone decides."""
    if path.startswith("/"):
        return Refusal.absolute
    parts = tuple(path.split("/"))
    if any(part in ("", ".", "..") for part in parts):
        return Refusal.parent
    try:
        encoded = [os.fsencode(part) for part in parts]
    except UnicodeEncodeError:
        return Refusal.unnameable
    if "\0" in path or any(len(part) > 255 for part in encoded) or sum(map(len, encoded)) > 4000:
        return Refusal.unnameable
    return parts


class Contained:
    """A candidate's folder, held open. Use it as a context. Raises OSError if it is no folder itself."""

    def __init__(self, folder: Path) -> None:
        self._root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._root)

    @property
    def handle(self) -> int:
        """The open folder; it stays this very folder whatever its name comes to mean."""
        return self._root

    def read(self, path: str, most: int) -> bytes | Refused:
        """The bytes of a file, if they are not more than `most`."""
        try:
            with self._parent(path, make=False) as (parent, name):
                return b"".join(_pieces(parent, name, most))
        except _Refused as refused:
            return Refused(path, refused.why)

    def write(self, path: str, data: bytes, *, mode: int | None = None) -> Refused | None:
        """Put a whole file in place, with the folders on its way. None when it is done.

        It is written under another name and renamed, so that a link that is put in its place in the last
        moment is replaced and not followed. It keeps its mode, or gets 0644, and its owner, or that of its
        folder: what root writes for a jailed program, that program can go on changing.
        """
        try:
            with self._parent(path, make=True) as (parent, name):
                owner = os.fstat(parent)
                with suppress(FileNotFoundError):
                    owner = os.stat(name, dir_fd=parent, follow_symlinks=False)
                    _check(owner)
                    mode = stat.S_IMODE(owner.st_mode) & 0o777 if mode is None else mode
                mode = 0o644 if mode is None else mode
                beside = f".sealbook-{os.getpid()}-{next(_numbers)}"
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
                stream = os.fdopen(os.open(beside, flags, mode, dir_fd=parent), "wb")
                try:
                    with stream:
                        stream.write(data)
                        _give(stream.fileno(), owner)
                        os.fchmod(stream.fileno(), mode)
                    os.rename(beside, name, src_dir_fd=parent, dst_dir_fd=parent)
                except BaseException:
                    os.unlink(beside, dir_fd=parent)
                    raise
        except _Refused as refused:
            return Refused(path, refused.why)
        except OSError as error:
            return Refused(path, why_refused(error))
        return None

    def remove(self, path: str) -> Refused | None:
        """Remove a regular file. None when it is done."""
        try:
            with self._parent(path, make=False) as (parent, name):
                _check(os.stat(name, dir_fd=parent, follow_symlinks=False))
                os.unlink(name, dir_fd=parent)
        except _Refused as refused:
            return Refused(path, refused.why)
        except OSError as error:
            return Refused(path, why_refused(error))
        return None

    @contextmanager
    def _parent(self, path: str, *, make: bool) -> Iterator[tuple[int, str]]:
        """The open folder that holds the last part of a path, and that part."""
        parts = parts_of(path)
        if isinstance(parts, Refusal):
            raise _Refused(parts)
        at = os.dup(self._root)
        try:
            for part in parts[:-1]:
                made = make and _make_folder(part, at)
                try:
                    below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | _BENEATH if made else _LOOK, dir_fd=at)
                except OSError as error:
                    raise _Refused(why_refused(error)) from error
                if made:
                    _give(below, os.fstat(at))
                os.close(at)
                at = below
                mode = os.fstat(at).st_mode
                if not stat.S_ISDIR(mode):
                    raise _Refused(Refusal.link if stat.S_ISLNK(mode) else Refusal.no_folder)
            yield at, parts[-1]
        finally:
            os.close(at)


def _make_folder(name: str, parent: int) -> bool:
    """Make a folder in an open one; False if something has that name."""
    try:
        os.mkdir(name, 0o755, dir_fd=parent)
    except FileExistsError:
        return False
    return True


def _give(handle: int, like: os.stat_result) -> None:
    """Give what was just made to another's owner. Only root can, and only root works for others."""
    if os.geteuid() == 0:
        os.fchown(handle, like.st_uid, like.st_gid)


def digest_of(parent: int, name: str, most: int) -> tuple[int, str] | Refusal:
    """Length and SHA-256 of `name` in an open folder, if it is one regular file of not more than `most` bytes."""
    total, found = 0, hashlib.sha256()
    try:
        for piece in _pieces(parent, name, most):
            total += len(piece)
            found.update(piece)
    except _Refused as refused:
        return refused.why
    return total, found.hexdigest()


def _pieces(parent: int, name: str, most: int) -> Iterator[bytes]:
    left = most
    with _opened(parent, name, most) as stream:
        while piece := _read(stream, min(_PIECE, left + 1)):
            left -= len(piece)
            if left < 0:  # it grows while it is read
                raise _Refused(Refusal.too_large)
            yield piece


def _read(stream: int, most: int) -> bytes:
    try:
        return os.read(stream, most)
    except OSError as error:
        raise _Refused(why_refused(error)) from error


@contextmanager
def _opened(parent: int, name: str, most: int) -> Iterator[int]:
    """A regular file of not more than `most` bytes, open for reading."""
    try:
        look = os.open(name, _LOOK, dir_fd=parent)
    except OSError as error:
        raise _Refused(why_refused(error)) from error
    try:
        found = os.fstat(look)
        _check(found)
        if found.st_size > most:  # a sparse file says so without a byte on the disk
            raise _Refused(Refusal.too_large)
        # The very file that was looked at, whatever its name means by now.
        try:
            stream = os.open(f"/proc/self/fd/{look}", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise _Refused(why_refused(error)) from error
    finally:
        os.close(look)
    try:
        yield stream
    finally:
        os.close(stream)


def _check(found: os.stat_result) -> None:
    """Raise `_Refused` for what is not a regular file with one name."""
    if stat.S_ISLNK(found.st_mode):
        raise _Refused(Refusal.link)
    if not stat.S_ISREG(found.st_mode):
        raise _Refused(Refusal.no_file)
    if found.st_nlink > 1:
        raise _Refused(Refusal.second_name)


def why_refused(error: OSError) -> Refusal:
    """What a candidate can bring about. Raises anything else: it is the machine's, such as too many open files."""
    if error.errno not in _WHY:
        raise error
    return _WHY[error.errno]


_WHY = {
    errno.ENOENT: Refusal.absent,
    errno.ELOOP: Refusal.link,
    errno.ENOTDIR: Refusal.no_folder,
    **dict.fromkeys((errno.EISDIR, errno.ENOTEMPTY, errno.EEXIST), Refusal.no_file),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), Refusal.closed),
    **dict.fromkeys((errno.ENAMETOOLONG, errno.EINVAL), Refusal.unnameable),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), Refusal.no_space),
    errno.EIO: Refusal.unreadable,
}
