"""The pinned tools, as prepared: their texts, their help, and the checks that prove a rule, performed for real."""

import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from runner.contract.attempt import Outcome, Verdict
from runner.contract.evidence import QualificationFacts
from runner.contract.license import TextFound
from runner.contract.plan import Selection, Slot
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.kinds.kind import Bench, Performed
from runner.kinds.qualification.help_output import print_help
from runner.kinds.qualification.installed import Installed
from runner.kinds.qualification.perform import perform
from runner.kinds.qualification.plan import plan
from runner.kinds.qualification.prepare import installed_subjects
from runner.reading.manifest import FrozenStudy


def attempt(study: FrozenStudy, prepared: Path, folder: Path, subject: str, task: str) -> Performed:
    folder.mkdir(mode=0o700)
    started = time.monotonic_ns()
    bench = Bench(
        folder=folder,
        prepared=prepared,
        tier=Tier.process,
        facts=QualificationFacts(subjects=()),
        now_ns=lambda: time.monotonic_ns() - started,
    )
    return perform(plan(study, Selection.full), Slot(arm=subject, task=task, trial=1), bench)


@pytest.mark.parametrize(
    ("subject", "task"),
    [
        pytest.param("aqua", "name-is-owned", marks=pytest.mark.rule("R8")),
        pytest.param("agent-collab", "lease-outlives-its-process", marks=pytest.mark.rule("R9")),
        pytest.param("agent-collab", "lease-ends-by-itself", marks=pytest.mark.rule("R9")),
        pytest.param("aqua", "task-outlives-its-process", marks=pytest.mark.rule("R10")),
        pytest.param("agent-collab", "message-outlives-its-process", marks=pytest.mark.rule("R10")),
        pytest.param("aqua", "no-state-no-claim", marks=pytest.mark.rule("R11")),
        pytest.param("agent-collab", "no-state-no-claim", marks=pytest.mark.rule("R11")),
        pytest.param("aqua", "completion-by-non-owner", marks=pytest.mark.rule("R12")),
        pytest.param("aqua", "shipped-claim-tests", marks=pytest.mark.rule("R13")),
        pytest.param("aqua", "shipped-recovery-tests", marks=pytest.mark.rule("R13")),
        pytest.param("agent-collab", "shipped-tests", marks=pytest.mark.rule("R13")),
        pytest.param("aqua", "completion-after-takeover", marks=pytest.mark.rule("R13")),
        pytest.param("aqua", "live-owner-is-not-recovered", marks=pytest.mark.rule("R13")),
        pytest.param("agent-collab", "replay-after-acknowledgement", marks=pytest.mark.rule("R13")),
        pytest.param("agent-collab", "two-folders-one-database", marks=pytest.mark.rule("R13")),
        pytest.param("aqua", "summary-is-text", marks=pytest.mark.rule("R18")),
    ],
)
def test_the_real_tool_passes_the_check(study, prepared, tmp_path, subject, task):
    performed = attempt(study, prepared, tmp_path / "attempt", subject, task)
    assert performed.outcome is Outcome.accepted, performed.reason


def test_the_output_of_the_shipped_tests_is_published(study, prepared, tmp_path):
    performed = attempt(study, prepared, tmp_path / "attempt", "agent-collab", "shipped-tests")
    text = performed.artifacts["pytest.txt"].decode()
    assert "test_two_process_race PASSED" in text
    assert str(tmp_path) not in text


@pytest.mark.parametrize(
    ("subject", "task", "criterion"),
    [
        ("aqua", "lock-outlives-its-process", "lock-again.1"),
        ("aqua", "unlock-by-non-owner", "unlock-by-other.1"),
        ("aqua", "lost-claim-is-an-error", "claim-too-late.1"),
        ("aqua", "dead-owners-lock-is-recovered", "lock-again.2"),
        ("aqua", "claim-killed-halfway", "claim-again.2"),
        ("aqua", "one-file-two-folders", "lock-b.1"),
        ("agent-collab", "refusal-leaves-nothing", "nothing-made.1"),
    ],
)
def test_a_finding_about_the_pinned_tool_is_kept_as_one(study, prepared, tmp_path, subject, task, criterion):
    # Pinned bytes do not improve: if one of these passes, somebody has loosened the check.
    performed = attempt(study, prepared, tmp_path / "attempt", subject, task)
    assert performed.outcome is Outcome.rejected
    assert performed.reason is not None
    assert performed.reason.at == criterion
    assert criterion in {item.id for item in performed.criteria if item.verdict is Verdict.not_met}


def test_license_rows_hold_the_digests_of_the_texts_inside_the_fetched_files(study, prepared):
    fetched = {
        file.name: file
        for subject in installed_subjects(study)
        for file in Installed.of(prepared, subject).wheels.iterdir()
    }
    rows = [row for row in study.licenses.rows if isinstance(row.detected, TextFound)]
    assert rows
    for row in rows:
        assert digest(member(fetched[row.detected.artifact], row.detected.path)) == row.detected.sha256, row.id


def member(file: Path, path: str) -> bytes:
    """One file inside a wheel or a source distribution."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as wheel:
            return wheel.read(path)
    with tarfile.open(file) as source:
        found = source.extractfile(path)
        assert found is not None
        return found.read()


def test_pinned_help_is_what_the_installed_tools_print(study, prepared):
    for subject, tasks in zip(installed_subjects(study), study.tasks.subjects, strict=True):
        for entry in tasks.not_offered:
            assert print_help(Installed.of(prepared, subject), entry) == (study.folder / entry.help).read_text()


YES = "#!/bin/sh\necho '{\"success\": true}'\n"
NO = "#!/bin/sh\necho 'error: no' >&2\nexit 1\n"


def a_liar(study: FrozenStudy, folder: Path, script: str) -> Path:
    """A prepared folder in which every subject's program is `script`."""
    for subject in installed_subjects(study):
        installed = Installed.of(folder, subject)
        installed.programs.mkdir(parents=True)
        installed.source.mkdir()
        installed.python.symlink_to(sys.executable)
        installed.command.write_text(script, encoding="utf-8")
        installed.command.chmod(0o755)
    return folder


@pytest.mark.long
def test_no_check_accepts_both_a_tool_that_says_yes_to_everything_and_one_that_says_no(study, tmp_path):
    liars = (a_liar(study, tmp_path / "no", NO), a_liar(study, tmp_path / "yes", YES))
    for tasks in study.tasks.subjects:
        for check in tasks.checks:
            name = f"{tasks.subject}.{check.id}"
            seen_through = (
                attempt(study, liar, tmp_path / f"{liar.name}-{name}", tasks.subject, check.id).outcome
                is not Outcome.accepted
                for liar in liars
            )
            assert any(seen_through), name
