"""No process outlives its attempt, however it hid."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from runner.sandbox.abandoned import NOBODY, _strays, end_abandoned
from runner.sandbox.command import run
from runner.sandbox.custody import Custody
from runner.sandbox.guarded import guarded
from runner.sandbox.process import ProcessRequest, Running, start
from runner.sandbox.process_table import look, snapshot
from tests.processes import begun_since, children_now

BEAT = 'while :; do date +%s%N > "$1"; sleep 0.05; done'
HIDING_PLACES = {
    "child": 'sh -c "$BEAT" beat "$1" &',
    "own-session": 'setsid sh -c "$BEAT" beat "$1" &',
    "double-fork": '(setsid sh -c "$BEAT" beat "$1" &) &',
    "other-folder": '(cd / && setsid sh -c "$BEAT" beat "$1" &)',
    "bare-environment": '(cd / && env -i setsid sh -c "$BEAT" beat "$1" &)',
    "forged-mark": '(cd / && SEALBOOK_ATTEMPT=1.1.another setsid sh -c "$BEAT" beat "$1" &)',
    "closed-output": '(setsid sh -c "$BEAT" beat "$1" >/dev/null 2>&1 <&- &)',
}


def begin(custody: Custody, folder, script: str, *arguments: str, wait_for_end: bool = True) -> Running:
    name, token = custody.marker
    env = {"PATH": os.defpath, "BEAT": BEAT, name: token}
    argv = ("sh", "-c", script, "hide", *arguments)
    running = start(ProcessRequest(argv=argv, cwd=folder, env=env, output_bytes=4096))
    assert isinstance(running, Running)
    custody.adopt(running)
    if wait_for_end:
        assert running.wait(60) is not None
    return running


def wait_until(holds, otherwise: str):
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until, otherwise
        time.sleep(0.02)


def wait_until_there(path):
    wait_until(lambda: path.exists() and path.read_text(), f"{path.name} never came")


@pytest.mark.report("A25")
@pytest.mark.parametrize("place", HIDING_PLACES)
def test_whoever_hides_is_found_recorded_and_gone(tmp_path, place):
    heart = tmp_path / "heart"
    custody = Custody(tmp_path)
    begin(custody, tmp_path, HIDING_PLACES[place], str(heart))
    wait_until_there(heart)
    leftovers = custody.clear(grace_seconds=0.1)
    last = heart.read_text()
    time.sleep(0.3)

    assert heart.read_text() == last
    assert [left for left in leftovers if str(heart) in left.program]
    assert all(look(left.pid) is None for left in leftovers)


def test_an_attempt_goes_on_after_what_it_left_running_was_ended_and_finds_the_next_one_too(tmp_path):
    custody = Custody(tmp_path)
    for number in ("1", "2"):
        heart = tmp_path / number
        begin(custody, tmp_path, HIDING_PLACES["bare-environment"], str(heart))
        wait_until_there(heart)

        assert [left for left in custody.empty(grace_seconds=0) if str(heart) in left.program]
        assert custody.members() == ()
    assert custody.clear() == ()


@pytest.mark.report("A25")
def test_a_swarm_that_keeps_forking_is_ended(tmp_path):
    custody = Custody(tmp_path)
    swarm = "import os,time\nfor _ in range(6):\n    if os.fork() == 0: os.setsid()\ntime.sleep(60)\n"
    begin(custody, tmp_path, f"{sys.executable} -c '{swarm}' & true")
    until = time.monotonic() + 120
    while len(custody.members()) < 64 and time.monotonic() < until:
        time.sleep(0.05)
    leftovers = custody.clear(grace_seconds=0)

    assert len(leftovers) == 64
    assert not [e for e in snapshot().values() if e.pid in {left.pid for left in leftovers}]


def test_a_process_that_is_just_ending_is_no_leftover(tmp_path):
    custody = Custody(tmp_path)
    begin(custody, tmp_path, "(setsid sleep 0.2 &)")

    assert custody.clear(grace_seconds=60) == ()


def test_dead_orphans_do_not_stay_in_the_table(tmp_path):
    before = children_now()
    custody = Custody(tmp_path)
    begin(custody, tmp_path, "(setsid true &) ; (setsid true &)")
    custody.clear()

    assert not [entry for entry in begun_since(before) if entry.zombie]


def test_two_attempts_at_once_end_only_their_own(tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    hearts = [folder / "heart" for folder in folders]
    custodies = []
    for folder, heart in zip(folders, hearts, strict=True):
        folder.mkdir()
        custodies.append(Custody(folder))
        begin(custodies[-1], folder, HIDING_PLACES["double-fork"], str(heart))
        wait_until_there(heart)
    first = custodies[0].clear(grace_seconds=0)
    alive = hearts[1].read_text()
    wait_until(lambda: hearts[1].read_text() not in ("", alive), "the other attempt's process beats no more")
    second = custodies[1].clear(grace_seconds=0)

    assert [left for left in first if str(hearts[0]) in left.program]
    assert not [left for left in first if str(hearts[1]) in left.program]
    assert [left for left in second if str(hearts[1]) in left.program]


def test_processes_of_others_are_left_alone(tmp_path):
    bystander = subprocess.Popen(["sleep", "60"], cwd=tmp_path)
    try:
        custody = Custody(tmp_path / "elsewhere")
        begin(custody, tmp_path, "true")
        custody.clear(grace_seconds=0)

        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_many_threads_may_run_programs_at_once(tmp_path):
    before = children_now()
    results: list[str] = []

    def work(number: int) -> None:
        argv = ("sh", "-c", f"(setsid sleep 30 &); echo {number}")
        finished = run(ProcessRequest(argv, tmp_path, {"PATH": os.defpath}, 4096), 120)
        results.append(finished.stdout.text.strip())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(results, key=int) == [str(number) for number in range(12)]
    assert not [entry for entry in begun_since(before) if (now := look(entry.pid)) and not now.zombie]


@pytest.fixture
def marker(monkeypatch):
    """A mark of this test's own, so that no runner of another test that begins meanwhile ends what is left here."""
    name = f"SEALBOOK_TEST_{os.getpid()}"
    monkeypatch.setattr("runner.sandbox.abandoned.MARKER", name)
    return name


