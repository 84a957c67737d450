"""What bytes are compared as: nothing of them is lost unseen, and equal digests mean equal bytes or equal values."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from runner.contract.parity.inventory import ABSENT, Entry, Form, Inventory, entry_of, leaves, spelled, value_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, VALUES)
def test_two_values_differ_at_a_place_exactly_when_their_digests_differ(one, other):
    same = (
        entry_of("a", json.dumps(one).encode()).value_sha256 == entry_of("a", json.dumps(other).encode()).value_sha256
    )
    assert (list(leaves(one, other)) == []) is same


@given(VALUES, VALUES)
def test_a_difference_is_the_same_seen_from_the_other_side(one, other):
    there = [(at, right, left) for at, left, right in leaves(one, other)]
    assert sorted(at for at, _, _ in there) == sorted(at for at, _, _ in leaves(other, one))


@given(st.dictionaries(st.text(max_size=3), st.integers(), min_size=2, max_size=4))
def test_another_order_of_keys_is_the_same_value_in_other_bytes(members):
    one = json.dumps(members).encode()
    other = json.dumps(dict(reversed(members.items()))).encode()
    assert entry_of("a", one).value_sha256 == entry_of("a", other).value_sha256
    assert (entry_of("a", one).sha256 == entry_of("a", other).sha256) is (one == other)


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (b'{"a": 1}', Form.json),
        (b'{"a": 1}\n', Form.json),
        (b'{"a": 1}\n{"a": 2}\n', Form.json_lines),
        (b'started\n{"a": 1}\n', Form.json_lines),
        (b"started\n", Form.data),
        (b"", Form.data),
        (b'{"a": 1, "a": 2}', Form.data),
        (b'{"a": 1, "a": 2}\n{"b": 1}\n', Form.data),
        (b'{"a": \xff}', Form.data),
        (b'{"a": 1\n', Form.data),
    ],
)
def test_a_broken_or_doubtful_document_is_bytes_as_a_whole(data, form):
    assert value_of(data)[0] is form


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (1, True), (0, None), ("1", 1), ([], {})])
def test_values_of_different_types_are_never_the_same(one, other):
    assert [at for at, _, _ in leaves({"a": one}, {"a": other})] == ["/a"]


def test_a_missing_member_is_told_apart_from_null():
    assert list(leaves({"a": None}, {})) == [("/a", None, ABSENT)]


def test_a_list_of_another_length_differs_as_a_whole():
    assert list(leaves([1, 2], [2])) == [("", [1, 2], [2])]


def test_a_member_with_a_slash_is_pointed_at_as_rfc_6901_says():
    assert [at for at, _, _ in leaves({"a/b~c": 1}, {"a/b~c": 2})] == ["/a~1b~0c"]


def test_an_inventory_names_every_entry_once_in_order_and_its_fingerprint_covers_paths_and_bytes():
    entries = (entry_of("a", b"1"), entry_of("b", b"2"))
    whole = Inventory(attempt="base.row.1", processes=(3, 5), entries=entries)
    moved = Inventory(attempt="base.row.1", processes=(3, 5), entries=(entry_of("a", b"2"), entry_of("b", b"1")))
    assert whole.fingerprint != moved.fingerprint
    with pytest.raises(ValidationError, match="sorted by path"):
        Inventory(attempt="base.row.1", processes=(), entries=entries[::-1])
    with pytest.raises(ValidationError, match="in order"):
        Inventory(attempt="base.row.1", processes=(5, 3), entries=entries)


def test_what_is_no_json_has_no_digest_of_a_value():
    with pytest.raises(ValidationError, match="no other has"):
        Entry(path="a", form=Form.data, bytes=1, sha256="0" * 64, value_sha256="0" * 64)
    assert spelled({"b": 1, "a": [1.0]}) == '{"a":[1.0],"b":1}'
