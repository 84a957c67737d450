"""The shipped comparison: its matrix, its scripts, and what a run of them comes to."""

import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from runner.contract.analysis.comparison import Completeness
from runner.contract.attempt import Attempt, Outcome
from runner.contract.comparison.detail import ComparisonDetail, UsableObservation
from runner.contract.comparison.metrics import Metric, Values
from runner.contract.comparison.tasks import Asked
from runner.contract.plan import Selection, as_comparison
from runner.kinds.comparison.kind import Comparison
from runner.reading.manifest import FrozenStudy, read_study
from tests.comparisons import run

LANES = ("symbol-operations", "source-first")
KNOWN = (-140, -30, -820, -4, -337, -538, 0, 0, 0, -40, -40, 0)
"""Left minus right of the pair of sessions at the stale signature."""
CRITERIA = {
    "signature-migration": ["signature", "identity", "callers", "meaning", "review", "authority"],
    "stale-signature-recovery": ["stale-detection", "recovery", "signature", "identity", "review", "authority"],
    "owned-signature-migration": [
        *("signature", "identity", "callers", "ownership", "meaning", "review", "authority"),
    ],
}


def values(attempt: Attempt) -> Values:
    """The twelve metrics of an attempt, which were all observed."""
    assert isinstance(attempt.detail, ComparisonDetail)
    assert isinstance(attempt.detail.observed, UsableObservation)
    return attempt.detail.observed.metrics


@pytest.fixture(scope="module")
def comparison(pytestconfig) -> FrozenStudy:
    return read_study(pytestconfig.rootpath / "manifests" / "agent-task-comparison")


def test_the_matrix_is_three_tasks_in_two_lanes_three_times_and_one_lane_is_not_run(comparison):
    plan = Comparison().plan(comparison, Selection.full)
    design, tasks = as_comparison(plan)

    assert len(plan.slots) == 18
    assert {task.id: list(task.criteria) for task in tasks.tasks} == CRITERIA
    assert tuple(lane.id for lane in design.available) == LANES
    assert sorted(Counter(slot.arm for slot in plan.slots[::2]).values()) == [4, 5]
    assert {item.arm for item in plan.exclusions} == {"language-server"}


@pytest.mark.rule("T84")
def test_its_six_scripts_are_checked_in_and_say_what_they_are(comparison):
    _, tasks = as_comparison(comparison)

    assert len(tasks.transcripts) == 6
    assert all("fixture" in script.agent.model for script in tasks.transcripts)


@pytest.mark.rule("T79", "T82", "T95")
def test_the_stale_signature_gives_the_known_row_of_differences(comparison, tmp_path):
    sealed = run(tmp_path, comparison, asked=Asked(task="stale-signature-recovery", trial=1))
    left, right = (sealed.attempt(f"{lane}.stale-signature-recovery.1") for lane in LANES)

    assert (left.outcome, right.outcome) == (Outcome.accepted, Outcome.accepted)
    one, other = (values(item) for item in (left, right))
    assert tuple(one.of(metric) - other.of(metric) for metric in Metric) == KNOWN
    assert sealed.run.analysis.disposition is Completeness.partial
    assert len(sealed.run.analysis.missing) == 16


@pytest.mark.rule("T85")
def test_without_the_probe_the_owned_signature_is_not_accepted_and_says_why(comparison, tmp_path):
    sealed = run(tmp_path, comparison, asked=Asked(task="owned-signature-migration", trial=2))

    assert {item.outcome for item in sealed.attempts} == {Outcome.rejected}
    assert {finding.criteria for finding in sealed.run.analysis.findings} == {("callers", "meaning")}


@pytest.mark.rule("T70", "T81")
def test_all_eighteen_attempts_of_two_runs_in_two_folders_leave_the_same_bytes(comparison, tmp_path):
    one, two = (run(tmp_path / name, comparison) for name in ("one", "another-folder"))

    assert len(one.attempts) == 18
    for name in ("ledger.json", "observation.json", "transcript.json", "candidate.diff"):
        paths = [f"artifacts/{item.attempt}/{name}" for item in one.attempts]
        assert [one.data(path) for path in paths] == [two.data(path) for path in paths]
    assert one.data("attempts.jsonl") == two.data("attempts.jsonl")
    assert one.folder != two.folder


@pytest.mark.long
@pytest.mark.rule("T85", "T87", "T88")
def test_with_the_probe_all_eighteen_are_accepted_and_every_pair_is_compared(comparison, tmp_path):
    probe = Path(sys.executable).with_name("mypy")
    if not probe.is_file():
        pytest.skip("mypy is not installed beside the interpreter")
    copied = tmp_path / "mypy"
    shutil.copy2(probe, copied)
    sealed = run(tmp_path, comparison, probes={"mypy": copied})

    assert sealed.run.tally.accepted == 18
    assert sealed.run.analysis.disposition is Completeness.complete
    rows = [tuple(item.metrics.of(metric) for metric in Metric) for item in sealed.run.analysis.differences]
    assert len(rows) == 9
    assert rows.count(KNOWN) == 3
