"""What tests of the hook say of a Python process under orders, and the code of a real daemon."""

from collections.abc import Mapping
from typing import Protocol

from runner.sandbox.orders import Orders
from runner.sandbox.process import Finished, Running

DAEMON = """
import os
def become_a_daemon():
    # As W. R. Stevens has it: two forks, a session between them, and nothing of the starter's is kept.
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
"""
"""Defines `become_a_daemon()`, after which only the daemon goes on."""


class RunPython(Protocol):
    """Starts Python with code for `-c`, or with options of its own, under orders and with variables more."""

    def __call__(
        self, code: str | tuple[str, ...], orders: Orders, added: Mapping[str, str] | None = None
    ) -> Running: ...


def finish(running: Running) -> Finished:
    """Wait for its end, which must be a good one."""
    finished = running.wait(120)
    assert finished is not None
    assert finished.end.end == "exited", finished
    assert finished.end.code == 0, finished.stderr.text
    return finished
