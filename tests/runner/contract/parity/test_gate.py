"""A gate decides by exact integers: on its bound, over a zero baseline, and on pairs that are not complete."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from runner.contract.parity.change import Change, Percentage, UndefinedPercentage, change
from runner.contract.parity.gate import (
    AtMost,
    Held,
    HoldReason,
    Pairs,
    Passed,
    StrictlyBelow,
    Unjudged,
    UnjudgedReason,
    judge,
)
from runner.contract.parity.quantile import Statistic

MS = 1_000_000
P95 = Statistic.p95
BOTH = AtMost(statistic=P95, percent_millionths=5_000_000, difference_ns=25 * MS)
PERCENT = AtMost(statistic=P95, percent_millionths=5_000_000)
DIFFERENCE = AtMost(statistic=P95, difference_ns=25 * MS)
BELOW = StrictlyBelow(statistic=P95, bound_ns=2 * MS)
TIMES = st.integers(0, 2**45)


@pytest.mark.rule("P116")
@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        (500 * MS, 525 * MS, Passed()),  # exactly 5 % and exactly 25 ms
        (500 * MS, 525 * MS + 1, Held(reason=HoldReason.exceeds_both)),
        (400 * MS, 420 * MS, Passed()),  # exactly 5 %
        (400 * MS, 420 * MS + 1, Held(reason=HoldReason.exceeds_percentage)),
        (1000 * MS, 1025 * MS, Passed()),  # exactly 25 ms
        (1000 * MS, 1025 * MS + 1, Held(reason=HoldReason.exceeds_difference)),
        (1000 * MS, 1 * MS, Passed()),
    ],
)
def test_a_gate_of_both_passes_exactly_on_its_bounds_and_holds_one_nanosecond_beyond(base, head, expected):
    assert judge(BOTH, base, head) == expected


@pytest.mark.rule("P116")
@pytest.mark.parametrize(
    ("head", "expected"),
    [(2 * MS - 1, Passed()), (2 * MS, Held(reason=HoldReason.not_below_bound)), (0, Passed())],
)
@pytest.mark.parametrize("base", [None, 0, 9 * MS])
def test_a_strict_bound_holds_what_is_exactly_on_it_whatever_the_base(base, head, expected):
    assert judge(BELOW, base, head) == expected


@given(TIMES, TIMES)
def test_both_limits_hold_whatever_one_of_them_holds(base, head):
    alone = [isinstance(judge(gate, base, head), Passed) for gate in (PERCENT, DIFFERENCE)]
    together = judge(BOTH, base, head)

    if base:
        assert isinstance(together, Passed) == all(alone)
    assert isinstance(judge(DIFFERENCE, base, head), Passed) == (head - base <= 25 * MS)


@given(st.integers(1, 2**45), TIMES)
def test_a_percentage_is_compared_as_an_exact_fraction(base, head):
    exact = Fraction(head - base, base) * 100 > 5

    assert (judge(PERCENT, base, head) == Held(reason=HoldReason.exceeds_percentage)) == exact


@pytest.mark.report("A12")
@pytest.mark.parametrize(
    ("head", "expected"),
    [(1, Passed()), (25 * MS, Passed()), (25 * MS + 1, Held(reason=HoldReason.exceeds_difference))],
)
def test_over_a_zero_baseline_the_ratio_is_undefined_and_the_difference_is_there_and_decides(head, expected):
    found = change(0, head)

    assert (found.defined, found.percentage(6)) == (False, UndefinedPercentage())
    assert found.difference_ns == head
    assert judge(BOTH, 0, head) == judge(DIFFERENCE, 0, head) == expected


@pytest.mark.report("A12")
def test_a_percentage_alone_over_a_zero_baseline_passes_nothing():
    assert judge(PERCENT, 0, 1) == judge(PERCENT, 0, 0) == Held(reason=HoldReason.undefined_change)


@pytest.mark.parametrize("gate", [BOTH, BELOW])
def test_an_incomplete_pair_holds_the_row_and_nothing_is_computed_on_the_rest(gate):
    pairs = Pairs(planned=64, complete=63)

    assert judge(gate, 1, 1, pairs) == Held(reason=HoldReason.incomplete_pairs)
    assert judge(gate, 1, 1, Pairs(planned=64, complete=64)) == Passed()


def test_a_row_with_an_unknown_figure_neither_passes_nor_holds():
    assert judge(BOTH, None, 1) == Unjudged(reason=UnjudgedReason.base_unknown)
    assert judge(BOTH, 1, None) == judge(BELOW, 1, None) == Unjudged(reason=UnjudgedReason.head_unknown)


@pytest.mark.parametrize(
    ("model", "fields"),
    [(AtMost, {"statistic": P95}), (StrictlyBelow, {"statistic": P95, "bound_ns": 0})],
)
def test_a_gate_that_limits_nothing_is_none(model, fields):
    with pytest.raises(ValidationError):
        model(**fields)


def test_more_pairs_than_planned_are_refused():
    with pytest.raises(ValidationError, match="65 pairs are complete, planned are 64"):
        Pairs(planned=64, complete=65)


@pytest.mark.parametrize(
    ("base", "head", "decimals", "digits"),
    [
        (687_480_170, 692_964_086, 6, 797_684),
        (684_077_129, 648_319_723, 6, -5_227_102),
        (687_480_170, 692_964_086, 2, 80),
        (200, 201, 0, 1),  # 0.5 % goes away from zero, either way
        (200, 199, 0, -1),
        (201, 202, 0, 0),
        (3, 4, 9, 33_333_333_333),
    ],
)
def test_a_percentage_is_rounded_to_the_nearest_digit(base, head, decimals, digits):
    assert change(base, head).percentage(decimals) == Percentage(digits=digits, decimals=decimals)


def test_a_change_beyond_any_exact_integer_is_still_computed():
    assert change(1, 2**45).percentage(9) == Percentage(digits=(2**45 - 1) * 10**11, decimals=9)


@given(st.integers(1, 2**45), TIMES, st.integers(0, 9))
def test_a_rounded_percentage_is_never_more_than_half_a_digit_off(base, head, decimals):
    found = change(base, head).percentage(decimals)

    assert isinstance(found, Percentage)
    exact = Fraction(head - base, base) * 100 * 10**decimals
    assert abs(found.digits - exact) <= Fraction(1, 2)
    assert Change(difference_ns=base - head, base_ns=base).percentage(decimals) == Percentage(
        digits=-found.digits, decimals=decimals
    )
