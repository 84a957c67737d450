"""Nobody changes a decision, or gives it to another run, unseen: neither in its bytes nor sealed again."""

import json
import shutil

import pytest

from runner.contract.canonical import encode
from runner.contract.holds import FindingHold, GateHold
from runner.contract.seal import DECISION_FILE, SEAL_FILE
from tests.decided import FINDING, FIRST, GATES, a_held_project, decided, forged, seal_again
from tests.plugins.sites import PROJECT
from tests.sitegen.pages.parity_sample import STUDY
from tests.sitegen.projects import RUN

AT = f"decisions/20261202T030405Z/{DECISION_FILE}"


@pytest.fixture(scope="module")
def pristine(parity_site, tmp_path_factory):
    """A study with one decision that nobody changes."""
    root = a_held_project(parity_site.parent / PROJECT, tmp_path_factory.mktemp("decided") / "project")
    decided(root, FIRST, GATES[0], FINDING)
    return root / "manifests" / STUDY


@pytest.fixture
def study(pristine, tmp_path):
    """A copy of it to change."""
    return shutil.copytree(pristine, tmp_path / STUDY)


@pytest.fixture
def folder(study):
    return study / "decisions" / "20261202T030405Z"


@pytest.fixture
def told(study, call):
    """What `sealbook verify` says of the study: place, defect and remedy of each problem."""

    def problems() -> list[str]:
        ended = call("verify", study)
        assert ended.code == 1
        return [line.removeprefix(f"sealbook: {study}/") for line in ended.err.splitlines()]

    return problems


def test_the_untouched_copy_verifies(study, call):
    assert call("verify", study).code == 0


def test_every_flipped_bit_of_a_decision_and_of_its_seal_is_noticed(folder, told):
    for name in (DECISION_FILE, SEAL_FILE):
        file = folder / name
        data = file.read_bytes()
        file.chmod(0o644)
        for bit in range(0, 8 * len(data), 97):
            changed = bytearray(data)
            changed[bit // 8] ^= 1 << bit % 8
            file.write_bytes(changed)
            assert any(line.startswith("decisions/20261202T030405Z/") for line in told())
        file.write_bytes(data)


def test_a_changed_word_is_told_with_both_digests(folder, told):
    file = folder / DECISION_FILE
    file.chmod(0o644)
    file.write_bytes(file.read_bytes().replace(b"not-taken", b"accepted-as-it-is"))
    (line,) = told()
    assert line.startswith(f"{AT}: has the SHA-256 ")


def test_a_file_too_many_or_too_few_is_told(folder, told):
    (folder / "note.txt").write_bytes(b"x")
    assert told() == ["decisions/20261202T030405Z/note.txt: is not sealed; remove it, or restore the sealed bytes"]
    (folder / "note.txt").unlink()
    (folder / DECISION_FILE).unlink()
    assert told() == [f"{AT}: is sealed, and it is not there; restore the sealed bytes"]
    (folder / SEAL_FILE).unlink()
    assert [line.partition(":")[0] for line in told()] == ["decisions/20261202T030405Z/SHA256SUMS"]


def test_a_decision_on_another_seal_is_refused(folder, told):
    forged(folder, seal_sha256="0" * 64)
    (line,) = told()
    assert line.startswith(f"{AT}: seal_sha256: {'0' * 64} is decided on, and the run has ")
    assert line.endswith("; restore the sealed decision and the sealed run; neither is ever changed")


@pytest.mark.parametrize(
    ("hold", "said"),
    [
        (
            GateHold(row="files-bad-word", number=7),
            "files-bad-word:7 is no hold of the run (it has: files-bad-word:0, ",
        ),
        (GateHold(row="sqlite-clean", number=0), "sqlite-clean:0 is no hold of the run"),
        (FindingHold(attempt="head.files-bad-word.1", criteria=("x",)), "head.files-bad-word.1 is no hold of the run"),
        (FindingHold(attempt=FINDING, criteria=("first.exit",)), f"states {FINDING} otherwise than the run"),
    ],
)
def test_a_hold_that_the_run_does_not_have_is_refused(folder, told, hold, said):
    forged(folder, holds=(hold,))
    (line,) = told()
    assert line.startswith(f"{AT}: holds[0]: {said}")


def test_a_decision_before_the_end_of_its_run_is_refused(study, folder, told):
    forged(folder, decided_at="2026-11-30T01:02:03Z", decision="20261130T010203Z")
    folder.rename(study / "decisions" / "20261130T010203Z")
    (line,) = told()
    assert "decided_at: lies before the end of the run" in line


def test_a_decision_in_another_place_is_refused(study, folder, told):
    folder.rename(study / "decisions" / "20261202T030406Z")
    (line,) = told()
    assert "decision: 20261202T030405Z stated, its place says 20261202T030406Z; move it back" in line


def test_a_decision_of_another_study_is_refused(folder, told):
    forged(folder, study="other")
    (line,) = told()
    assert f"{AT}: study: other stated, its place says {STUDY}; move it back" in line


def test_a_decision_whose_run_is_gone_is_refused(study, told):
    shutil.move(study / "evidence" / RUN, study.parent / "aside")
    (line,) = told()
    assert line.startswith(f"{AT}: run: decides on the run {RUN}, which is not published here; restore the run")


def test_a_decision_is_not_told_a_second_time_where_its_run_does_not_verify(study, told):
    (study / "evidence" / RUN / "extra.txt").write_bytes(b"x")
    assert [line.partition(":")[0] for line in told()] == [f"evidence/{RUN}/extra.txt"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda value: value | {"more": 1}, "more: "),
        (lambda value: value | {"ruling": "pass"}, "ruling: "),
        (lambda value: value | {"reason": {"en": " ", "zh": "x"}}, "the reason in English is blank"),
        (lambda value: {key: item for key, item in value.items() if key != "owner"}, "owner: "),
    ],
)
def test_a_sealed_document_that_is_no_decision_is_refused(folder, told, change, said):
    seal_again(folder, encode(change(json.loads((folder / DECISION_FILE).read_bytes()))))
    (line,) = told()
    assert line.startswith(f"{AT}: ")
    assert said in line


def test_a_sealed_document_in_another_spelling_is_refused(folder, told):
    seal_again(folder, json.dumps(json.loads((folder / DECISION_FILE).read_bytes()), indent=1).encode())
    (line,) = told()
    assert "not in RFC 8785 form" in line


def test_line_ends_that_git_changed_are_told_with_the_remedy_for_decisions(folder, told):
    file = folder / SEAL_FILE
    file.chmod(0o644)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    (line,) = told()
    assert line.endswith("check out again with `manifests/**/decisions/** -text` in .gitattributes")
