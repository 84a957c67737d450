"""Serves a script as an OpenAI-compatible endpoint, on 127.0.0.1 or a unix socket and nowhere else.

Answers `GET /v1/models`, and `POST /v1/chat/completions` whole or as server-sent events. A request that the script
does not expect is refused with status 400, which clients do not try again, and the script stays where it is.
"""

import os
import socketserver
import threading
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from runner.backends.performance import JSON_TYPE, Performance, Reply
from runner.errors import BackendError

HOST = "127.0.0.1"
MAX_REQUEST_BYTES = 16 * 1024 * 1024
_IDLE_SECONDS = 60.0


class ScriptedServer:
    """A performance that can be asked over HTTP while the context lasts."""

    def __init__(self, performance: Performance, *, port: int = 0, path: Path | None = None) -> None:
        """Listen on a unix socket at `path`, or else on 127.0.0.1 at `port`, where 0 takes a free one.

        Raises `BackendError` if that is not possible.
        """
        where = f"{HOST}:{port}" if path is None else str(path)
        try:
            self._server = _Loopback(performance, port) if path is None else _Unix(performance, path)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            todo = (
                "give another port"
                if path is None
                else "give a path that is free, in a folder that is there, with a short name"
            )
            raise BackendError(f"cannot listen: {reason}", todo, where=where) from error
        self._path = path

    @property
    def address(self) -> str:
        """Where it listens: a base URL that clients take, or the path of the socket."""
        if self._path is not None:
            return str(self._path)
        return f"http://{HOST}:{self.port}/v1"

    @property
    def port(self) -> int:
        """The port on 127.0.0.1. Raises ValueError where it listens on a unix socket."""
        if isinstance(self._server, _Loopback):
            return int(self._server.server_address[1])
        raise ValueError("a unix socket has no port")

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), name="script", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "sealbook-script"
    sys_version = ""
    timeout = _IDLE_SECONDS
    performance: ClassVar[Performance]

    def handle(self) -> None:
        """One connection. A client that breaks off is no error of the server."""
        with suppress(ConnectionError):
            super().handle()

    def answer(self) -> None:
        """Any method: read the body, ask the performance, write what it says."""
        path = self.path.partition("?")[0]
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not length.isdecimal():
            self.close_connection = True
            why = "a request needs a Content-Length"
            self._write(self.performance.refuse(self.command, path, HTTPStatus.LENGTH_REQUIRED, why))
        elif len(length) > 12 or int(length) > MAX_REQUEST_BYTES:
            self.close_connection = True
            why = f"the request has more than {MAX_REQUEST_BYTES} bytes"
            self._write(self.performance.refuse(self.command, path, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why))
        else:
            self._write(self.performance.answer(self.command, path, self.rfile.read(int(length))))

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = do_OPTIONS = do_PATCH = answer  # noqa: N815  names of http.server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name of http.server
        """Say nothing: what was asked is the performance's to tell."""

    def version_string(self) -> str:
        """Who answers, without the versions of this machine."""
        return self.server_version

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The beginning of time: a script has no clock."""
        del timestamp
        return super().date_time_string(0)

    def _write(self, reply: Reply) -> None:
        with suppress(ConnectionError, TimeoutError):  # whoever asked has gone; it is noted that it asked
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.kind)
            if reply.kind == JSON_TYPE:
                self.send_header("Content-Length", str(sum(map(len, reply.pieces))))
            else:
                self.send_header("Connection", "close")
                self.close_connection = True
            self.end_headers()
            for piece in reply.pieces:
                self.wfile.write(piece)


class _Loopback(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False

    def __init__(self, performance: Performance, port: int) -> None:
        super().__init__((HOST, port), _handler(performance))


class _Unix(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, performance: Performance, path: Path) -> None:
        self._path = path
        super().__init__(str(path), _handler(performance))

    def server_bind(self) -> None:
        """Bind below an open folder: the kernel takes 107 bytes, and the folders of an attempt may be deeper."""
        folder = os.open(self._path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self.socket.bind(f"/proc/self/fd/{folder}/{self._path.name}")
        finally:
            os.close(folder)


def _handler(performance: Performance) -> type[_Handler]:
    return type("_Handler", (_Handler,), {"performance": performance})
