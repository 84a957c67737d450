"""`sealbook decide`: what may be recorded on a hold, that it is written whole or not at all, and that it verifies."""

import json
import shutil
import subprocess

import pytest

from runner.contract.decision import Ruling
from runner.contract.seal import digest
from runner.decide import drafted, record
from runner.environment import SystemClock
from runner.errors import StorageError
from runner.reading.sealed import open_run
from tests.decided import FINDING, FIRST, GATES, HOLDS, SECOND, a_held_project, decided, wanted
from tests.plugins.sites import PROJECT
from tests.sitegen.pages.parity_sample import LATER, STUDY
from tests.sitegen.projects import RUN

WHO = ("--by", "Ada Example", "--role", "release owner")
WHY = ("--reason-en", "Too slow.", "--reason-zh", "太慢。")
LISTED = (
    f"the run holds: {GATES[0]} (gate 0 on files-bad-word); {GATES[1]} (gate 1 on files-bad-word); "
    f"{FINDING} (finding: same-state)"
)
TAKEN = ("--ruling", "accepted-as-it-is")


@pytest.fixture
def held(parity_site, tmp_path, monkeypatch):
    """A project whose published run is held, in which the command is called at the first instant of the sample."""
    root = a_held_project(parity_site.parent / PROJECT, tmp_path / "project")
    monkeypatch.setattr(SystemClock, "instant", lambda _: FIRST)
    monkeypatch.chdir(root)
    return root


def decisions(root):
    return sorted(path for path in root.glob("manifests/*/decisions/*") if path.is_dir())


def bytes_of(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.rule("P121")
def test_a_decision_is_a_sealed_record_of_its_own_and_leaves_the_run_as_it_was(call, held):
    evidence = held / "manifests" / STUDY / "evidence" / RUN
    before = bytes_of(evidence)
    ended = call("decide", STUDY, RUN, *TAKEN, "--hold", GATES[0], "--hold", FINDING, *WHO, *WHY)
    assert ended.code == 0
    (folder,) = decisions(held)
    assert folder.name == "20261202T030405Z"
    said = f"recorded, accepted-as-it-is on {GATES[0]}, {FINDING}; not decided: {GATES[1]}; commit it to share it"
    assert ended.out == f"manifests/{STUDY}/decisions/{folder.name}: {said}\n"
    stated = json.loads((folder / "decision.json").read_bytes())
    assert stated["seal_sha256"] == digest((evidence / "SHA256SUMS").read_bytes())
    assert (stated["run"], stated["owner"]) == (RUN, {"name": "Ada Example", "role": "release owner"})
    assert stated["reason"] == {"en": "Too slow.", "zh": "太慢。"}
    assert stated["holds"][0] == {"hold": "gate", "row": "files-bad-word", "number": 0}
    subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=folder, check=True)
    assert sorted(path.name for path in folder.iterdir()) == ["SHA256SUMS", "decision.json"]
    assert all(path.stat().st_mode & 0o222 == 0 for path in folder.iterdir())
    assert bytes_of(evidence) == before
    assert open_run(evidence).run.analysis.disposition == "owner-review-hold"
    assert sorted(path.name for path in folder.parent.iterdir()) == [".gitattributes", folder.name]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            (*TAKEN, *WHO, *WHY),
            f"--hold: is not given; name what is decided, or give --all; {LISTED}",
        ),
        (
            (*TAKEN, "--hold", "files-clean:0", *WHO, *WHY),
            f"--hold: files-clean:0 is no hold of {RUN}; {LISTED}",
        ),
        ((*TAKEN, "--hold", GATES[0], "--hold", GATES[0], *WHO, *WHY), f"--hold: names twice: {GATES[0]}"),
        ((*TAKEN, "--all", "--hold", GATES[0], *WHO, *WHY), "--all: stands beside --hold"),
        (("--all", *WHO, *WHY), "--ruling: is not given; give one of: accepted-as-it-is, not-taken"),
        ((*TAKEN, "--all", *WHO, "--reason-en", "Too slow."), "--reason-zh: is empty"),
        ((*TAKEN, "--all", *WHO, *WHY[2:], "--reason-en", " "), "--reason-en: is empty"),
        ((*TAKEN, "--all", *WHY, "--role", "owner"), "--by: is empty"),
        ((*TAKEN, "--all", *WHY, "--by", "Ada"), "--role: is empty"),
        ((*TAKEN, "--all", *WHO, *WHY[2:], "--reason-en", "x" * 4001), "--reason-en: has more than 4000 characters"),
    ],
)
def test_what_is_missing_or_wrong_is_told_by_its_option_and_nothing_is_written(call, held, words, said):
    ended = call("decide", STUDY, RUN, *words)
    assert ended.code == 2
    (line,) = ended.err.splitlines()
    assert line.startswith(f"sealbook: {said}")
    assert decisions(held) == []


def test_a_ruling_that_there_is_not_is_refused(call, held):
    assert call("decide", STUDY, RUN, "--ruling", "pass", "--all", *WHO, *WHY).code == 2
    assert decisions(held) == []


def test_everything_that_is_wrong_is_told_at_once(call, held):
    ended = call("decide", STUDY, RUN, "--hold", "nothing:7", "--json")
    assert ended.code == 2
    wrong = {problem["where"] for problem in ended.json["problems"]}
    assert wrong == {"--ruling", "--by", "--role", "--reason-en", "--reason-zh", "--hold"}


