"""What a matrix shows once it is complete, and what it does not say before."""

import pytest

from runner.contract.analysis.comparison import ComparisonAnalysis, Completeness, ObservedTotals
from runner.contract.comparison.tasks import Asked
from runner.reading.sealed import SealedRun
from tests.comparisons import GOOD, SYMBOLS, TEXT, Tiny, both_lanes, run, tool, usage, written


def analysed(sealed: SealedRun) -> ComparisonAnalysis:
    """The analysis of a run that is a comparison."""
    assert isinstance(sealed.run.analysis, ComparisonAnalysis)
    return sealed.run.analysis


@pytest.mark.rule("T88")
def test_differences_are_left_minus_right_pair_by_pair_once_nothing_is_missing(tmp_path):
    analysis = analysed(run(tmp_path, Tiny(repetitions=2).read(tmp_path / "manifests")))

    assert analysis.disposition is Completeness.complete
    assert analysis.missing == ()
    assert [(item.task, item.trial, item.left, item.right) for item in analysis.differences] == [
        ("narrow", trial, f"{SYMBOLS}.narrow.{trial}", f"{TEXT}.narrow.{trial}") for trial in (1, 2)
    ]
    first = analysis.differences[0].metrics
    assert (first.model_input_tokens, first.model_output_tokens, first.tool_calls) == (-10, -1, -1)
    assert (first.validation_wall_ms, first.review_wall_ms, first.human_interventions) == (-2, -2, 0)
    left, right = analysis.lanes
    assert (left.observed, left.completed, left.criteria_passed) == (2, 2, 2 * 5)
    assert isinstance(right.metrics, ObservedTotals)
    assert right.metrics.values.tool_request_bytes == 2 * 2 * 5


@pytest.mark.rule("T88")
def test_a_selected_part_of_the_matrix_is_partial_and_says_what_is_missing(tmp_path):
    sealed = run(tmp_path, Tiny(repetitions=2).read(tmp_path / "manifests"), asked=Asked(trial=1))
    analysis = analysed(sealed)

    assert sealed.run.selection.value == "selected"
    assert analysis.disposition is Completeness.partial
    assert [(item.arm, item.trial, item.reason) for item in analysis.missing] == [
        (SYMBOLS, 2, "not selected"),
        (TEXT, 2, "not selected"),
    ]
    assert analysis.differences == ()
    assert sealed.run.tally.planned == 2


def test_a_pair_of_different_agents_is_not_compared(tmp_path):
    analysis = analysed(run(tmp_path, Tiny(agents={TEXT: "script-2"}).read(tmp_path / "manifests")))

    assert analysis.disposition is Completeness.partial
    assert [(item.arm, item.reason) for item in analysis.missing] == [(TEXT, "differs from its pair in model")]
    assert analysis.differences == ()


def test_a_rejected_attempt_is_observed_and_keeps_its_place(tmp_path):
    tiny = Tiny(sessions=both_lanes(usage(), tool(written("shop/sums.py", "def total(lines):\n    return 0\n"))))
    analysis = analysed(run(tmp_path, tiny.read(tmp_path / "manifests")))

    assert analysis.disposition is Completeness.complete
    assert [item.attempt for item in analysis.findings] == [f"{TEXT}.narrow.1"]
    assert [(item.observed, item.completed) for item in analysis.lanes] == [(1, 1), (1, 0)]
    assert len(analysis.differences) == 1


@pytest.mark.rule("T68")
def test_a_lane_that_is_not_run_is_excluded_and_never_estimated(tmp_path):
    sealed = run(tmp_path, Tiny(sessions=GOOD).read(tmp_path / "manifests"))

    assert [(item.arm, item.reason.value) for item in sealed.plan.exclusions] == [("elsewhere", "external-unrun")]
    analysis = analysed(sealed)
    assert {item.arm for item in analysis.lanes} == {SYMBOLS, TEXT}
    (cell,) = [item for item in analysis.cells if item.arm == "elsewhere"]
    assert (cell.tally.planned, cell.tally.excluded) == (0, 1)
