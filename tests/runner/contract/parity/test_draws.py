"""Draws follow from their seed alone, in a way that any language can repeat."""

from itertools import islice, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.parity.draws import WORDS, below, words

# As `printf sealbook:order:0 | sha256sum` prints them.
BLOCKS = {
    "sealbook:order:0": "50cb485ef67584b3c7d2d2ebc864a9fc943b948114bd780e6c842ee1bef698ba",
    "sealbook:order:1": "03d4dcd8900d381075dd4e607a74b0c399f08a1cee4759dcf3c6ba16d1d0ee22",
    "种子:x:0": "2c641efd7e1ac054773ec70aad295937c5810900931d0de42574103ddf58d18f",
}


def as_printed(name):
    return [int(BLOCKS[name][place : place + 8], 16) for place in range(0, 64, 8)]


def test_words_are_the_digests_that_sha256sum_prints_eight_hexadecimal_digits_each():
    assert list(islice(words("sealbook", "order"), 16)) == as_printed("sealbook:order:0") + as_printed(
        "sealbook:order:1"
    )
    assert list(islice(words("种子", "x"), 8)) == as_printed("种子:x:0")


def test_words_of_the_last_incomplete_multiple_are_skipped():
    # 2**32 is 1 more than a multiple of 3, so that one word is left over.
    assert list(below(3, iter([WORDS - 2, WORDS - 1, 0, 4]))) == [2, 0, 1]
    assert list(below(2**31 + 1, iter([2**31 + 1, 2**31, 5]))) == [2**31, 5]


@given(st.integers(1, 1000), st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_a_draw_is_below_its_bound_and_equal_seeds_draw_alike(bound, seed):
    first, again = (list(islice(below(bound, words(seed, "x")), 50)) for _ in range(2))

    assert first == again
    assert all(0 <= draw < bound for draw in first)


@pytest.mark.parametrize("bound", [2, 6, 64, 100])
def test_every_number_is_drawn_about_equally_often(bound):
    times = [0] * bound
    for draw in islice(below(bound, words("sealbook", "x")), 200 * bound):
        times[draw] += 1

    squares = sum((count - 200) ** 2 for count in times) / 200
    # Pearson's statistic has a mean of `bound` - 1 and twice that as variance.
    assert abs(squares - (bound - 1)) < 4 * (2 * (bound - 1)) ** 0.5


def test_a_purpose_of_its_own_draws_otherwise():
    assert list(islice(words("s", "order"), 8)) != list(islice(words("s", "false-hold"), 8))


@pytest.mark.parametrize("bound", [0, -1, WORDS + 1])
def test_a_bound_that_no_word_serves_is_refused_at_once(bound):
    with pytest.raises(ValueError, match="no draws below"):
        below(bound, repeat(0))
