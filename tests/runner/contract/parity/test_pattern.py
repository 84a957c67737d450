"""A pattern names what the same regular expression would, and takes no long time over a hostile one."""

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runner.contract.parity.pattern import matches

PIECES = {"*": r"[^/]*", "**": r".*"}


@given(
    st.lists(st.sampled_from(["*", "**", "a", "b", "/", "."]), max_size=7).map("".join),
    st.text(alphabet="ab/.\n", max_size=7),
)
@example("***", "a/b")
@example("*a", "a")
@example("", "")
@example("**", "\n")
def test_a_pattern_names_what_its_regular_expression_matches(pattern, name):
    pieces = re.split(r"(\*\*|\*)", pattern)
    wanted = re.compile("".join(PIECES.get(piece, re.escape(piece)) for piece in pieces), re.DOTALL)
    assert matches(pattern, name) is (wanted.fullmatch(name) is not None)


@pytest.mark.parametrize("star", ["*", "**"])
def test_a_pattern_made_to_take_long_does_not(star):
    begun = time.perf_counter()
    assert not matches(f"{star}a" * 60 + "b", "a" * 4000)
    assert time.perf_counter() - begun < 1
