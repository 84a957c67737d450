"""Records of a sealed file are read when they are asked for, and never differ from what was verified."""

import pytest

from runner.contract.attempt import Attempt, Outcome
from runner.contract.canonical import parse
from runner.contract.errors import SealMismatchError
from runner.contract.seal import digest
from runner.contract.values import FileDigest
from runner.reading.sealed import open_run
from tests.factories import ScriptedKind, a_sealed_run, current
from tests.studies import a_study

CHECKS = 12


@pytest.fixture
def sealed(tmp_path):
    kind = ScriptedKind({"identity-kept": Outcome.rejected}, private={"db": b"state"})
    return a_sealed_run(tmp_path, a_study(tmp_path / "manifests"), kind)


@pytest.fixture
def whole(sealed) -> list[Attempt]:
    """Every attempt, read the plain way."""
    lines = (sealed.folder / "attempts.jsonl").read_bytes().splitlines()
    return [Attempt.model_validate_json(line) for line in lines if parse(line)]


def test_the_records_of_a_file_are_a_sequence_and_can_be_read_again_and_again(sealed, whole):
    assert len(sealed.attempts) == len(whole) == CHECKS
    assert list(sealed.attempts) == list(sealed.attempts) == whole
    assert [sealed.attempts[n] for n in range(-CHECKS, CHECKS)] == whole * 2
    assert sealed.attempts[2:9:3] == tuple(whole[2:9:3])
    assert sealed.attempts[::-1] == tuple(whole[::-1])
    assert whole[4] in sealed.attempts
    for outside in (CHECKS, -CHECKS - 1):
        with pytest.raises(IndexError, match="no record"):
            sealed.attempts[outside]


def test_line_attempt_and_timing_are_found_by_name(sealed, whole):
    for number, attempt in enumerate(whole, 1):
        assert sealed.line_of(attempt.attempt) == number
        assert sealed.attempt(attempt.attempt) == attempt
        assert sealed.timing(attempt.attempt) == sealed.timings[number - 1]
        assert sealed.timing(attempt.attempt).attempt == attempt.attempt
    assert sealed.current == current(whole) == {attempt.attempt for attempt in whole}
    assert all(sealed.began(slot) for slot in sealed.plan.slots)
    for find in (sealed.line_of, sealed.attempt, sealed.timing, sealed.events):
        with pytest.raises(KeyError, match=r"tool\.nothing\.1"):
            find("tool.nothing.1")


def test_a_line_that_changed_after_it_was_verified_is_never_given_out(sealed, whole):
    path = sealed.folder / "attempts.jsonl"
    path.chmod(0o644)
    data = path.read_bytes()
    assert data.count(b'"rejected"') == 1
    path.write_bytes(data.replace(b'"rejected"', b'"accepted"'))
    number = sealed.line_of("tool.identity-kept.1")

    with pytest.raises(SealMismatchError, match=f"attempts.jsonl: line {number}: changed after it was compared"):
        sealed.attempt("tool.identity-kept.1")
    read = []
    with pytest.raises(SealMismatchError, match="verify again"):
        read.extend(sealed.attempts)
    assert read == whole[: number - 1]

    path.unlink()
    with pytest.raises(SealMismatchError, match="no such file"):
        sealed.attempts[0]


def test_a_file_that_became_shorter_is_noticed(sealed):
    path = sealed.folder / "timings.jsonl"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(SealMismatchError, match=f"line {CHECKS}: changed"):
        list(sealed.timings)


def test_what_was_verified_stays_in_use_while_a_run_is_verified_anew(sealed):
    again = open_run(sealed.folder)
    assert list(again.attempts) == list(sealed.attempts)
    assert list(again.commitments) == list(sealed.commitments)
    assert list(again.files) == list(sealed.files)
    assert len(again.files) == len((sealed.folder / "SHA256SUMS").read_bytes().splitlines())


def test_each_sealed_file_is_found_by_its_path_with_length_and_digest(sealed):
    for file in sealed.files:
        data = (sealed.folder / file.path).read_bytes()
        assert sealed.file(file.path) == file == FileDigest(path=file.path, bytes=len(data), sha256=digest(data))
    with pytest.raises(KeyError):
        sealed.file("events/nothing.jsonl")
