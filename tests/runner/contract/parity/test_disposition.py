"""A hold stays: nothing that comes later changes what an earlier version amounts to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.parity.disposition import GateDisposition, disposition, overall
from runner.contract.parity.gate import Held, HoldReason, Passed, Unjudged, UnjudgedReason

HOLD = Held(reason=HoldReason.exceeds_difference)
UNJUDGED = Unjudged(reason=UnjudgedReason.base_unknown)
JUDGEMENTS = st.lists(st.sampled_from([Passed(), HOLD, UNJUDGED]), max_size=6)
DISPOSITIONS = st.lists(st.sampled_from(GateDisposition), max_size=6)


@pytest.mark.parametrize(
    ("judgements", "whole", "expected"),
    [
        ([Passed(), Passed()], True, GateDisposition.passed),
        ([Passed(), HOLD, UNJUDGED], True, GateDisposition.owner_review_hold),
        ([HOLD], False, GateDisposition.owner_review_hold),
        ([Passed(), UNJUDGED], True, GateDisposition.not_yet_proven),
        ([Passed()], False, GateDisposition.not_yet_proven),
        ([], True, GateDisposition.not_yet_proven),
    ],
)
def test_one_held_row_holds_a_version_and_only_all_rows_together_pass_it(judgements, whole, expected):
    assert disposition(judgements, whole=whole) is expected


@given(JUDGEMENTS, JUDGEMENTS)
def test_no_further_row_lifts_a_hold(judgements, more):
    if disposition(judgements, whole=True) is GateDisposition.owner_review_hold:
        assert disposition([*judgements, *more], whole=True) is GateDisposition.owner_review_hold


@pytest.mark.rule("P121")
@given(DISPOSITIONS, DISPOSITIONS)
def test_no_later_version_lifts_the_hold_of_an_earlier_one(versions, later):
    if overall(versions) is GateDisposition.owner_review_hold:
        assert overall([*versions, *later]) is GateDisposition.owner_review_hold


def test_versions_without_a_hold_amount_to_what_the_last_one_does():
    assert overall([GateDisposition.not_yet_proven, GateDisposition.passed]) is GateDisposition.passed
    assert overall([GateDisposition.passed, GateDisposition.not_yet_proven]) is GateDisposition.not_yet_proven
    assert overall([]) is GateDisposition.not_yet_proven
