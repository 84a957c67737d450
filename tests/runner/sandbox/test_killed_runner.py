"""The runner is killed at any moment: what it had started ends with it."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runner.contract.study import Tier
from runner.sandbox.process_table import command_of, look, snapshot

ROOT = Path(__file__).parents[3]
CHILD = Path(__file__).with_name("killed_sandbox.py")
SECONDS = 60.0


def carrying(token: str) -> list[int]:
    """Living processes with the token in their command line."""
    return [pid for pid in snapshot() if token in command_of(pid) and (now := look(pid)) and not now.zombie]


def kill_a_runner(folder: Path, tier: Tier, after: float, number: int, *, busy: bool) -> tuple[int, list[int]]:
    """Kill one so long after its guardian stood; how many processes it had, and which of them live on.

    With `busy`, not before it has three.
    """
    token = f"token-{os.getpid()}-{tier.value}-{number}"
    runner = subprocess.Popen(
        [sys.executable, "-B", CHILD, folder, tier.value, token],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    with runner:
        assert runner.stdout is not None
        assert runner.stdout.readline() == b"guarded\n"
        time.sleep(after)
        until = time.monotonic() + 3 * SECONDS
        while len(seen := carrying(token)) < 4 and busy and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(runner.pid, signal.SIGKILL)
        runner.wait()
    until = time.monotonic() + SECONDS
    while (left := carrying(token)) and time.monotonic() < until:
        time.sleep(0.05)
    return len(seen) - 1, left


def kill_runners(folder: Path, tier: Tier, times: list[float], *, busy: bool = False) -> int:
    """Kill one runner after each of the times; how many processes they had together. None may live on."""
    together = 0
    for number, after in enumerate(times):
        had, left = kill_a_runner(folder, tier, after, number, busy=busy)
        assert [command_of(pid) for pid in left] == [], f"killed after {after:.3f} s"
        together += had
    return together


@pytest.mark.report("A25")
def test_a_killed_runner_takes_its_jails_with_it(tmp_path, jail):
    kill_runners(tmp_path, Tier.bwrap, [0.0])
    assert kill_runners(tmp_path, Tier.bwrap, [0.0], busy=True) > 2


@pytest.mark.report("A25")
def test_a_killed_runner_is_tidied_up_after_by_its_guardian(tmp_path):
    kill_runners(tmp_path, Tier.process, [0.0])
    assert kill_runners(tmp_path, Tier.process, [0.0], busy=True) > 2


@pytest.mark.long
@pytest.mark.report("A25")
@pytest.mark.parametrize("tier", Tier)
def test_twenty_runners_killed_at_any_moment_leave_nobody_behind(tmp_path, jail, tier):
    chance = random.Random(20_261_130)
    assert kill_runners(tmp_path, tier, [chance.uniform(0, 1.5) for _ in range(20)]) > 20
