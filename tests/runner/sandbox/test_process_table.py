"""What the kernel says of a process is read as it is, and nothing is said of one that is gone."""

import os
import subprocess
import sys

from runner.sandbox.process_table import memory_of

HOLD = "data = bytearray(50_000_000); del data; print('ready', flush=True); input()"


def test_a_process_has_its_memory_and_the_most_that_it_ever_had():
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        memory = memory_of(child.pid)
        child.communicate(b"\n")
    assert memory is not None
    assert 1_000_000 < memory.resident_bytes < 40_000_000
    assert memory.highest_bytes > memory.resident_bytes + 40_000_000


def test_nothing_is_said_of_the_memory_of_a_process_that_has_ended():
    child = subprocess.Popen(["true"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert memory_of(child.pid) is None  # dead, and still in the table
    child.wait()
    assert memory_of(child.pid) is None
