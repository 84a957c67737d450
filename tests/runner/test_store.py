"""A lock of the store is waited for, and ends with the process that holds it."""

import signal
import subprocess
import sys
import time

from runner.store import in_turn

HOLDER = """
import sys, time
from pathlib import Path
from runner.store import in_turn

with in_turn(Path(sys.argv[1]), lambda: None):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_waits_once_told_and_goes_on_when_the_first_was_killed(tmp_path):
    lock = tmp_path / "prepared" / "tiny.lock"
    with subprocess.Popen([sys.executable, "-c", HOLDER, lock], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        told: list[float] = []

        def waiting() -> None:
            told.append(time.monotonic())
            holder.send_signal(signal.SIGKILL)

        with in_turn(lock, waiting):
            went_on = time.monotonic()

    assert len(told) == 1
    assert told[0] < went_on
    with in_turn(lock, lambda: told.append(0.0)):
        assert len(told) == 1
