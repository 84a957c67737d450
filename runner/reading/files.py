"""Opens single files of a folder that nobody vouches for, and measures them."""

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from runner.contract.canonical import MAX_BYTES
from runner.contract.errors import Problem, SealMismatchError
from runner.contract.values import FileDigest

RESTORE = "restore the sealed bytes"
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class VerifiedFile:
    """One sealed file. Its bytes are compared with the seal again each time they are read."""

    path: Path
    shown: str
    """How messages call it."""
    sealed: FileDigest

    def data(self) -> bytes:
        """All bytes at once. Raises `SealMismatchError` if they are not the sealed ones."""
        return b"".join(self.pieces())

    def pieces(self) -> Iterator[bytes]:
        """All bytes, a mebibyte at a time. Raises as `lines` does."""
        return self._compared(lambda stream: stream.read(_CHUNK))

    def lines(self) -> Iterator[bytes]:
        """Each line with its line feed; one longer than a JSON document may be comes in pieces.

        Raises `SealMismatchError` at the end if the whole was not what is sealed.
        """
        return self._compared(lambda stream: stream.readline(MAX_BYTES + 1))

    def _compared(self, read: Callable[[BinaryIO], bytes]) -> Iterator[bytes]:
        whole = hashlib.sha256()
        try:
            with open_regular(self.path) as stream:
                while piece := read(stream):
                    whole.update(piece)
                    yield piece
        except OSError as error:
            raise SealMismatchError(Problem(self.shown, "", said(error), RESTORE)) from error
        if whole.hexdigest() != self.sealed.sha256:
            what = "changed after it was compared with the seal"
            raise SealMismatchError(Problem(self.shown, "", what, "verify again"))


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading. A link, a FIFO or a device is an OSError and is never waited for."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "not a regular file", str(path))
    return os.fdopen(descriptor, "rb")


def measure(path: Path, name: str) -> FileDigest:
    """Length and digest of a file, which is called `name`. Raises OSError."""
    whole = hashlib.sha256()
    length = 0
    with open_regular(path) as stream:
        while chunk := stream.read(_CHUNK):
            whole.update(chunk)
            length += len(chunk)
    return FileDigest(path=name, bytes=length, sha256=whole.hexdigest())


def digest_with_line_feeds(path: Path) -> str | None:
    """The digest after CRLF→LF conversion; None where nothing would be converted."""
    with open_regular(path) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES or b"\r\n" not in data:
        return None
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def said(error: OSError) -> str:
    """What the system said, in a few words."""
    if error.errno == errno.ELOOP:
        return "a symbolic link"
    return (error.strerror or type(error).__name__).lower()
