"""Waits for the runner's end and then ends what it left: `python -I -S guardian.py FOLDER`.

Standard input is a pipe that only the runner holds open. A runner that ends well says so by one byte. FOLDER
is where the package `runner` lies.
"""

import os
import sys
import time

_QUIET_SECONDS = 2.0
"""What a runner forks in its last moment shows its marker only when it has executed its program."""


def main() -> None:
    """Wait, and tidy up."""
    sys.path.insert(0, sys.argv[1])
    from runner.sandbox.abandoned import end_abandoned  # noqa: PLC0415  found only now

    if os.read(0, 1):
        return
    quiet_since = time.monotonic()
    while time.monotonic() - quiet_since < _QUIET_SECONDS:
        if end_abandoned():
            quiet_since = time.monotonic()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
