"""Whatever has the shape of a key is gone from an agent's records, and all else stays as it was."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.sandbox.secret_shapes import MARK, text_without_secrets, without_secrets

KEYS = (
    b"AIzaSyD-1234567890abcdefghijklmnopqrstu",
    b"AKIAIOSFODNN7EXAMPLE",
    b"sk-proj-abcdefghijklmnopqrstuvwxyz012345",
    b"ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    b"-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("before", [b"", b"key: ", b'{"text": "', b"a b "])
def test_a_key_is_gone_in_plain_and_in_base64_at_every_alignment(key, before):
    for shift in range(4):
        text = before + b"x" * shift + b" " + key
        for hidden in (text, base64.b64encode(text), base64.urlsafe_b64encode(text).rstrip(b"=")):
            clean, count = without_secrets(b"told " + hidden + b" after")
            assert (count, clean.startswith(b"told "), clean.endswith(b" after")) == (1, True, True)
            assert key not in clean
            assert hidden not in clean


@pytest.mark.parametrize(
    ("header", "clean"),
    [
        ("x-api-key: 0123456789abcdef", "x-api-key: {secret}"),
        ("Authorization: Bearer abcdefgh12345", "Authorization: Bearer {secret}"),
        (r"{\"x-api-key\": \"0123456789abcdef\"}", r"{\"x-api-key\": \"{secret}\"}"),
        ("API-KEY=0123456789abcdef next", "API-KEY={secret} next"),
    ],
)
def test_the_value_of_a_header_with_a_key_is_gone_and_its_name_stays(header, clean):
    assert text_without_secrets(header) == (clean, 1)


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn and AIzawa are words",
        "the digest e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        '{"sessionID":"ses_dd3e64257ffeq7mhhE35wNmqPK","tokens":{"total":120}}',
        "authorization: none",
        "disk-usage-of-the-whole-machine-in-bytes",
        "Authorization: the endpoint was asked",
        "+authorization = None\n+return_value_of_the_call = 1",
        "Authorization: Negotiate {secret}",
    ],
)
def test_what_is_no_key_stays(text):
    assert text_without_secrets(text) == (text, 0)


KEY = "sk-" + "a1" * 12


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f'{{"output":"x\\n{KEY}"}}', '{"output":"x\\n{secret}"}'),
        (f'{{"output":"x\\r\\nAuthorization: Bearer {KEY}"}}', '{"output":"x\\r\\nAuthorization: Bearer {secret}"}'),
        ("Authorization: Basic dXNlcjpwYXNzd29yZA==", "Authorization: Basic {secret}"),
        ("-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA0123\n", "{secret}\n{secret}\n"),
        ("authorization: ApiKey abcdefgh12345", "authorization: ApiKey {secret}"),
    ],
    ids=["after an escaped line break", "header after one", "basic", "cut off", "another scheme"],
)
def test_a_key_is_found_where_records_put_it(text, clean):
    assert text_without_secrets(text) == (clean, 1)


def test_a_key_that_begins_in_one_event_and_ends_in_another_takes_out_no_event_between_them():
    events = [
        '{"text":"-----BEGIN PRIVATE KEY-----"}',
        '{"text":"what happened"}',
        '{"text":"-----END PRIVATE KEY-----"}',
    ]
    clean, _ = text_without_secrets("\n".join(events))

    assert [line.count("what happened") for line in clean.split("\n")] == [0, 1, 0]


def test_a_key_of_several_lines_leaves_a_difference_its_lines_and_their_signs():
    key = KEYS[-1].decode().split("\n")
    for sign in "+- ":
        clean, count = text_without_secrets("\n".join(["+before", *(f"{sign}{line}" for line in key), " after"]))

        assert (clean.split("\n"), count) == (["+before", *[f"{sign}{{secret}}"] * len(key), " after"], 1)


def test_a_mebibyte_of_keys_that_only_begin_is_looked_through_once():
    begin = b"-----BEGIN PRIVATE KEY-----\n"  # searched once for each, they would take an hour
    clean, count = without_secrets(begin * (1024 * 1024 // len(begin)))

    assert count == 1024 * 1024 // len(begin)
    assert set(clean.split(b"\n")) == {MARK, b""}


@given(st.binary(max_size=300))
def test_any_bytes_can_be_looked_through_and_a_second_look_finds_nothing(data):
    clean, _ = without_secrets(data)
    assert without_secrets(clean)[0] == clean
