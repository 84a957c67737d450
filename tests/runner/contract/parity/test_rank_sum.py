"""The rank-sum test counts every choice there is: as published, and as counted one by one."""

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.parity.rank_sum import RankSum, rank_sum

# Few different values, so that ties are as usual as none.
MARKED = st.lists(st.tuples(st.integers(-4, 4) | st.integers(-(2**45), 2**45), st.booleans()), min_size=1, max_size=9)


def of(chosen, others):
    return rank_sum([*chosen, *others], [True] * len(chosen) + [False] * len(others))


def counted_one_by_one(marked):
    """By Mann and Whitney's U over all choices, where ours adds ranks: how often is a chosen value the larger one?"""
    values = [value for value, _ in marked]
    made = tuple(place for place, (_, is_chosen) in enumerate(marked) if is_chosen)

    def distance(places):
        others = [value for place, value in enumerate(values) if place not in places]
        signs = [(values[place] > other) - (values[place] < other) for place in places for other in others]
        return abs(sum(signs))

    distances = [distance(places) for places in combinations(range(len(values)), len(made))]
    return RankSum(
        Fraction(sum(found >= distance(made) for found in distances), len(distances)),
        Fraction(distances.count(max(distances)), len(distances)),
    )


@pytest.mark.parametrize(
    ("chosen", "others", "p"),
    [
        # SciPy's documentation of `mannwhitneyu`: ages at diagnosis of five men and four women, U = 17, p = 0.111.
        ([19, 22, 16, 29, 24], [20, 11, 17, 12], Fraction(14, 126)),
        ([1, 2, 3, 4], [5, 6, 7, 8], Fraction(2, 70)),
        ([1, 4], [2, 3], Fraction(1)),
        ([1, 1], [1, 1], Fraction(1)),
    ],
)
def test_known_values(chosen, others, p):
    assert of(chosen, others).p == of(others, chosen).p == p


@given(MARKED)
def test_it_is_what_counting_every_choice_gives(marked):
    values, chosen = zip(*marked, strict=True)

    assert rank_sum(values, chosen) == counted_one_by_one(marked)


@given(MARKED)
def test_neither_the_side_nor_the_sign_nor_the_order_of_values_changes_it(marked):
    values, chosen = zip(*marked, strict=True)
    found = rank_sum(values, chosen)

    assert found == rank_sum(values, [not is_chosen for is_chosen in chosen])
    assert found == rank_sum([-value for value in values], chosen)
    assert found == rank_sum(values[::-1], chosen[::-1])
    assert 0 < found.least <= found.p <= 1


@pytest.mark.parametrize("count", [64, 128])
def test_the_two_farthest_choices_among_many_values_are_two_of_all(count):
    half = count // 2

    assert of(range(half), range(half, count)) == RankSum(
        Fraction(2, comb(count, half)), Fraction(2, comb(count, half))
    )


@pytest.mark.parametrize(("values", "chosen"), [([], []), ([1, 2], [True])])
def test_values_without_a_mark_each_are_refused(values, chosen):
    with pytest.raises(ValueError, match="no rank sum of"):
        rank_sum(values, chosen)
