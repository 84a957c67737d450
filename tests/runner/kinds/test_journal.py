"""A record that may be published is as it was but for what was replaced, and still of its form."""

import pytest
from pydantic import ValidationError

from runner.contract.comparison.actions import WriteText
from runner.kinds.journal import Journal
from runner.sandbox.redact import Redactor

FREE = frozenset({"path", "content"})


@pytest.fixture
def journal() -> Journal:
    return Journal(Redactor({}, {"x1": "a-long-name"}), lambda: 0)


def test_a_record_in_which_nothing_is_replaced_stays_as_it_is(journal):
    action = WriteText(path="a.py", content="X = 1\n")
    assert journal.record(action, FREE) == action
    assert journal.replaced == 0


def test_what_is_replaced_is_counted_and_nothing_else_changes(journal):
    told = journal.record(WriteText(path="a.py", content="x1 = 'x1'\n"), FREE)
    assert told == WriteText(path="a.py", content="{a-long-name} = '{a-long-name}'\n")
    assert journal.replaced == 2


def test_a_record_that_grew_beyond_its_form_is_refused_and_never_sealed(journal):
    path = "x1/" * 133  # 399 characters, of 400 that a path may have
    with pytest.raises(ValidationError, match="at most 400 characters"):
        journal.record(WriteText(path=path, content=""), FREE)


def test_of_bytes_that_are_no_text_the_keys_are_taken_out(journal):
    assert journal.data(b"\xff AKIAIOSFODNN7EXAMPLE \xfe") == b"\xff {secret} \xfe"
    assert journal.replaced == 1
