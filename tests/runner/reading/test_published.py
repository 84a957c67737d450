"""A published text fits what it was before places, names and keys were replaced in it, and nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.reading.checks.published import fits


@pytest.mark.parametrize(
    ("published", "known", "same"),
    [
        ("a {work} c", "a /tmp/w c", True),
        ("a {work} c", "a  c", False),
        ("{work}", "", False),
        ("{a}{b}", "x", False),
        ("{a}{b}", "xy", True),
        ("a{x}a", "aa", False),
        ("a{x}a", "aaa", True),
        ("no placeholder", "no placeholder", True),
        ("no placeholder", "another", False),
        ({"argv": ["{work}/x"]}, {"argv": ["/tmp/x"]}, True),
        ({"argv": ["{work}/x"]}, {"argv": ["/tmp/y"]}, False),
    ],
)
def test_what_was_replaced_may_have_been_anything_but_nothing(published, known, same):
    assert fits(published, known) is same


@given(st.lists(st.text("ab", max_size=3), min_size=2, max_size=4), st.text("ab", max_size=10))
def test_it_fits_exactly_where_a_pattern_with_gaps_does(parts, known):
    pattern = ".+".join(map(re.escape, parts))
    assert fits("{x}".join(parts), known) is (re.fullmatch(pattern, known, re.DOTALL) is not None)


def test_a_forged_text_of_many_placeholders_is_compared_at_once():
    assert not fits("{a}" * 1000 + "z", "y" * 100_000)  # tried at every place for each, it would never end
