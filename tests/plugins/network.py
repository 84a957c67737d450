"""Tests reach this machine only: a connection to any other address fails at once.

This guards the test process. Programs that a test starts are guarded by the sandbox they run in.
"""

import ipaddress
import socket
from collections.abc import Callable, Iterator

import pytest


class NetworkUsedError(AssertionError):
    """A test tried to reach another machine."""


def is_local(family: int, address: object) -> bool:
    """Whether an address of this socket family stays on this machine."""
    if family == socket.AF_UNIX:
        return True
    if not isinstance(address, tuple) or not address:
        return False
    host = str(address[0])
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def guarded(original: Callable[..., object]) -> Callable[..., object]:
    """The socket method `original`, refusing every address beyond this machine."""

    def method(self: socket.socket, *arguments: object) -> object:
        if not is_local(self.family, arguments[-1]):
            message = f"tests have no network: tried to reach {arguments[-1]!r}; use a loopback address"
            raise NetworkUsedError(message)
        return original(self, *arguments)

    return method


@pytest.fixture(autouse=True, scope="session")
def _only_this_machine() -> Iterator[None]:
    """Guard every way of giving a socket an address."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex", "sendto"):
            patch.setattr(socket.socket, name, guarded(getattr(socket.socket, name)))
        yield
