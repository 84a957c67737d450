"""Streams are cut at a cap, hashed whole, and readable whatever they hold."""

import hashlib
import json

import pytest

from runner.contract.canonical import encode
from runner.contract.values import without_surrogates
from runner.sandbox.output import Meter, readable


@pytest.mark.report("A26")
def test_bytes_that_are_not_text_become_escapes_and_the_record_stays_valid_json():
    text = readable(b"a\x00b\x1b[31mc\xffd\xc3")

    assert text == "a\x00b\x1b[31mc\\xffd\\xc3"
    assert json.loads(encode({"text": text})) == {"text": text}


@pytest.mark.report("A26")
@pytest.mark.parametrize("cap", range(1, 14))
def test_a_character_that_the_cap_cuts_is_left_out_whole(cap):
    data = "aé€😀€".encode()
    meter = Meter(cap)
    for byte in data:
        meter.take(bytes([byte]))
    captured = meter.captured()

    assert data.startswith(captured.kept)
    assert "\\x" not in captured.text
    assert len(captured.kept) >= min(cap, len(data)) - 3
    assert captured.total_bytes == len(data)
    assert captured.sha256 == hashlib.sha256(data).hexdigest()
    assert captured.complete == (cap >= len(data))


def test_a_cut_character_that_the_process_itself_wrote_stays_visible():
    meter = Meter(100)
    meter.take("é".encode()[:1])

    assert meter.captured().text == "\\xc3"
    assert meter.captured().complete


def test_a_lone_surrogate_is_spelled_out():
    assert without_surrogates("a\ud800b") == "a\\ud800b"
