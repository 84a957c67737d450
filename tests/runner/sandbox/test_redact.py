"""What tells of this machine is replaced, and nothing else."""

from pathlib import Path

import pytest

from runner.sandbox.redact import Redactor

PLACES = {Path("/r/a"): "attempt", Path("/r/a/room"): "work", Path("/usr"): "interpreter"}


@pytest.mark.parametrize(
    ("text", "expected", "count"),
    [
        ("/r/a/room/x /r/a/y", "{work}/x {attempt}/y", 2),
        ("/r/a/roomy", "{attempt}/roomy", 1),
        ("/r/a/room.", "{work}.", 1),
        ("/r/ab /r/a-b", "/r/ab /r/a-b", 0),
        ("file:///r/a/room", "file://{work}", 1),
        ("on box7, box7.example and box77", "on {host}, {host}.example and box77", 2),
        ("/usr/bin/env", "/usr/bin/env", 0),
    ],
)
def test_the_longest_known_place_is_replaced_as_a_whole(text, expected, count):
    redacted = Redactor(PLACES, {"box7": "host"}).redact(text)

    assert (redacted.text, redacted.replaced) == (expected, count)


def test_a_place_is_known_under_its_real_name_too(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    assert Redactor({tmp_path / "link": "work"}, {}).redact(f"{tmp_path}/real/x").text == "{work}/x"


def test_without_places_and_names_nothing_changes():
    assert Redactor({}, {}).redact("/r/a").text == "/r/a"