def test_what_a_killed_runner_left_is_ended_and_what_a_living_one_has_is_not(marker):
    me = look(os.getpid())
    assert me is not None
    kept = subprocess.Popen(["sleep", "60"], env={marker: f"{me.pid}.{me.started}.x", "PATH": os.defpath})
    left = subprocess.Popen(["sleep", "61"], env={marker: f"{me.pid}.{me.started + 1}.x", "PATH": os.defpath})
    try:
        ended = end_abandoned()

        assert left.pid in [item.pid for item in ended]
        assert left.wait(60) == -9
        assert kept.poll() is None
    finally:
        kept.kill()
        kept.wait()


@pytest.mark.report("A25")
def test_a_runner_killed_in_the_middle_leaves_nothing_that_the_next_one_does_not_end(tmp_path, marker):
    """The first runner holds a process that SIGSTOP has frozen, as at a boundary."""
    code = (
        "import pathlib, time, sys\n"
        "from runner.sandbox import custody as module\n"
        "from runner.sandbox.custody import Custody\n"
        "from runner.sandbox.process import ProcessRequest, start\n"
        "module.MARKER = sys.argv[2]\n"
        "folder = pathlib.Path(sys.argv[1]); custody = Custody(folder); name, token = custody.marker\n"
        "script = 'setsid sh -c \"kill -STOP \\$\\$\" & echo $! > pid; kill -STOP $$'\n"
        "env = {'PATH': '/usr/bin:/bin', name: token}\n"
        "custody.adopt(start(ProcessRequest(('sh', '-c', script), folder, env, 99)))\n"
        "time.sleep(60)\n"
    )
    root = Path(__file__).parents[3]
    runner = subprocess.Popen([sys.executable, "-c", code, tmp_path, marker], cwd=root)
    wait_until_there(tmp_path / "pid")
    time.sleep(0.3)
    runner.kill()
    runner.wait()
    frozen = int((tmp_path / "pid").read_text())
    assert look(frozen) is not None
    ended = end_abandoned()
    time.sleep(0.2)
    entry = look(frozen)

    assert len(ended) >= 2
    assert entry is None or entry.zombie


def test_a_mark_that_a_process_added_to_its_own_does_not_keep_it(marker):
    me = look(os.getpid())
    assert me is not None
    gone, living = f"{me.pid}.{me.started + 1}.x", f"{me.pid}.{me.started}.y"
    for first, second in ((gone, living), (living, gone)):
        words = (sys.executable, "-I", "-S", "-c", "import time; time.sleep(62)", marker, first)
        left = subprocess.Popen(words, env={marker: second, "PATH": os.defpath}, start_new_session=True)
        assert left.pid in [item.pid for item in end_abandoned()]
        assert left.wait(60) == -9


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can leave a process that its own user may not end")
def test_what_cannot_be_ended_is_not_told_as_ended_and_does_not_hold_up_the_next_runner(marker, monkeypatch):
    """A stray that belongs to nobody and was started by root, so that nobody finds it and may not signal it."""
    monkeypatch.setattr("runner.sandbox.abandoned._LIMIT_SECONDS", 0.2)
    me = look(os.getpid())
    assert me is not None
    code = (
        "import ctypes, os, time\n"
        f"os.setresuid(0, {NOBODY}, 0)\n"
        "ctypes.CDLL(None).prctl(4, 1)\n"  # PR_SET_DUMPABLE: its folder in /proc is the effective user's
        "print(flush=True); time.sleep(63)\n"
    )
    words = (sys.executable, "-I", "-S", "-c", code, marker, f"{me.pid}.{me.started + 1}.x")
    with subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True) as left:
        assert left.stdout is not None
        left.stdout.readline()
        child = os.fork()
        if child == 0:
            told = 2
            try:
                os.setresuid(NOBODY, NOBODY, NOBODY)
                seen, done = [entry.pid for entry in _strays()], [item.pid for item in end_abandoned()]
                told = int(left.pid not in seen or left.pid in done)
            finally:
                os._exit(told)

        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert left.poll() is None
        left.kill()


def test_the_guardian_of_the_runner_does_not_pass_for_a_stray_of_an_attempt():
    before = children_now()
    with guarded():
        (watcher,) = begun_since(before)
        custody = Custody(None)
        entry = look(watcher.pid)
        assert entry is not None
        custody._opened = entry.started  # as for an attempt that begins in the same moment, and no sooner

        assert custody.clear(grace_seconds=0) == ()
        assert (now := look(watcher.pid)) is not None
        assert not now.zombie
