"""What one attack comes to, and the few ways to try one. Imports the standard library alone."""

import ctypes
import errno
import os
import socket
from typing import Any, NamedTuple

LIBC = ctypes.CDLL(None, use_errno=True)
MIB = 1024 * 1024
SECONDS = 2.0
Facts = dict[str, Any]
"""What the scene tells: paths, numbers of calls, sizes."""


class Tried(NamedTuple):
    """What came of one attack."""

    did: bool
    saw: str


def reads(path: str) -> Tried:
    try:
        if os.path.isdir(path):
            return Tried(True, f"{len(os.listdir(path))} names read")
        with open(path, "rb") as stream:
            return Tried(True, f"{len(stream.read(64))} bytes read")
    except OSError as error:
        return answer(error)


def writes(path: str, data: bytes = b"sealbook", flags: int = os.O_CREAT | os.O_EXCL) -> Tried:
    try:
        handle = os.open(path, os.O_WRONLY | flags, 0o600)
        os.write(handle, data)
        os.close(handle)
        if flags & os.O_CREAT:
            os.unlink(path)
    except OSError as error:
        return answer(error)
    return Tried(True, "written")


def answer(error: OSError) -> Tried:
    return Tried(False, errno.errorcode.get(error.errno or 0, str(error)))


def calls(facts: Facts, name: str, *arguments: object) -> Tried:
    """A call of the kernel by its number. What it gives, if anything, ends with this process."""
    ctypes.set_errno(0)
    if LIBC.syscall(ctypes.c_long(facts["calls"][name]), *arguments) >= 0:
        return Tried(True, "allowed")
    return Tried(False, errno.errorcode.get(ctypes.get_errno(), "?"))


def connects(family: int, address: "tuple[str, int] | str") -> Tried:
    with socket.socket(family) as client:
        client.settimeout(SECONDS)
        try:
            client.connect(address)
        except TimeoutError:
            return Tried(True, "on its way: nothing answered")
        except OSError as error:
            return answer(error)
    return Tried(True, "connected")
