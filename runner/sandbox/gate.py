"""One gate before many processes: all wait at it, and one act lets all of them go.

Each contender is a shell that reports, waits until somebody opens a pipe for writing, and then
becomes the program by `exec`: same process, same arguments, same environment.
"""

import os
import select
import time
from pathlib import Path

_SCRIPT = 'echo > "$0.here"; : < "$0"; exec "$@"'


class Gate:
    """Use it as a context: leaving it lets late contenders pass and then fails them."""

    def __init__(self, folder: Path, name: str) -> None:
        """Make the gate's two named pipes in a private folder."""
        self._pipe = folder / f"{name}.gate"
        self._reports = folder / f"{name}.gate.here"
        os.mkfifo(self._pipe, 0o600)
        os.mkfifo(self._reports, 0o600)
        # Open for reading and writing, so that no reporter waits for a reader.
        self._listening = os.open(self._reports, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._held = -1

    def before(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        """The command line that waits at this gate and then becomes `argv`."""
        return ("/bin/sh", "-c", _SCRIPT, str(self._pipe), *argv)

    def wait_for(self, contenders: int, seconds: float) -> int:
        """Wait until so many have reported, for at most so long; how many have."""
        until = time.monotonic() + seconds
        here = 0
        while here < contenders and (left := until - time.monotonic()) > 0:
            if select.select([self._listening], [], [], left)[0]:
                here += len(os.read(self._listening, contenders))
        return here

    def open(self) -> None:
        """Let everybody go. The gate stays open until `close`, for those who come late."""
        self._held = os.open(self._pipe, os.O_RDWR | os.O_CLOEXEC)

    def close(self) -> None:
        """Take the gate away."""
        for handle in (self._listening, self._held):
            if handle >= 0:
                os.close(handle)
        self._pipe.unlink()
        self._reports.unlink()
