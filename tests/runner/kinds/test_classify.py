"""The table of outcomes, whole: every halt, every verdict, before and after the cap."""

import itertools

import pytest

from runner.contract.attempt import Criterion, Outcome, Reason, ReasonCode, Verdict
from runner.kinds.classify import Halt, classify

MET, NOT_MET, NOT_REACHED = Verdict.met, Verdict.not_met, Verdict.not_reached
FAILED, TIMED_OUT, REJECTED, ACCEPTED = Outcome.failed_to_run, Outcome.timed_out, Outcome.rejected, Outcome.accepted
TABLE = [
    # halted by, verdicts, after the cap, outcome, reason, passed after the cap
    (ReasonCode.runner_fault, [MET, NOT_REACHED], False, FAILED, ReasonCode.runner_fault, False),
    (ReasonCode.process_not_started, [NOT_REACHED], True, FAILED, ReasonCode.process_not_started, False),
    (ReasonCode.setup_step_failed, [NOT_MET, NOT_REACHED], False, FAILED, ReasonCode.setup_step_failed, False),
    (ReasonCode.boundary_not_reached, [MET, NOT_REACHED], False, FAILED, ReasonCode.boundary_not_reached, False),
    (ReasonCode.wall_cap, [MET, NOT_REACHED], True, TIMED_OUT, ReasonCode.wall_cap, False),
    (ReasonCode.wall_cap, [MET, NOT_MET], True, TIMED_OUT, ReasonCode.wall_cap, False),
    (ReasonCode.criterion_not_met, [NOT_MET, NOT_REACHED, MET], False, REJECTED, ReasonCode.criterion_not_met, False),
    (None, [MET, NOT_MET], False, REJECTED, ReasonCode.criterion_not_met, False),
    (None, [MET, NOT_MET], True, REJECTED, ReasonCode.criterion_not_met, False),
    (None, [MET, MET], True, TIMED_OUT, ReasonCode.wall_cap, True),
    (None, [MET, MET], False, ACCEPTED, None, False),
    (None, [MET, NOT_REACHED], False, FAILED, ReasonCode.runner_fault, False),
]


def criteria(verdicts):
    return [Criterion(id=f"step.{n}", verdict=verdict) for n, verdict in enumerate(verdicts, 1)]


@pytest.mark.parametrize(("halted", "verdicts", "over", "outcome", "reason", "late"), TABLE)
def test_each_row_of_the_table(halted, verdicts, over, outcome, reason, late):
    halt = Halt(halted, "here") if halted else None
    said = classify(criteria(verdicts), halt, over_cap=over)

    assert (said.outcome, said.reason.code if said.reason else None) == (outcome, reason)
    assert said.passed_after_cap is late


def test_a_rejection_names_the_first_criterion_that_was_not_met():
    said = classify(criteria([MET, NOT_MET, NOT_MET]), None, over_cap=False)

    assert said.reason == Reason(code=ReasonCode.criterion_not_met, at="step.2")


def test_it_is_total_and_never_accepts_more_than_all_met_in_time():
    halts = [None, *(Halt(code, "here") for code in ReasonCode)]
    for halt, over in itertools.product(halts, [False, True]):
        for verdicts in itertools.product(Verdict, repeat=3):
            said = classify(criteria(verdicts), halt, over_cap=over)
            all_met = set(verdicts) == {MET}

            assert (said.reason is None) == (said.outcome is ACCEPTED)
            assert said.outcome is not ACCEPTED or (all_met and not over)
            assert not said.passed_after_cap or (all_met and said.outcome is TIMED_OUT)
            assert said.outcome is not REJECTED or NOT_MET in verdicts
