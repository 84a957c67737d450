"""One process: what it gets, what is kept of it, and how it ended."""

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from runner.contract.events import CappedByClock, Exited, NotSpawned, Signalled
from runner.sandbox.command import run
from runner.sandbox.process import ProcessRequest, Running, start

ROOT = Path(__file__).parents[3]
MOST_GROWTH_KIB = 24 * 1024


def request(folder, *argv, **options):
    return ProcessRequest(argv=argv, cwd=folder, env={"PATH": os.defpath}, output_bytes=4096, **options)


def flood(*arguments: str) -> dict[str, Any]:
    """What flood_child tells of a program, in a process whose memory nobody else uses."""
    child = Path(__file__).with_name("flood_child.py")
    finished = subprocess.run(
        [sys.executable, child, *arguments],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    return json.loads(finished.stdout)


@pytest.mark.long
@pytest.mark.report("A26")
def test_a_flood_of_ten_seconds_is_counted_and_takes_no_memory():
    told = flood("10", "yes")

    assert told["end"] == "timed-out"
    assert told["kept"] == 4096
    assert told["total"] > 100_000_000
    assert told["grown_kib"] < MOST_GROWTH_KIB


@pytest.mark.report("A26")
def test_a_line_of_100_mb_is_hashed_whole_and_takes_no_memory():
    told = flood("60", "sh", "-c", "head -c 100000000 /dev/zero | tr '\\0' x")
    expected = hashlib.sha256()
    for _ in range(100):
        expected.update(b"x" * 1_000_000)

    assert told["end"] == "exited"
    assert told["total"] == 100_000_000
    assert told["sha256"] == expected.hexdigest()
    assert told["grown_kib"] < MOST_GROWTH_KIB


def test_both_streams_and_the_exit_code_are_told(tmp_path):
    finished = run(request(tmp_path, "sh", "-c", "echo out; echo err >&2; exit 7"), 60)

    assert finished.end == Exited(code=7)
    assert (finished.stdout.text, finished.stderr.text) == ("out\n", "err\n")


def test_all_that_a_process_wrote_is_kept_although_somebody_else_holds_its_output(tmp_path):
    running = start(request(tmp_path, "sh", "-c", "sleep 600 & printf $!"))
    assert isinstance(running, Running)
    finished = running.wait(300)

    assert finished is not None, "it was waited for whoever held the output"
    os.kill(int(finished.stdout.text), signal.SIGKILL)  # raises if it did not hold on


def test_input_is_given_whole_and_nothing_is_inherited(tmp_path):
    given = b"x" * 1_000_000
    finished = run(request(tmp_path, "sh", "-c", "wc -c; ls /proc/self/fd | wc -l", stdin=given), 60)
    without = run(request(tmp_path, "cat"), 60)

    assert finished.stdout.text.split() == ["1000000", "4"]  # 0, 1, 2, and the folder that ls reads
    assert without.end == Exited(code=0)


def test_a_cap_is_no_exit_code_and_a_signal_is_no_cap(tmp_path):
    assert run(request(tmp_path, "sleep", "60"), 0.2).end == CappedByClock()
    assert run(request(tmp_path, "sh", "-c", "kill -TERM $$"), 60).end == Signalled(signal=15)


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (("no-such-program-here",), "no such file or directory"),
        (("/",), "permission denied"),
        (("echo", "a\0b"), "embedded null byte"),
    ],
)
def test_a_process_that_cannot_be_started_is_a_value(tmp_path, argv, why):
    assert run(request(tmp_path, *argv), 60).end == NotSpawned(why=why)


def test_no_core_file_and_no_endless_file_can_be_written(tmp_path):
    finished = run(request(tmp_path, "sh", "-c", "sleep 0.2; ulimit -c; ulimit -f"), 60)

    core, blocks = finished.stdout.text.split()
    assert core == "0"
    assert blocks != "unlimited" or resource.getrlimit(resource.RLIMIT_FSIZE)[1] == 0
    assert int(blocks) * 512 == 4 * 1024**3


def test_a_process_lasts_from_right_before_its_start_to_its_end_however_late_somebody_waits(tmp_path):
    begun = time.perf_counter_ns()
    process = start(ProcessRequest(argv=("sleep", "0.3"), cwd=tmp_path, env={"PATH": os.defpath}, output_bytes=10))
    assert isinstance(process, Running)
    before = process.lasted_ns
    assert process.wait(60) is not None
    most = time.perf_counter_ns() - begun
    time.sleep(0.2)
    assert before is None
    assert 300_000_000 <= (process.lasted_ns or 0) <= most
