"""Canonical bytes: RFC 8785 out, and nothing but RFC 8785 in."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.canonical import MAX_DEPTH, MAX_INTEGER, encode, parse, read
from runner.contract.errors import MalformedJsonError
from tests.runner.contract.es6_numbers import PUBLISHED, es6_numbers, to_hex

JCS = ("arrays", "french", "structures", "unicode", "values", "weird")
WITH_FLOATS = frozenset({"arrays", "structures", "values"})
"""Published vectors that hold numbers which are no integers: evidence has none."""
REFUSED_ON_PURPOSE = {
    "y_object_duplicated_key.json": "stands twice",
    "y_object_duplicated_key_and_value.json": "stands twice",
    "y_number.json": "not an integer",
    "y_number_0e+1.json": "not an integer",
    "y_number_0e1.json": "not an integer",
    "y_number_double_close_to_zero.json": "not an integer",
    "y_number_int_with_exp.json": "not an integer",
    "y_number_minus_zero.json": "-0",
    "y_number_negative_zero.json": "-0",
    "y_number_real_capital_e.json": "not an integer",
    "y_number_real_capital_e_neg_exp.json": "not an integer",
    "y_number_real_capital_e_pos_exp.json": "not an integer",
    "y_number_real_exponent.json": "not an integer",
    "y_number_real_fraction_exponent.json": "not an integer",
    "y_number_real_neg_exp.json": "not an integer",
    "y_number_real_pos_exponent.json": "not an integer",
    "y_number_simple_real.json": "not an integer",
    "y_object_extreme_numbers.json": "not an integer",
    "y_structure_lonely_negative_real.json": "not an integer",
}
"""Valid JSON that a strict reader of evidence refuses, and why."""

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize("name", JCS)
def test_the_published_vectors_come_out_byte_for_byte(shared_vectors, name):
    folder = shared_vectors / "jcs-rfc8785"
    given_value = json.loads((folder / "input" / f"{name}.json").read_bytes())
    expected = (folder / "output" / f"{name}.json").read_bytes()
    assert bytes.fromhex((folder / "outhex" / f"{name}.txt").read_text().replace("\n", " ")) == expected
    assert rfc8785.dumps(given_value) == expected
    if name in WITH_FLOATS and any(isinstance(v, float) for v in leaves(given_value)):
        with pytest.raises(MalformedJsonError, match="is a float"):
            encode(given_value)
    else:
        assert encode(given_value) == expected
        assert parse(expected) == given_value


def leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def test_the_published_parsing_suite_is_read_strictly(shared_vectors):
    files = sorted((shared_vectors / "json-parsing" / "test_parsing").glob("*.json"))
    assert len(files) > 300
    taken, refused = [], {}
    for file in files:
        try:
            read(file.read_bytes(), file=file.name)
            taken.append(file.name)
        except MalformedJsonError as error:
            refused[file.name] = str(error)
    assert [name for name in taken if name.startswith("n_")] == [], "invalid JSON is taken"
    valid = {name for name in refused if name.startswith("y_")}
    assert valid == {name for name in REFUSED_ON_PURPOSE if name in {file.name for file in files}}
    for name in valid:
        assert REFUSED_ON_PURPOSE[name] in refused[name]


def es6_digest(lines: int) -> str:
    text = hashlib.sha256()
    for number in islice(es6_numbers(), lines):
        text.update(f"{to_hex(number)},".encode() + rfc8785.dumps(number) + b"\n")
    return text.hexdigest()


@pytest.mark.parametrize("lines", [1_000, 10_000])
def test_numbers_come_out_as_the_published_file_says(lines):
    assert es6_digest(lines) == PUBLISHED[lines]


@pytest.mark.long
def test_a_million_numbers_come_out_as_the_published_file_says():
    assert es6_digest(1_000_000) == PUBLISHED[1_000_000]


@given(json_values)
def test_what_is_written_is_read_back_and_written_the_same(value):
    data = encode(value)
    assert parse(data) == value
    assert encode(parse(data)) == data
    assert data == rfc8785.dumps(value)


@given(json_values, st.data())
def test_no_changed_byte_reads_as_the_same_value(value, data):
    """A digest covers bytes; a second spelling of one value would let bytes change unseen."""
    good = encode(value)
    position = data.draw(st.integers(0, len(good) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != good[position]))
    changed = good[:position] + bytes([byte]) + good[position + 1 :]
    with suppress(MalformedJsonError):
        assert parse(changed) != value


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_with_a_reason(data):
    said = ""
    try:
        read(data, file="some.json")
    except MalformedJsonError as error:
        said = str(error)
    assert said == "" or said.startswith("some.json: ")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"a":1,"a":1}', "key 'a' stands twice"),
        (b"1.0", "1.0: a number that is not an integer"),
        (b"1e400", "not an integer"),
        (b"NaN", "NaN: not JSON"),
        (b"-Infinity", "not JSON"),
        (b"9007199254740992", "beyond 2^53-1"),
        (b"-9007199254740992", "beyond 2^53-1"),
        (b"1" * 5000, "beyond 2^53-1"),
        (b"-0", "-0 is not an integer"),
        (b'"\\ud800"', "lone surrogate"),
        (b'{"\\ud800":1}', "lone surrogate"),
        (b"\xef\xbb\xbf1", "byte order mark"),
        ("1".encode("utf-16"), "not UTF-8"),
        (b'"\xff"', "byte 1: not UTF-8"),
        (b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2), "nested deeper"),
        (b"[" * 100_000, "nested deeper"),
        (b"", "byte 0: expecting value"),
        (b"1 ", "not in RFC 8785 form"),
        (b'{"b":1,"a":2}', "not in RFC 8785 form"),
        (b'"\\u0041"', "not in RFC 8785 form"),
        (b"1\n", "not in RFC 8785 form"),
    ],
)
def test_what_evidence_does_not_hold_is_refused_with_its_reason(data, said):
    with pytest.raises(MalformedJsonError) as refused:
        parse(data, file="run.json")
    assert said in str(refused.value)
    assert str(refused.value).startswith("run.json: ")


@pytest.mark.parametrize("value", [1.5, {"a": [0.0]}, float("nan"), 2**53, {1: 2}, {"a": b"x"}, "\ud800", {"k": {1}}])
def test_what_json_cannot_keep_exactly_is_not_written(value):
    with pytest.raises(MalformedJsonError):
        encode(value)


def test_keys_are_sorted_by_utf_16_code_units():
    assert encode({"\ufb33": 1, "\U0001f600": 2, "\u20ac": 3}) == '{"€":3,"😀":2,"\ufb33":1}'.encode()


@given(json_values | st.dictionaries(st.text(st.characters(categories=["Co", "So", "Lo", "Cc"])), st.integers(0, 9)))
def test_the_quick_way_gives_the_bytes_of_the_reference(value):
    data = encode(value)
    assert data == rfc8785.dumps(value)
    assert parse(data) == value


@given(
    st.binary(max_size=30) | st.text(max_size=20).map(str.encode) | st.from_regex(rb'[\[\]{}",:0-9eE.\-a \\u]{0,20}')
)
def test_what_the_quick_way_takes_the_careful_way_takes_as_well(data):
    try:
        value = read(data)
        expected = encode(value) == data
    except MalformedJsonError:
        expected = False
    if expected:
        assert parse(data) == value
    else:
        with pytest.raises(MalformedJsonError):
            parse(data)
