"""Joins streams: inside a jail, a loopback port to one unix socket of the host.

`python -I -S forward.py PORT SOCKET PROGRAM [ARGUMENT...]` listens, leaves the forwarding to a process
of its own, and becomes the program. The port is open before the program starts.
"""

import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

_PIECE = 65_536
MOST = 64
"""Each connection takes two threads and two files of the runner: a jailed program must not use them up."""


def main() -> NoReturn:
    """Listen, and become the program."""
    port, path, argv = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    listening = socket.create_server(("127.0.0.1", port))
    first = os.fork()
    if first == 0:
        # A grandchild, so that the program has no child that it did not start.
        if os.fork() == 0:
            nothing = os.open(os.devnull, os.O_RDWR)
            for handle in (0, 1, 2):
                os.dup2(nothing, handle)
            accept(listening, lambda: _connect(path))
        os._exit(0)
    os.waitpid(first, 0)
    listening.close()
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        sys.stderr.write(f"{argv[0]}: {error.strerror}\n")
    sys.exit(127)


def accept(listening: socket.socket, connect: Callable[[], socket.socket]) -> None:
    """Join every connection with one that `connect` makes, until `listening` is shut down.

    So many are joined at once as `MOST` says; whoever comes then waits until one of them has ended.
    """
    free = threading.Semaphore(MOST)
    while True:
        free.acquire()
        try:
            near = listening.accept()[0]
        except OSError:
            return
        threading.Thread(target=_join, args=(near, connect, free), daemon=True).start()


def _join(near: socket.socket, connect: Callable[[], socket.socket], free: threading.Semaphore) -> None:
    try:
        _join_one(near, connect)
    finally:
        free.release()


def _join_one(near: socket.socket, connect: Callable[[], socket.socket]) -> None:
    with near:
        try:
            far = connect()
        except OSError:
            return  # nobody listens there: the connection just ends
        with far:
            back = threading.Thread(target=_pump, args=(far, near), daemon=True)
            back.start()
            _pump(near, far)
            back.join()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(_PIECE):
            sink.sendall(piece)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def _connect(path: str) -> socket.socket:
    far = socket.socket(socket.AF_UNIX)
    try:
        far.connect(path)
    except OSError:
        far.close()
        raise
    return far


if __name__ == "__main__":
    main()
