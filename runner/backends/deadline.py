"""Ends a connection when its time is over, however slowly its other side goes on.

The timeouts of an HTTP client hold for each single read, so that an endpoint which sends a byte now and then is waited
for without end. Here the connection itself is shut down, which ends whatever read or write waits on it.
"""

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self


class Deadline:
    """So many seconds for one request. Use it as a context, and hand `trace` to the request as its extension."""

    def __init__(self, seconds: float) -> None:
        self.over = False
        """Whether the time ran out before the request was done."""
        self._held: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            for held in self._held:
                held.close()
            self._held.clear()

    def trace(self, name: str, info: Mapping[str, Any]) -> None:
        """Take hold of the connection as soon as there is one; the client tells of each step by its name."""
        if name != "connection.connect_tcp.complete":
            return
        connection: socket.socket = info["return_value"].get_extra_info("socket")
        with self._lock:
            # A name of its own for the connection: encryption takes the first one over.
            self._held.append(connection.dup())
            if self.over:
                self._shut()

    def _end(self) -> None:
        with self._lock:
            self.over = True
            self._shut()

    def _shut(self) -> None:
        for held in self._held:
            with suppress(OSError):
                held.shutdown(socket.SHUT_RDWR)
