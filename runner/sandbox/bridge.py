"""The host's end of a bridge out of a jail: one unix socket that leads to one loopback port."""

import socket
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from runner.errors import SandboxError
from runner.sandbox.launch.forward import accept

_CONNECT_SECONDS = 10.0


class Relay:
    """Listens on a unix socket and joins each connection with `127.0.0.1:port`, and with nothing else.

    Use it as a context. A local server can listen on a unix socket itself and needs no relay.
    """

    def __init__(self, folder: Path, port: int) -> None:
        """`folder` is private to the attempt and short: the kernel takes 107 bytes for a socket's path.

        Raises `SandboxError` if no socket can be made there.
        """
        self.socket = folder / "relay"
        self._port = port
        self._listening = socket.socket(socket.AF_UNIX)
        try:
            self._listening.bind(str(self.socket))
            # The jailed account must be allowed to connect; who else may is decided by the private folder.
            self.socket.chmod(0o666)
            self._listening.listen()
        except OSError as error:
            self._listening.close()
            reason = (error.strerror or str(error)).lower()
            todo = "give a shorter folder with --work-root"
            raise SandboxError(f"no socket can be made: {reason}", todo, where=str(self.socket)) from error

    def __enter__(self) -> Self:
        threading.Thread(target=accept, args=(self._listening, self._connect), name="relay", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.socket.unlink(missing_ok=True)

    def _connect(self) -> socket.socket:
        joined = socket.create_connection(("127.0.0.1", self._port), timeout=_CONNECT_SECONDS)
        joined.settimeout(None)
        return joined
