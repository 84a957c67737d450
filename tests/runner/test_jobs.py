"""Several attempts at once: the same sealed bytes, starts in the order of the plan, and nothing left after a kill."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from runner import environment
from runner.contract.attempt import Outcome
from runner.contract.evidence import ComparisonFacts
from runner.execute.run import execute
from runner.kinds.comparison.kind import Comparison
from runner.ledger import ATTEMPTS_FOLDER, LEDGER_FILE, Entry, read_prefix
from runner.reading.sealed import SealedRun, open_run
from runner.sandbox.process_table import Entry as Process
from runner.sandbox.process_table import command_of, descendants, look, snapshot
from tests.comparisons import SCRIPT, Tiny, both_lanes, tool, usage, written
from tests.factories import Silent, an_order
from tests.studies import a_study

SECONDS = 30.0
SLOW = Tiny(repetitions=4, files={"fixtures/script.py": f"import time\n\ntime.sleep(0.4)\n{SCRIPT}"})
"""Its attempts take long enough to be killed in."""
MOMENTS = ("run.json", "timings.jsonl", "SHA256SUMS")
"""What says when something happened, and the digests of that."""


def run_with(folder: Path, tiny: Tiny, jobs: int) -> SealedRun:
    """Perform a comparison with so many attempts at once, by the clock of this machine."""
    order = an_order(folder, tiny.read(folder / "manifests"), Comparison(jobs=jobs))  # type: ignore[arg-type]
    work_root = folder.parent / "work"  # what a script prints of its own place has a digest
    work_root.mkdir(exist_ok=True)
    clock = environment.SystemClock()
    return execute(replace(order, clock=clock, new_salt=environment.new_salt, work_root=work_root), Silent())


def files_of(sealed: SealedRun) -> dict[str, bytes]:
    return {file.path: sealed.data(file.path) for file in sealed.files if file.path not in MOMENTS}


def ledger_of(project: Path) -> tuple[Entry, ...]:
    """The valid prefix of the one run's ledger; nothing if there is none yet."""
    found = list(project.glob(f".sealbook/runs/tiny/*/{LEDGER_FILE}"))
    return read_prefix(found[0].read_bytes()).entries if found else ()


def most_at_once(entries: tuple[Entry, ...]) -> int:
    open_now, most = 0, 0
    for entry in entries:
        open_now += 1 if entry.record == "start" else -1
        most = max(most, open_now)
    return most


@pytest.mark.rule("T81")
def test_what_is_sealed_of_attempts_is_the_same_bytes_however_many_run_at_once(tmp_path):
    broken = tool(written("shop/sums.py", "def total(lines):\n    return 0\n"))
    tiny = Tiny(sessions=both_lanes(usage(), broken), repetitions=3)
    one, three = (run_with(tmp_path / str(jobs), tiny, jobs) for jobs in (1, 3))

    assert files_of(one) == files_of(three)
    assert len([path for path in files_of(one) if path.endswith("ledger.json")]) == 6
    assert one.run.analysis == three.run.analysis
    assert isinstance(three.run.facts, ComparisonFacts)
    assert three.run.facts.jobs == 3


def test_attempts_start_in_the_order_of_the_plan_and_never_more_than_asked_for_at_once(tmp_path):
    sealed = run_with(tmp_path, replace(SLOW, tasks=("narrow", "again"), repetitions=2), 3)
    entries = ledger_of(tmp_path)

    started = [entry.attempt for entry in entries if entry.record == "start"]
    assert started == [slot.attempt_id(0) for slot in sealed.plan.slots]
    assert most_at_once(entries) == 3
    spans = [(timing.started_ns, timing.ended_ns) for timing in sealed.timings]
    assert any(later < ended for (_, ended), (later, _) in pairwise(spans)), "they overlap"


def open_attempts(project: Path) -> int:
    """How many attempts were cut off: started, and without an attempt file.

    Two, or one if the runner was just about to start the next, or had written a file and not yet noted it as done:
    that attempt counts, as whoever resumes the run finds out.
    """
    (run,) = project.glob(".sealbook/runs/tiny/*")
    entries = ledger_of(project)
    done = {entry.attempt for entry in entries if entry.record == "done"}
    started = {entry.attempt for entry in entries if entry.record == "start"}
    number = sum(not (run / ATTEMPTS_FOLDER / f"{attempt}.json").exists() for attempt in started - done)
    assert number in (1, 2)
    return number


