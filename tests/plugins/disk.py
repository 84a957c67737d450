"""No test waits until a disk has written: a run asks for that hundreds of times, and a disk takes milliseconds each.

What it protects from is the loss of power, which no test brings about; a process that is killed loses nothing that it
wrote. That the runner asks, in which order, and what becomes of a disk that fails, is shown at the system calls of
processes of their own (tests/runner/test_crashes.py), which this leaves alone.
"""

import os
from collections.abc import Iterator

import pytest


def asked(file) -> None:
    """Refuse what cannot be written back, as `os.fsync` does, and wait for nothing."""
    os.fstat(file if isinstance(file, int) else file.fileno())


@pytest.fixture(autouse=True, scope="session")
def _no_waiting_for_the_disk() -> Iterator[None]:
    """Hold it for the test process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", asked)
        yield
