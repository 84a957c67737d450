"""The watch over the host tells real processes of ours from others, and what cannot be read is unknown."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from runner.contract.parity.host import (
    Contended,
    ContentionReason,
    CpuTime,
    HostAround,
    Name,
    Number,
    UnknownFact,
    contended,
)
from runner.host import HostWatch, look
from runner.sandbox.custody import Custody
from runner.sandbox.process import ProcessRequest, Running, start

SECOND = 1_000_000_000
# Spends a second of CPU time, says so, and waits until it may end.
BURN = """
import sys, time
while time.process_time() < 1: pass
print("spent", flush=True)
sys.stdin.read()
"""
# The same in a child of its own.
BURN_BELOW = f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {BURN!r}])
"""
# The same as a daemon that has left its parent, and stays.
BURN_APART = """
import os, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
while time.process_time() < 1: pass
open(sys.argv[1], "w").close()
time.sleep(600)
"""
WATCH = """
import sys
from runner.host import HostWatch
watch = HostWatch()
print("watching", flush=True)
sys.stdin.read()
sys.stdout.write(watch.end().model_dump_json())
"""


@contextmanager
def started(code: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A program that has said its first word."""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            assert process.stdout.readline() in (b"spent\n", b"watching\n")
            yield process
        finally:
            process.stdin.close()


def time_of(around: HostAround) -> CpuTime:
    assert isinstance(around.cpu_time, CpuTime)
    return around.cpu_time


@pytest.mark.parametrize("code", [BURN, BURN_BELOW], ids=["child", "grandchild"])
def test_what_a_process_below_the_runner_spends_is_its_own_while_it_runs_and_after(code):
    watch = HostWatch()
    with started(code):
        running = time_of(watch.end())
    ended = time_of(watch.end())

    assert running.own_ns > 0.9 * SECOND
    assert ended.own_ns >= running.own_ns - 0.1 * SECOND
    assert running.busy_ns > 0.5 * SECOND


def test_what_a_daemon_in_custody_spends_is_its_own_while_it_runs_and_after(tmp_path):
    custody, spent = Custody(tmp_path), tmp_path / "spent"
    watch = HostWatch()
    argv = (sys.executable, "-c", BURN_APART, str(spent))
    begun = start(ProcessRequest(argv=argv, cwd=tmp_path, env=dict([custody.marker]), output_bytes=4096))
    assert isinstance(begun, Running)
    custody.adopt(begun)
    until = time.monotonic() + 60
    while not spent.exists():
        assert time.monotonic() < until, "the daemon never came"
        time.sleep(0.02)
    running = time_of(watch.end())
    custody.clear(grace_seconds=0)
    ended = time_of(watch.end())

    assert running.own_ns > 0.9 * SECOND
    assert ended.own_ns >= running.own_ns - 0.1 * SECOND


def test_what_the_runner_itself_spends_is_its_own():
    watch = HostWatch()
    until = time.process_time() + 0.5
    while time.process_time() < until:
        pass

    assert time_of(watch.end()).own_ns >= 0.5 * SECOND


def test_what_a_process_elsewhere_spends_is_the_others():
    with started(WATCH) as watching:
        until = time.process_time() + 1
        while time.process_time() < until:
            pass
        said, _ = watching.communicate()
    around = HostAround.model_validate_json(said)
    verdict = contended(around)

    assert time_of(around).own_ns < 0.5 * SECOND
    assert time_of(around).others_ns > 0.5 * SECOND
    assert isinstance(verdict, Contended)
    assert ContentionReason.others_busy in verdict.reasons


def test_time_passes_for_the_watch_as_on_the_clock():
    begun = time.monotonic_ns()
    watch = HostWatch()
    time.sleep(0.2)
    around = watch.end()

    assert 0.2 * SECOND <= time_of(around).elapsed_ns <= time.monotonic_ns() - begun
    assert isinstance(around.before.load_hundredths, Number)
    assert isinstance(around.after.runnable, Number)
    assert around.after.runnable.value >= 1


def test_what_another_machine_shows_is_read_as_it_is(tmp_path):
    shown = {
        "proc/cpuinfo": "processor\t: 0\nmodel name\t: Big Core\n\nprocessor\t: 1\nmodel name\t: Small Core\n"
        "\nprocessor\t: 2\nmodel name\t: Big Core\n",
        "proc/loadavg": "12.07 1.20 0.90 3/250 4711\n",
        "proc/stat": "cpu  10 0 0 0\n",
        "sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "powersave\n",
        "sys/devices/system/cpu/cpufreq/policy4/scaling_governor": "performance\n",
    }
    for name, text in shown.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = look(tmp_path)

    assert found.cpu_model == Name(value="Big Core, Small Core")
    assert found.governor == Name(value="performance, powersave")
    assert (found.load_hundredths, found.runnable) == (Number(value=1207), Number(value=3))
    assert found.cpus == Number(value=os.cpu_count() or 0)
    # Kernels before Linux 2.6.11 count no stolen time: then nobody knows.
    assert HostWatch(tmp_path).end().cpu_time == UnknownFact(
        reason="the host does not show the time that its CPUs spent"
    )


def test_a_count_that_goes_back_is_unknown(tmp_path):
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/stat").write_text("cpu  500 0 0 900 0 0 0 0 0 0\n")
    watch = HostWatch(tmp_path)
    (tmp_path / "proc/stat").write_text("cpu  499 0 0 950 0 0 0 0 0 0\n")

    assert watch.end().cpu_time == UnknownFact(reason="a count of CPU time went back")


@pytest.mark.parametrize("load", [None, "", "busy\n", "1.50 1.20 0.90\n", "-1.50 1.20 0.90 3/250 4711\n"])
def test_what_a_host_does_not_show_is_unknown_with_a_reason_and_no_error(load, tmp_path):
    if load is not None:
        (tmp_path / "proc").mkdir()
        (tmp_path / "proc/loadavg").write_text(load)
    found = look(tmp_path)

    assert found.cpu_model == UnknownFact(reason="the host names no CPU model")
    assert found.governor == UnknownFact(reason="the host shows no frequency governor")
    assert found.load_hundredths == found.runnable == UnknownFact(reason="the host shows no load average")
