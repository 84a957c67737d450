"""A quantile is one of the samples, by nearest rank over all of them, however few there are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.parity.quantile import Quantile, Statistic, UnknownQuantile, is_largest, quantile, rank

SAMPLES = st.lists(st.integers(0, 2**40), min_size=1, max_size=300)
STATISTICS = st.sampled_from(Statistic)


@pytest.mark.rule("P115")
@pytest.mark.parametrize(
    ("samples", "percent", "expected"),
    [
        (64, 50, 32),
        (64, 95, 61),
        (16, 50, 8),
        (16, 95, 16),
        (128, 50, 64),
        (128, 95, 122),
        (256, 50, 128),
        (256, 95, 244),
    ],
)
def test_the_ranks_of_the_frozen_sample_counts_are_these(samples, percent, expected):
    assert rank(samples, percent) == expected


@pytest.mark.report("A10")
@pytest.mark.parametrize(("samples", "p50", "p95"), [([1], 1, 1), ([1, 2], 1, 2), ([2, 1], 1, 2), ([7] * 5, 7, 7)])
def test_few_samples_give_one_of_themselves(samples, p50, p95):
    found = [quantile(samples, statistic) for statistic in (Statistic.p50, Statistic.p95)]

    assert [item.value_ns for item in found if isinstance(item, Quantile)] == [p50, p95]


@pytest.mark.report("A10")
def test_no_sample_is_an_unknown_with_a_reason_and_no_number():
    assert quantile([], Statistic.p95) == UnknownQuantile(reason="no sample")


@pytest.mark.report("A10")
@pytest.mark.rule("P115")
@given(SAMPLES, STATISTICS)
def test_the_quantile_of_any_samples_is_their_nearest_rank_with_none_left_out(samples, statistic):
    found = quantile(samples, statistic)

    assert isinstance(found, Quantile)
    assert found.value_ns in samples
    assert found.samples == len(samples)
    # As defined: the least value that at least so many percent of all samples do not exceed.
    enough = [x for x in samples if sum(y <= x for y in samples) * 100 >= statistic.percent * len(samples)]
    assert found.value_ns == min(enough)


@given(SAMPLES, STATISTICS, st.randoms())
def test_the_order_of_the_samples_changes_nothing(samples, statistic, random):
    shuffled = list(samples)
    random.shuffle(shuffled)

    assert quantile(shuffled, statistic) == quantile(samples, statistic)


def test_a_p95_of_16_is_the_largest_sample_and_one_of_64_is_not():
    assert [is_largest(count, Statistic.p95) for count in (1, 16, 19, 20, 64)] == [True, True, True, False, False]
    assert [is_largest(count, Statistic.p50) for count in (1, 2)] == [True, False]


@pytest.mark.parametrize(("samples", "percent"), [(0, 95), (-1, 95), (10, 0), (10, 101)])
def test_a_rank_that_nobody_can_give_is_refused(samples, percent):
    with pytest.raises(ValueError, match="no "):
        rank(samples, percent)
