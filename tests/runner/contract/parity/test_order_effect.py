"""The order of matched pairs is drawn, balanced and repeatable, and an effect of it is seen, not seen, or unknown."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from runner.contract.parity.order_effect import (
    LEVEL,
    MOST_PAIRS,
    InOneOrder,
    MatchedPair,
    OrderEffect,
    UnknownOrderEffect,
    order_effect,
    order_of_pairs,
)
from runner.contract.values import Ratio

MS = 1_000_000
SEEDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
TIMES = st.integers(0, 2**45)
PAIRS = st.lists(st.builds(MatchedPair, TIMES, TIMES, st.booleans()), min_size=1, max_size=12)
ANY_LEVEL = Ratio(numerator=1, denominator=2)


def measured(differences, order):
    return [
        MatchedPair(700 * MS, 700 * MS + difference, first)
        for difference, first in zip(differences, order, strict=True)
    ]


def pairs_of(base_first, head_first):
    return measured([*base_first, *head_first], [True] * len(base_first) + [False] * len(head_first))


def checked(pairs, level=LEVEL):
    return order_effect(pairs, len(pairs), level=level)


def test_the_order_of_a_known_seed_is_this():
    drawn = "".join("BH"[not first] for first in order_of_pairs("sealbook", 16))

    assert drawn == "HBBHHBBBBHHBHBHH"
    assert order_of_pairs("sealbook", 1) == (True,)


@given(SEEDS, st.integers(1, 200))
def test_base_runs_first_in_half_of_the_pairs_and_in_one_more_of_an_odd_number(seed, pairs):
    order = order_of_pairs(seed, pairs)

    assert order == order_of_pairs(seed, pairs)
    assert (len(order), sum(order)) == (pairs, (pairs + 1) // 2)


def test_every_balanced_order_is_drawn_about_equally_often():
    times: dict[tuple[bool, ...], int] = {}
    for number in range(6000):
        order = order_of_pairs(f"seed-{number}", 4)
        times[order] = times.get(order, 0) + 1

    assert len(times) == 6
    assert all(abs(count - 1000) < 4 * (1000 * 5 / 6) ** 0.5 for count in times.values())


def test_the_order_does_not_simply_alternate():
    order = order_of_pairs("sealbook", 64)

    assert 10 < sum(one is other for one, other in pairwise(order)) < 53


def test_an_effect_of_the_order_is_seen_with_both_medians_and_an_exact_p():
    # Whoever runs second takes 3 ms longer; the noise is smaller than that.
    order = order_of_pairs("sealbook", 64)
    pairs = measured([(3 * MS if first else -3 * MS) + 1000 * place for place, first in enumerate(order)], order)

    assert checked(pairs) == OrderEffect(
        verdict="seen",
        base_first=InOneOrder(pairs=32, median_difference_ns=3 * MS + 1000 * median_place(order, base_first=True)),
        head_first=InOneOrder(pairs=32, median_difference_ns=-3 * MS + 1000 * median_place(order, base_first=False)),
        p_millionths=1,
        level=LEVEL,
    )


def median_place(order, *, base_first):
    return [place for place, first in enumerate(order) if first is base_first][15]


def test_a_slower_head_and_a_drift_are_no_effect_of_the_order():
    order = order_of_pairs("sealbook", 64)
    found = checked(measured([20 * MS + 50_000 * place for place in range(64)], order))

    assert isinstance(found, OrderEffect)
    assert found.verdict == "none-seen"


@pytest.mark.parametrize(
    ("level", "verdict"),
    [
        (Ratio(numerator=14, denominator=126), "seen"),  # exactly p
        (Ratio(numerator=111_111, denominator=1_000_000), "none-seen"),
    ],
)
def test_a_p_exactly_on_the_level_is_seen(level, verdict):
    # The published example of test_rank_sum.py: p is 1/9, rounded up to millionths.
    assert checked(pairs_of([19, 22, 16, 29, 24], [20, 11, 17, 12]), level) == OrderEffect(
        verdict=verdict,
        base_first=InOneOrder(pairs=5, median_difference_ns=22),
        head_first=InOneOrder(pairs=4, median_difference_ns=12),
        p_millionths=111_112,
        level=level,
    )


@given(PAIRS)
def test_exchanging_the_orders_exchanges_the_medians_and_nothing_else(pairs):
    found = checked(pairs, ANY_LEVEL)
    exchanged = checked([MatchedPair(p.base_ns, p.head_ns, not p.base_first) for p in pairs], ANY_LEVEL)

    if isinstance(found, OrderEffect):
        assert exchanged == found.model_copy(update={"base_first": found.head_first, "head_first": found.base_first})
    else:
        assert exchanged == found


@given(PAIRS)
def test_exchanging_base_and_head_changes_no_verdict(pairs):
    found = checked(pairs, ANY_LEVEL)
    exchanged = checked([MatchedPair(p.head_ns, p.base_ns, not p.base_first) for p in pairs], ANY_LEVEL)

    assert exchanged.verdict == found.verdict
    if isinstance(found, OrderEffect) and isinstance(exchanged, OrderEffect):
        assert exchanged.p_millionths == found.p_millionths


@given(PAIRS, TIMES)
def test_what_head_takes_longer_in_both_orders_changes_no_p(pairs, more):
    found = checked(pairs, ANY_LEVEL)
    slower = checked([MatchedPair(p.base_ns, p.head_ns + more, p.base_first) for p in pairs], ANY_LEVEL)

    assert slower.verdict == found.verdict
    if isinstance(found, OrderEffect) and isinstance(slower, OrderEffect):
        assert slower.p_millionths == found.p_millionths


def test_without_an_effect_at_most_one_order_in_a_hundred_is_called_one():
    orders = [order_of_pairs(f"seed-{number}", 20) for number in range(1000)]
    seen = sum(checked(measured(range(20), order)).verdict == "seen" for order in orders)

    assert 0 < seen < 10 + 4 * 10**0.5


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        (pairs_of([1, 2, 3, 4], [5, 6, 7, 8]), "no order of these 8 pairs could show an effect at this level"),
        (pairs_of([5] * 32, [5] * 32), "no order of these 64 pairs could show an effect at this level"),
        (pairs_of(range(64), []), "no order of these 64 pairs could show an effect at this level"),
        (pairs_of(range(65), range(64)), "the exact test is not made on more than 128 pairs"),
    ],
)
def test_pairs_that_could_show_nothing_are_unknown_and_not_clean(pairs, reason):
    assert checked(pairs) == UnknownOrderEffect(reason=reason)


def test_an_incomplete_pair_makes_the_check_unknown_and_nothing_is_computed_on_the_rest():
    pairs = pairs_of(range(32), range(100, 131))

    assert checked(pairs).verdict == "seen"
    assert order_effect(pairs, 64) == UnknownOrderEffect(reason="63 of 64 pairs are complete")
    assert order_effect([], 64) == UnknownOrderEffect(reason="0 of 64 pairs are complete")


def test_as_many_pairs_as_allowed_are_checked():
    half = MOST_PAIRS // 2

    assert checked(pairs_of(range(half), range(half, MOST_PAIRS))).verdict == "seen"


@pytest.mark.parametrize("level", [Ratio(numerator=0, denominator=100), Ratio(numerator=1, denominator=1)])
def test_a_level_that_decides_nothing_is_refused(level):
    with pytest.raises(ValueError, match="no level of"):
        checked(pairs_of([1], [2]), level)


def test_more_pairs_than_planned_and_an_order_of_none_are_refused():
    with pytest.raises(ValidationError, match="2 pairs are complete, planned are 1"):
        order_effect(pairs_of([1], [2]), 1)
    with pytest.raises(ValueError, match="no order of 0 pairs"):
        order_of_pairs("sealbook", 0)
