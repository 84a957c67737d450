"""Free loopback ports for services that one attempt owns, and proof of who listens there."""

import socket
import threading
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from runner.sandbox.process_table import sockets_of

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENING = "0A"
_LOOPBACK = frozenset({"0100007F", "00000000000000000000000001000000"})
_given: set[int] = set()
_lock = threading.Lock()


class Listener(StrEnum):
    """Who listens on a port."""

    nobody = "nobody"
    stranger = "a process of somebody else"
    owned = "a process of this attempt"
    exposed = "a process of this attempt, beyond loopback"


def free_loopback_port() -> int:
    """A TCP port that is free on 127.0.0.1 now and that this runner gives out only once.

    It is released so that the service can take it. Whether the service did, and nobody
    else in between, is what `listener` tells.
    """
    with _lock:
        while True:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port: int = probe.getsockname()[1]
            if port not in _given:
                _given.add(port)
                return port


def listener(port: int, pids: Iterable[int]) -> Listener:
    """Who listens on `port`, as the kernel's tables of sockets and handles tell."""
    found: dict[int, str] = {}
    for table in _TABLES:
        if table.exists():
            for line in table.read_text(encoding="ascii").splitlines()[1:]:
                fields = line.split()
                address, _, number = fields[1].partition(":")
                if fields[3] == _LISTENING and int(number, 16) == port:
                    found[int(fields[9])] = address
    if not found:
        return Listener.nobody
    owned = found.keys() & {inode for pid in pids for inode in sockets_of(pid)}
    if owned != found.keys():
        return Listener.stranger
    return Listener.owned if set(found.values()) <= _LOOPBACK else Listener.exposed
