"""The strict reader at its edges: published odd files, sizes and depths, and the place of everything it refuses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.canonical import MAX_BYTES, MAX_DEPTH, MAX_PARTS, MAX_PROBLEMS, encode, parse, read
from runner.contract.errors import MalformedJsonError, Problem

LONE = "lone surrogate"
BYTES = "not UTF-8"
LEFT_TO_THE_READER = {
    "i_number_double_huge_neg_exp.json": "not an integer",
    "i_number_huge_exp.json": "not an integer",
    "i_number_neg_int_huge_exp.json": "not an integer",
    "i_number_pos_double_huge_exp.json": "not an integer",
    "i_number_real_neg_overflow.json": "not an integer",
    "i_number_real_pos_overflow.json": "not an integer",
    "i_number_real_underflow.json": "not an integer",
    "i_number_too_big_neg_int.json": "beyond 2^53-1",
    "i_number_too_big_pos_int.json": "beyond 2^53-1",
    "i_number_very_big_negative_int.json": "beyond 2^53-1",
    "i_object_key_lone_2nd_surrogate.json": LONE,
    "i_string_1st_surrogate_but_2nd_missing.json": LONE,
    "i_string_1st_valid_surrogate_2nd_invalid.json": LONE,
    "i_string_UTF-16LE_with_BOM.json": BYTES,
    "i_string_UTF-8_invalid_sequence.json": BYTES,
    "i_string_UTF8_surrogate_U+D800.json": BYTES,
    "i_string_incomplete_surrogate_and_escape_valid.json": LONE,
    "i_string_incomplete_surrogate_pair.json": LONE,
    "i_string_incomplete_surrogates_escape_valid.json": LONE,
    "i_string_invalid_lonely_surrogate.json": LONE,
    "i_string_invalid_surrogate.json": LONE,
    "i_string_invalid_utf-8.json": BYTES,
    "i_string_inverted_surrogates_U+1D11E.json": LONE,
    "i_string_iso_latin_1.json": BYTES,
    "i_string_lone_second_surrogate.json": LONE,
    "i_string_lone_utf8_continuation_byte.json": BYTES,
    "i_string_not_in_unicode_range.json": BYTES,
    "i_string_overlong_sequence_2_bytes.json": BYTES,
    "i_string_overlong_sequence_6_bytes.json": BYTES,
    "i_string_overlong_sequence_6_bytes_null.json": BYTES,
    "i_string_truncated-utf-8.json": BYTES,
    "i_string_utf16BE_no_BOM.json": BYTES,
    "i_string_utf16LE_no_BOM.json": BYTES,
    "i_structure_500_nested_arrays.json": "nested deeper",
    "i_structure_UTF-8_BOM_empty_object.json": "byte order mark",
}
"""The suite lets a reader take or refuse these. Evidence holds none of them."""
TRANSFORMED = {
    "number_-9223372036854775808.json": "beyond 2^53-1",
    "number_-9223372036854775809.json": "beyond 2^53-1",
    "number_1.0.json": "not an integer",
    "number_1.000000000000000005.json": "not an integer",
    "number_1000000000000000.json": [10**15],
    "number_10000000000000000999.json": "beyond 2^53-1",
    "number_1e-999.json": "not an integer",
    "number_1e6.json": "not an integer",
    "number_9223372036854775807.json": "beyond 2^53-1",
    "number_9223372036854775808.json": "beyond 2^53-1",
    "object_key_nfc_nfd.json": {"\u00e9": "NFC", "e\u0301": "NFD"},
    "object_key_nfd_nfc.json": {"\u00e9": "NFC", "e\u0301": "NFD"},
    "object_same_key_different_values.json": "stands twice",
    "object_same_key_same_value.json": "stands twice",
    "object_same_key_unclear_values.json": "stands twice",
    "string_1_escaped_invalid_codepoint.json": LONE,
    "string_1_invalid_codepoint.json": BYTES,
    "string_2_escaped_invalid_codepoints.json": LONE,
    "string_2_invalid_codepoints.json": BYTES,
    "string_3_escaped_invalid_codepoints.json": LONE,
    "string_3_invalid_codepoints.json": BYTES,
    "string_with_escaped_NULL.json": ["A\0B"],
}
"""What readers are known to change in silence: here it is kept exactly, or refused with this reason."""


def problems(data: bytes, *, where: str = "") -> tuple[Problem, ...]:
    """What the reader says of bytes that it must refuse."""
    with pytest.raises(MalformedJsonError) as refused:
        parse(data, file="run.json", where=where)
    return refused.value.problems


def test_what_the_suite_leaves_to_the_reader_is_refused(shared_vectors):
    files = {file.name: file for file in (shared_vectors / "json-parsing" / "test_parsing").glob("i_*.json")}
    assert set(files) == set(LEFT_TO_THE_READER)
    for name, reason in LEFT_TO_THE_READER.items():
        with pytest.raises(MalformedJsonError, match=reason.replace("^", r"\^")):
            read(files[name].read_bytes(), file=name)


def test_what_other_readers_change_is_kept_exactly_or_refused(shared_vectors):
    files = {file.name: file for file in (shared_vectors / "json-parsing" / "test_transform").glob("*.json")}
    assert set(files) == set(TRANSFORMED)
    for name, expected in TRANSFORMED.items():
        data = files[name].read_bytes()
        if isinstance(expected, str):
            with pytest.raises(MalformedJsonError, match=expected.replace("^", r"\^")):
                read(data, file=name)
        else:
            assert read(data, file=name) == expected


def test_the_deepest_document_allowed_is_read_and_one_level_more_is_refused_with_its_place():
    deepest = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert encode(parse(deepest)) == deepest
    (problem,) = problems(b"[" + deepest + b"]")
    assert problem.what == f"nested deeper than {MAX_DEPTH} levels"
    assert problem.where == "[0]" * MAX_PARTS + "…"


def test_what_is_too_deep_to_read_is_too_deep_to_write():
    value: object = 1
    for _ in range(100_000):
        value = [value]
    with pytest.raises(MalformedJsonError, match="nested deeper"):
        encode(value)


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":'])
def test_ten_million_levels_are_refused_without_entering_them(opening):
    (problem,) = problems(opening * 10_000_000)
    assert "nested deeper" in problem.what


def test_one_key_of_many_that_stands_twice_is_found_without_comparing_each_with_each():
    keys = 200_000  # compared each with each, they would take hours
    members = ",".join(f'"{n}":{n}' for n in range(keys))
    (problem,) = problems(f'{{{members},"{keys - 1}":0}}'.encode())
    assert problem.what == "key '199999' stands twice in one object"


def test_a_document_beyond_the_largest_size_is_refused_before_it_is_parsed():
    (problem,) = problems(b" " * (MAX_BYTES + 1))
    assert problem.what == f"{MAX_BYTES + 1} bytes, more than {MAX_BYTES}"


@pytest.mark.parametrize("digits", ["1" * 5001, "-" + "1" * 5001])
def test_an_integer_of_5001_digits_is_refused_with_file_line_and_key_path(digits):
    (problem,) = problems(f'{{"steps":[{{"code":{digits}}}]}}'.encode(), where="line 7")
    assert (problem.file, problem.where) == ("run.json", "line 7, steps[0].code")
    assert problem.what.endswith("is beyond 2^53-1")
    assert len(problem.what) < 80


@pytest.mark.parametrize("value", [2**53 - 1, -(2**53 - 1), 0])
def test_the_largest_exact_integers_are_kept(value):
    assert parse(str(value).encode()) == value


def test_all_that_is_refused_in_one_document_is_named_at_once_with_its_place():
    data = rb'{"a":[1.5,{"b":-0}],"c":"\ud800","d":NaN,"e":{"f":1,"f":2},"g":9007199254740992}'
    found = {problem.where: problem.what for problem in problems(data)}
    assert found == {
        "a[0]": "1.5: a number that is not an integer",
        "a[1].b": "-0 is not an integer of evidence",
        "c": "a string holds a lone surrogate",
        "d": "NaN: not JSON",
        "e": "key 'f' stands twice in one object",
        "g": "integer 9007199254740992 is beyond 2^53-1",
    }


def test_a_document_full_of_faults_gives_no_endless_list():
    assert len(problems(b"[" + b"0.5," * 100_000 + b"0.5]")) == MAX_PROBLEMS


@pytest.mark.parametrize("key", ["a\nb", "\x1b[2J", "\u202e", "\ud800", "k" * 10_000])
def test_a_key_cannot_break_the_message_that_names_it(key):
    escaped = "".join(f"\\u{ord(character):04x}" for character in key)
    for problem in problems(f'{{"{escaped}":{{"{escaped}":0.5}}}}'.encode()):
        assert str(problem).isprintable()
        assert len(str(problem)) < 400


def test_a_place_is_counted_in_bytes_and_not_in_characters():
    (problem,) = problems('["中文" 1]'.encode())
    assert (problem.where, problem.what) == ("byte 10", "expecting ',' delimiter")
    (problem,) = problems('{"中":1, "文":2}'.encode())
    assert (problem.where, problem.what) == ("byte 9", "valid JSON, but not in RFC 8785 form")


def test_every_flipped_bit_of_a_record_is_refused_or_reads_as_another_value():
    value = {
        "attempt": "tool.claim.1.r2",
        "criteria": [{"id": "ask.1", "verdict": "met"}, {"id": "no-leftovers", "verdict": "not-met"}],
        "events": None,
        "passed_after_cap": False,
        "text": 'a "quoted" \\ line\n中文 \U0001f600',
        "total_bytes": 9007199254740991,
        "shift": -10,
    }
    good = encode(value)
    for position in range(len(good)):
        for bit in range(8):
            changed = bytearray(good)
            changed[position] ^= 1 << bit
            try:
                other = parse(bytes(changed))
            except MalformedJsonError:
                continue
            assert other != value, changed


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.binary(max_size=4)
    | st.text(st.characters(codec=None)),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(st.characters(codec=None), max_size=3) | st.integers() | st.none(), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(anything)
def test_whatever_is_written_can_be_read_and_all_else_is_refused_with_a_reason(value):
    said: tuple[Problem, ...] | None = None
    try:
        data = encode(value)
    except MalformedJsonError as error:
        said = error.problems
    if said is None:
        assert encode(parse(data)) == data
    else:
        assert said
        assert all(problem.what and problem.todo and str(problem).isprintable() for problem in said)
