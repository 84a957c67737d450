"""The whole runner is killed in the middle of an attempt, and the run goes on exactly where it was."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runner.contract.attempt import Outcome
from tests.factories import ScriptedKind, a_sealed_run, an_order
from tests.studies import a_study

ROOT = Path(__file__).parents[2]
CHILD = Path(__file__).with_name("killed_run.py")


def run_and_end(folder: Path, attempt: str, number: int) -> subprocess.CompletedProcess[str]:
    """Run the study in a child that ends itself by a signal in one attempt."""
    return subprocess.run(
        [sys.executable, "-B", CHILD, folder, attempt, str(number)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.rule("R4")
@pytest.mark.parametrize("number", [0, 5, 11])
def test_a_run_killed_in_any_attempt_is_finished_by_the_next(tmp_path, number):
    study = a_study(tmp_path / "manifests")
    slots = [slot.attempt_id(0) for slot in ScriptedKind().plan(study, an_order(tmp_path, study).selection).slots]
    ended = run_and_end(tmp_path, slots[number], signal.SIGKILL)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    neighbour = tmp_path / "work-root" / "sealbook-of-somebody-else"
    neighbour.mkdir()
    assert len(list(neighbour.parent.iterdir())) == 2, "the killed runner could not tidy up"

    kind = ScriptedKind()
    sealed = a_sealed_run(tmp_path, study, kind)

    assert kind.performed == slots[number:], "what was acknowledged is not performed again"
    assert sealed.attempt(slots[number]).outcome is Outcome.interrupted
    assert sealed.attempt(f"{slots[number]}.r1").outcome is Outcome.accepted
    assert (sealed.run.tally.accepted, sealed.run.tally.superseded) == (len(slots), 1)
    assert list(neighbour.parent.iterdir()) == [neighbour], "its own folder is removed, and nobody else's"
    starts = [timing.started_ns for timing in sealed.timings]
    assert starts == sorted(starts), "the stopwatch does not run backwards across a crash"
