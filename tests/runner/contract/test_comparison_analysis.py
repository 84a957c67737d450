"""What a matrix shows once it is complete, and what it does not say before."""

import pytest
from pydantic import TypeAdapter

from runner.contract.analysis.comparison import ComparisonAnalysis, Completeness, ObservedTotals, UnknownTotals
from runner.contract.analysis.count import counting
from runner.contract.attempt import Outcome, Reason, ReasonCode
from runner.contract.comparison.detail import UsableObservation
from runner.contract.comparison.metrics import MOST_EVENTS, MOST_OF_AN_EVENT, Metric, Values
from runner.contract.comparison.tasks import Asked
from runner.reading.sealed import SealedRun
from tests.comparisons import GOOD, SYMBOLS, TEXT, Tiny, both_lanes, run, tool, usage, written
from tests.factories import counted


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


def test_verdicts_are_counted_by_lane_and_criterion_out_of_what_was_planned(tmp_path):
    broken = tool(written("shop/sums.py", "def total(lines):\n    return 0\n"))
    tiny = Tiny(sessions=both_lanes(usage(), broken), repetitions=2, tasks=("narrow", "again"))
    found = analysed(run(tmp_path, tiny.read(tmp_path / "manifests"))).criteria

    order = ("signature", "callers", "review", "authority", "meaning")
    assert [(item.arm, item.task, item.criterion) for item in found] == [
        (lane, task, name) for lane in (SYMBOLS, TEXT) for task in ("narrow", "again") for name in order
    ]
    assert {(item.arm, item.planned, item.not_judged) for item in found} == {(SYMBOLS, 2, 0), (TEXT, 2, 0)}
    assert [item.met for item in found if item.arm == SYMBOLS] == [2] * 10
    assert [(item.met, item.not_met) for item in found if (item.arm, item.task) == (TEXT, "again")] == [
        (2, 0), (0, 2), (2, 0), (2, 0), (0, 2),
    ]  # fmt: skip


def test_a_verdict_after_the_cap_and_an_attempt_that_did_not_begin_are_not_judged(tmp_path):
    sealed = run(tmp_path, Tiny(repetitions=3).read(tmp_path / "manifests"))
    (first, second, _) = [item for item in sealed.attempts if item.arm == TEXT]
    late = Reason(code=ReasonCode.wall_cap, at=None)
    second = second.model_copy(update={"outcome": Outcome.timed_out, "reason": late, "passed_after_cap": True})
    found = counted(counting(sealed.plan, sealed.data), [first, second]).analysis()

    assert isinstance(found, ComparisonAnalysis)
    assert {(item.arm, item.planned, item.met, item.not_met, item.not_judged) for item in found.criteria} == {
        (SYMBOLS, 3, 0, 0, 3), (TEXT, 3, 1, 0, 2),
    }  # fmt: skip


def test_an_attempt_that_was_made_again_is_counted_once(tmp_path):
    sealed = run(tmp_path, Tiny().read(tmp_path / "manifests"))
    (first,) = [item for item in sealed.attempts if item.arm == TEXT]
    again = first.model_copy(update={"retry": 1, "attempt": f"{first.attempt}.r1"})
    found = counted(counting(sealed.plan, sealed.data), [first, again]).analysis()

    assert isinstance(found, ComparisonAnalysis)
    assert {(item.planned, item.met) for item in found.criteria if item.arm == TEXT} == {(1, 1)}


def test_totals_that_no_exact_integer_can_hold_are_unknown_and_can_be_sealed_all_the_same(tmp_path):
    sealed = run(tmp_path, Tiny(repetitions=2).read(tmp_path / "manifests"))
    vast = UsableObservation(metrics=Values(**dict.fromkeys(Metric, MOST_EVENTS * MOST_OF_AN_EVENT)))
    attempts = (
        item.model_copy(update={"detail": item.detail.model_copy(update={"observed": vast})})
        if item.arm == TEXT
        else item
        for item in sealed.attempts
    )
    found = counted(counting(sealed.plan, sealed.data), attempts).analysis()

    assert isinstance(found, ComparisonAnalysis)
    left, right = found.lanes
    assert isinstance(left.metrics, ObservedTotals)
    assert isinstance(right.metrics, UnknownTotals)
    assert "the largest exact integer: model_input_tokens, model_output_tokens" in right.metrics.reason
    assert len(found.differences) == 2
    assert TypeAdapter(ComparisonAnalysis).validate_json(found.canonical()) == found


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
