"""The false-hold rate is what resampling the base against itself gives, and anybody can make it again."""

from fractions import Fraction
from hashlib import sha256
from itertools import pairwise, product
from math import comb
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from runner.contract.parity.false_hold import (
    RESAMPLINGS,
    FalseHoldRate,
    UnknownFalseHoldRate,
    false_hold_rate,
)
from runner.contract.parity.gate import AtMost, Held, StrictlyBelow, judge
from runner.contract.parity.quantile import Quantile, Statistic, quantile, rank
from runner.contract.values import Ratio

MS = 1_000_000
P50, P95 = Statistic.p50, Statistic.p95
BOTH = AtMost(statistic=P95, percent_millionths=5_000_000, difference_ns=25 * MS)
DIFFERENCE = AtMost(statistic=P50, difference_ns=3 * MS)
BELOW = StrictlyBelow(statistic=P95, bound_ns=790 * MS)
GATES = [BOTH, DIFFERENCE, BELOW]
# 64 different times from 600 to 810 ms, with a tail like that of a command.
SAMPLES = [(600 + (37 * i) % 64 + ((37 * i) % 64) ** 3 // 1700) * MS + i for i in range(64)]
FEW = st.lists(st.integers(1, 2**45), min_size=1, max_size=12)
SEEDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


def rate(gate, samples, seed="sealbook", **more):
    found = false_hold_rate(gate, samples, len(samples), seed=seed, **more)
    assert isinstance(found, FalseHoldRate)
    return found


def exact_rate(gate, samples):
    """The share among all n**2n resamplings. The r-th of n draws is at most x if r of them are: a binomial tail."""
    ordered = sorted(samples)
    n = len(ordered)
    r = rank(n, gate.statistic.percent)

    def at_most(place):
        return sum(Fraction(comb(n, k) * place**k * (n - place) ** (n - k), n**n) for k in range(r, n + 1))

    tails = [at_most(place) for place in range(n + 1)]
    parts = [after - before for before, after in pairwise(tails)]
    return sum(
        (parts[i] * parts[j] for i, j in product(range(n), repeat=2) if held(gate, ordered[i], ordered[j])), Fraction(0)
    )


def held(gate, base, head):
    return isinstance(judge(gate, base, head), Held)


def recomputed(gate, samples, seed, resamplings):
    """As the docstrings say it, with nothing of ours but the gate and the quantile."""
    ordered, n, block = sorted(samples), len(samples), 0
    drawn: list[int] = []
    while len(drawn) < 2 * n * resamplings:
        hexadecimal = sha256(f"{seed}:false-hold:{block}".encode()).hexdigest()
        numbers = [int(hexadecimal[place : place + 8], 16) for place in range(0, 64, 8)]
        drawn += [ordered[number % n] for number in numbers if number < 2**32 // n * n]
        block += 1
    holds = 0
    for start in range(0, 2 * n * resamplings, 2 * n):
        sides = drawn[start : start + n], drawn[start + n : start + 2 * n]
        base, head = (quantile(side, gate.statistic) for side in sides)
        assert isinstance(base, Quantile)
        assert isinstance(head, Quantile)
        holds += held(gate, base.value_ns, head.value_ns)
    return holds


@pytest.mark.parametrize(("gate", "holds"), [(BOTH, 106), (DIFFERENCE, 391), (BELOW, 347)])
def test_known_rates_of_known_samples(gate, holds):
    assert rate(gate, SAMPLES) == FalseHoldRate(
        held=Ratio(numerator=holds, denominator=1000), samples=64, seed="sealbook"
    )


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("count", [3, 16, 64])
def test_the_rate_is_as_near_to_the_exact_one_as_so_many_resamplings_come(gate, count):
    samples = SAMPLES[:count]
    exact = float(exact_rate(gate, samples))
    found = rate(gate, samples, resamplings=4000).held

    error = (exact * (1 - exact) / 4000) ** 0.5
    assert abs(found.numerator / found.denominator - exact) <= 4 * error


@given(st.sampled_from(GATES), FEW, SEEDS)
def test_anybody_can_draw_the_same_resamplings(gate, samples, seed):
    assert rate(gate, samples, seed, resamplings=5).held.numerator == recomputed(gate, samples, seed, 5)


@given(FEW, SEEDS, st.randoms())
def test_equal_samples_in_any_order_and_an_equal_seed_give_an_equal_rate(samples, seed, random):
    shuffled = list(samples)
    random.shuffle(shuffled)

    assert rate(BOTH, samples, seed, resamplings=9) == rate(BOTH, shuffled, seed, resamplings=9)


@given(st.integers(0, 2**45), st.integers(1, 12))
def test_constant_samples_are_held_never_by_a_difference_and_always_by_a_bound_they_reach(time, count):
    at_most, below = rate(BOTH, [time] * count, resamplings=9), rate(BELOW, [time] * count, resamplings=9)

    assert at_most.held == Ratio(numerator=0, denominator=9)
    assert below.held == Ratio(numerator=9 if time >= 790 * MS else 0, denominator=9)


def test_a_difference_exactly_on_the_gate_is_no_false_hold_and_a_nanosecond_more_is_one():
    on, beyond = ([0] * 32 + [step] * 32 for step in (3 * MS, 3 * MS + 1))

    assert rate(DIFFERENCE, on).held.numerator == 0
    assert rate(DIFFERENCE, beyond).held.numerator > 0


def test_another_seed_gives_another_count_of_about_the_same_size():
    one, other = (rate(BOTH, SAMPLES, seed).held.numerator for seed in ("sealbook", "another"))

    assert one != other
    assert abs(one - other) < 100


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize(
    ("count", "reason"), [(63, "63 of 64 samples are complete"), (0, "0 of 64 samples are complete")]
)
def test_without_a_complete_set_of_samples_the_rate_is_unknown(gate, count, reason):
    assert false_hold_rate(gate, SAMPLES[:count], 64, seed="s") == UnknownFalseHoldRate(reason=reason)


def test_more_samples_than_planned_no_resampling_and_an_impossible_rate_are_refused():
    with pytest.raises(ValidationError, match="64 pairs are complete, planned are 63"):
        false_hold_rate(BOTH, SAMPLES, 63, seed="s")
    with pytest.raises(ValueError, match="no rate of 0 resamplings"):
        false_hold_rate(BOTH, SAMPLES, 64, seed="s", resamplings=0)
    with pytest.raises(ValidationError, match="2 of 1 resamplings"):
        FalseHoldRate(held=Ratio(numerator=2, denominator=1), samples=1, seed="s")


def test_five_gates_of_64_samples_take_a_verifier_well_under_a_second():
    begun = process_time()
    for row in range(5):
        rate(BOTH, SAMPLES, f"row-{row}", resamplings=RESAMPLINGS)

    assert process_time() - begun < 2
