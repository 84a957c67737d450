"""A second process that outlives the runner for the moment it takes to end what the runner had started.

At tier `bwrap` the kernel ends a jail with its runner, except for one that is just being made: bubblewrap asks
for it only when it has prepared everything. At tier `process` nothing does. The guardian ends both.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from runner.sandbox.launch import guardian

_PACKAGES = Path(__file__).parents[2]


@contextmanager
def guarded() -> Iterator[None]:
    """While this lasts, what this process starts ends with it, however it ends."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    try:
        watcher = subprocess.Popen(
            (sys.executable, "-I", "-S", guardian.__file__, str(_PACKAGES)),
            cwd="/",
            env={},
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,  # Ctrl-C on a terminal is not for it; in a session of its own it would pass for a stray
        )
    finally:
        os.close(reading)
    try:
        yield
    finally:
        with suppress(BrokenPipeError):  # somebody has ended the guardian
            os.write(writing, b".")
        os.close(writing)
        watcher.wait()