@contextmanager
def running(project: Path, jobs: int) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own, with two attempts started."""
    command = [sys.executable, "-m", "sealbook", "run", "tiny", "--jobs", str(jobs), "--work-root", "work"]
    env = {"PATH": os.environ["PATH"], "HOME": str(project)}
    with subprocess.Popen(command, cwd=project, env=env, stderr=subprocess.PIPE, text=True) as process:
        try:
            until = time.monotonic() + SECONDS
            while most_at_once(ledger_of(project)) < min(jobs, 2) or len(ledger_of(project)) < 5:
                assert process.poll() is None, process.stderr.read() if process.stderr else ""
                assert time.monotonic() < until, "no two attempts were started"
                time.sleep(0.02)
            yield process
        finally:
            process.kill()


def all_below(process: subprocess.Popen[str]) -> list[Process]:
    table = snapshot()
    return [table[pid] for pid in descendants(table, [process.pid])]


def living(processes: list[Process]) -> list[str]:
    """Those of these very processes that have not ended within some seconds."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        left = [
            entry
            for entry in processes
            if (now := look(entry.pid)) is not None and now.started == entry.started and not now.zombie
        ]
        if not left:
            return []
        time.sleep(0.05)
    return [command_of(entry.pid) for entry in left]


@pytest.fixture
def project(tmp_path):
    """A project with one comparison whose attempts take a while."""
    root = tmp_path / "project"
    SLOW.write(root / "manifests")
    a_study(root / "manifests", study="checks")
    (root / "content").mkdir()
    (root / "content" / "site.toml").write_text("")
    (root / "work").mkdir()
    return root


def resumed(project: Path, jobs: int = 2) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sealbook", "run", "tiny", "--jobs", str(jobs), "--work-root", "work"]
    env = {"PATH": os.environ["PATH"], "HOME": str(project)}
    return subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)


def check_whole(project: Path, cut_off: int) -> None:
    """The run is sealed, every slot was accepted, and so many attempts were interrupted and made again."""
    (sealed,) = (open_run(path) for path in project.glob(".sealbook/runs/tiny/*/sealed"))
    tally = sealed.run.tally
    assert (tally.accepted, tally.planned, tally.superseded) == (8, 8, cut_off)
    assert sum(attempt.outcome is Outcome.interrupted for attempt in sealed.attempts) == cut_off
    assert list((project / "work").iterdir()) == [], "no attempt's folder is left"


@pytest.mark.report("A25")
def test_a_killed_runner_takes_its_whole_crew_with_it_and_the_same_command_goes_on(project):
    with running(project, 2) as process:
        below = all_below(process)
        assert len([entry for entry in below if "multiprocessing" in command_of(entry.pid)]) >= 2
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert living(below) == []
    cut_off = open_attempts(project)

    other = resumed(project, 1)
    assert other.returncode == 3
    assert "it began with --jobs 2, and now 1 are asked for" in other.stderr

    ended = resumed(project)
    assert ended.returncode == 0, ended.stderr
    check_whole(project, cut_off)


@pytest.mark.long
def test_a_runner_that_is_asked_to_stop_ends_its_crew_and_leaves_no_folder(project):
    with running(project, 2) as process:
        below = all_below(process)
        process.terminate()
        _, said = process.communicate()
    assert process.returncode == 3
    assert "stopped on request" in said
    assert living(below) == []
    assert list((project / "work").iterdir()) == []
    cut_off = open_attempts(project)

    ended = resumed(project)
    assert ended.returncode == 0, ended.stderr
    check_whole(project, cut_off)


@pytest.mark.long
def test_a_process_of_the_crew_that_is_killed_stops_the_run_and_the_same_command_goes_on(project):
    with running(project, 2) as process:
        below = all_below(process)
        victim = next(entry for entry in below if "spawn_main" in command_of(entry.pid))
        os.kill(victim.pid, signal.SIGKILL)
        _, said = process.communicate()
    assert process.returncode == 3
    assert "a process of the runner's own ended by itself (exit status -9)" in said
    assert living(below) == []
    cut_off = open_attempts(project)

    ended = resumed(project)
    assert ended.returncode == 0, ended.stderr
    check_whole(project, cut_off)


def test_a_qualification_is_performed_one_attempt_at_a_time_and_says_why(call, project, monkeypatch):
    monkeypatch.chdir(project)
    ended = call("run", "checks", "--jobs", "2")

    assert ended.code == 2
    assert "checks: a qualification measures times and races, so that one attempt at a time is performed" in ended.err
    assert not list(project.rglob(LEDGER_FILE))


def test_a_wish_for_no_attempt_at_all_is_refused(call, project, monkeypatch):
    monkeypatch.chdir(project)
    assert call("run", "tiny", "--jobs", "0").code == 2