def test_a_run_that_is_not_published_or_not_there_is_refused_with_the_rest(call, held):
    ended = call("decide", STUDY, LATER, *TAKEN, "--all", *WHO)
    assert ended.code == 2
    assert f"{LATER}: is not published; `sealbook publish {STUDY} {LATER}` first" in ended.err
    assert "--reason-en: is empty" in ended.err
    ended = call("decide", STUDY, "20200101T000000Z", *TAKEN, "--all", *WHO, *WHY)
    assert ended.code == 2
    assert f"{STUDY}: no published run '20200101T000000Z'; there are: {RUN}" in ended.err
    assert call("decide", STUDY, "../evidence", *TAKEN, "--all", *WHO, *WHY).code == 2
    assert decisions(held) == []


def test_a_run_that_holds_nothing_needs_no_decision(call, held):
    published = held / "manifests" / STUDY / "evidence" / LATER
    (held / ".sealbook" / "runs" / STUDY / LATER / "sealed").rename(published)
    ended = call("decide", STUDY, LATER, *TAKEN, "--all", *WHO, *WHY)
    assert (ended.code, ended.err) == (2, f"sealbook: {LATER}: holds nothing; there is nothing to decide\n")
    assert decisions(held) == []


def test_a_run_that_does_not_verify_is_not_decided_on(call, held):
    file = held / "manifests" / STUDY / "evidence" / RUN / "run.json"
    file.chmod(0o644)
    file.write_bytes(file.read_bytes().replace(b"owner-review-hold", b"pass", 1))
    ended = call("decide", STUDY, RUN, *TAKEN, "--all", *WHO, *WHY)
    assert ended.code == 1
    assert f"{STUDY}/evidence/{RUN}/run.json: has the SHA-256" in ended.err
    assert decisions(held) == []


def test_a_clock_that_lies_before_the_end_of_the_run_is_refused(held):
    with pytest.raises(Exception, match="the clock of this machine says 2020-01-01T00:00:00Z; set the clock"):
        decided(held, "2020-01-01T00:00:00Z")
    assert decisions(held) == []


def test_all_decides_on_every_hold_and_says_so_for_a_machine(call, held):
    stated = call("decide", STUDY, RUN, *TAKEN, "--all", *WHO, *WHY, "--json").json
    assert (stated["holds"], stated["undecided"], stated["ruling"]) == ([*HOLDS], [], "accepted-as-it-is")
    (folder,) = decisions(held)
    assert stated["decided"] == str(folder.relative_to(held))
    assert stated["seal_sha256"] == digest((folder / "SHA256SUMS").read_bytes())


def test_a_later_decision_on_the_same_hold_is_another_record_and_both_stay(held):
    first = decided(held, FIRST, GATES[0])
    kept = bytes_of(first.sealed.path)
    decided(held, SECOND, GATES[0], ruling=Ruling.accepted_as_it_is)
    decided(held, SECOND, GATES[0])
    assert [folder.name for folder in decisions(held)] == ["20261202T030405Z", "20261203T040506Z", "20261203T040506Z-2"]
    assert bytes_of(first.sealed.path) == kept


def test_what_a_crash_left_half_written_goes_with_the_next_decision(held):
    left = held / "manifests" / STUDY / "decisions" / ".20261201T000000Z.part"
    left.mkdir(parents=True)
    (left / "decision.json").write_bytes(b"half")
    decided(held, FIRST)
    assert not left.exists()


def test_a_disk_that_refuses_leaves_no_part_of_a_decision(held):
    draft = drafted(held / "manifests" / STUDY, held / "none", RUN, wanted(every=True), FIRST)
    taken = held / "manifests" / STUDY / "decisions"
    taken.write_bytes(b"in the way")
    with pytest.raises(StorageError):
        record(draft)
    assert taken.read_bytes() == b"in the way"
    taken.unlink()
    (taken / "20261202T030405Z").mkdir(parents=True)
    (taken / "20261202T030405Z" / "own.txt").write_bytes(b"kept")
    assert record(draft).decision.decision == "20261202T030405Z-2", "what is there is never replaced"
    assert (taken / "20261202T030405Z" / "own.txt").read_bytes() == b"kept"


def test_verify_takes_a_decision_a_study_a_project_and_a_built_site(call, held, decided_site):
    folder = decided(held, FIRST, GATES[0], FINDING).sealed.path
    line = f": verified, not-taken on {GATES[0]}, {FINDING} of {STUDY} {RUN}\n"
    for path in (folder, folder.parent, folder.parents[1], held):
        ended = call("verify", path)
        assert (ended.code, line in ended.out) == (0, True), path
    shown = call("verify", decided_site).out
    assert f"evidence/{STUDY}/decisions/20261202T030405Z{line}" in shown
    assert shown.count(": verified, ") == 4, "two runs and two decisions"
    alone = call("verify", decided_site / "evidence" / STUDY / "decisions" / "20261203T040506Z", "--json").json
    assert (alone["decisions"][0]["compared_with_run"], alone["verified"]) == (True, [])


def test_verify_says_of_a_decision_without_its_run_what_it_could_not_compare(call, held, tmp_path):
    aside = shutil.copytree(decided(held, FIRST).sealed.path, tmp_path / "aside")
    ended = call("verify", aside)
    assert ended.code == 0
    assert ended.out.endswith("; the run is not here, so that its seal and its holds were not compared\n")


@pytest.mark.rule("P120")
def test_a_decision_meets_no_gate(call, held):
    decided(held, FIRST, ruling=Ruling.accepted_as_it_is)
    assert call("verify", ".").code == 0
    gated = call("verify", f"manifests/{STUDY}", "--gates")
    assert gated.code == 1
    assert "the run is to be pass, and it is owner-review-hold" in gated.err
