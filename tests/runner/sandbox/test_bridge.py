"""The host's end of a bridge: a jailed program cannot use up the runner's threads and files by it."""

import socket
import time

from runner.sandbox.bridge import Relay
from runner.sandbox.launch.forward import MOST


def connected(path) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    client.connect(str(path))
    return client


def test_no_more_connections_are_joined_at_once_than_the_bound(tmp_path):
    with (
        socket.create_server(("127.0.0.1", 0), backlog=200) as server,
        Relay(tmp_path, server.getsockname()[1]) as relay,
    ):
        server.settimeout(60)
        near = [connected(relay.socket) for _ in range(MOST)]
        far = [server.accept()[0] for _ in near]
        waiting = connected(relay.socket)
        server.settimeout(0.5)
        started = time.monotonic()
        try:
            server.accept()
            joined = True
        except TimeoutError:
            joined = False
        assert not joined, f"joined after {time.monotonic() - started:.1f} s"

        for one in (*near, *far):  # which belongs to which nobody knows: they were joined side by side
            one.close()
        server.settimeout(60)
        last = server.accept()[0]
        waiting.sendall(b"x")
        assert last.recv(1) == b"x"
        waiting.close()
        last.close()
