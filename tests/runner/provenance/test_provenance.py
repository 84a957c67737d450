"""What a run says of its source and of the Sealbook that made it."""

import os
import shutil
import subprocess
import time

import pytest

from runner import environment
from runner.contract.evidence import CommittedSource, UnknownSource
from runner.contract.seal import tree_digest
from runner.provenance import identity
from runner.provenance.git import source_of
from runner.provenance.identity import runner_identity
from tests.repositories import Repository


@pytest.fixture
def repository(required_tool, tmp_path):
    required_tool("git")
    made = Repository(tmp_path / "project")
    (made.folder / "kept.txt").write_text("one\n")
    (made.folder / "renamed.txt").write_text("a longer text that git recognizes\n" * 5)
    (made.folder / ".gitignore").write_text("ignored/\n")
    made.commit()
    return made


@pytest.mark.rule("R19", "R20")
def test_a_clean_checkout_is_its_commit(repository):
    head = repository.git("rev-parse", "HEAD").strip()
    (repository.folder / "ignored").mkdir()
    (repository.folder / "ignored" / "file").write_text("x")
    assert source_of(repository.folder, None) == CommittedSource(commit=head, modified=())


@pytest.mark.rule("R19")
def test_a_modified_checkout_is_flagged_with_staged_and_untracked_files(repository):
    (repository.folder / "kept.txt").write_text("two\n")
    (repository.folder / "new folder").mkdir()
    (repository.folder / "new folder" / "未跟踪.txt").write_text("x")
    (repository.folder / "staged.txt").write_text("x")
    repository.git("add", "staged.txt")
    repository.git("mv", "renamed.txt", "elsewhere.txt")
    found = source_of(repository.folder / "new folder", None)
    assert isinstance(found, CommittedSource)
    assert found.modified == (
        "elsewhere.txt",
        "kept.txt",
        "new folder/未跟踪.txt",
        "renamed.txt",
        "staged.txt",
    )


def test_a_folder_outside_git_has_an_unknown_source_with_the_reason(required_tool, tmp_path):
    required_tool("git")
    assert source_of(tmp_path, None) == UnknownSource(reason="not a git checkout")


def test_a_repository_without_a_commit_has_an_unknown_source(required_tool, tmp_path):
    required_tool("git")
    assert source_of(Repository(tmp_path / "new").folder, None) == UnknownSource(
        reason="the repository has no commit yet"
    )


def test_a_checkout_cannot_start_programs_through_its_configuration(repository, tmp_path):
    hook = tmp_path / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path / 'started'}\n")
    hook.chmod(0o755)
    repository.git("config", "core.fsmonitor", hook)
    assert isinstance(source_of(repository.folder, None), CommittedSource)
    assert not (tmp_path / "started").exists()
    subprocess.run(["git", "-C", repository.folder, "status"], check=True, capture_output=True)
    assert (tmp_path / "started").exists(), "git alone would have started it"


@pytest.mark.rule("R19")
@pytest.mark.parametrize("settled", [True, False], ids=["index trusts its times", "index looks again"])
@pytest.mark.parametrize("name", ["whitewash", "white=wash"])
def test_a_filter_of_the_checkout_is_not_started_and_hides_no_modification(repository, tmp_path, name, settled):
    (repository.folder / ".gitattributes").write_text(f"*.txt filter={name}\n")
    repository.commit()
    started = tmp_path / "started"
    repository.git("config", f"filter.{name}.clean", f"touch {started}; git show HEAD:%f")
    repository.git("config", f"filter.{name}.required", "true")
    kept = repository.folder / "kept.txt"
    kept.write_text("two\n")
    # git takes a file whose times lie well before those of its index as looked at once and for all.
    changed = time.time() + (-100 if settled else 100)
    os.utime(kept, (changed, changed))
    assert repository.git("status", "--porcelain") == "", "git alone believes the filter"
    started.unlink()
    found = source_of(repository.folder, None)
    assert isinstance(found, CommittedSource)
    assert found.modified == ("kept.txt",)
    assert not started.exists()


@pytest.mark.rule("R19")
@pytest.mark.parametrize("told", ["--assume-unchanged", "--skip-worktree"])
def test_a_file_that_git_was_told_not_to_look_at_counts_as_modified(repository, told):
    repository.git("update-index", told, "kept.txt", "renamed.txt")
    (repository.folder / "kept.txt").write_text("two\n")
    found = source_of(repository.folder, None)
    assert isinstance(found, CommittedSource)
    assert found.modified == ("kept.txt",)


@pytest.mark.rule("R19")
def test_a_file_that_a_sparse_checkout_leaves_out_counts_as_modified(repository):
    repository.git("sparse-checkout", "set", "--no-cone", "/kept.txt")
    found = source_of(repository.folder, None)
    assert isinstance(found, CommittedSource)
    assert "renamed.txt" in found.modified


def test_reading_the_state_changes_nothing(repository):
    administration = repository.folder / ".git"
    repository.git("config", "core.splitIndex", "true")
    os.utime(repository.folder / "kept.txt", (1, 1))

    def contents():
        return {path: path.read_bytes() for path in administration.rglob("*") if path.is_file()}

    before = contents()
    source_of(repository.folder, None)
    assert contents() == before


@pytest.mark.rule("R20")
def test_the_runner_is_identified_by_the_bytes_of_its_own_files(tmp_path, monkeypatch):
    real = runner_identity()
    assert real.files > 50
    package = tmp_path / "runner"
    shutil.copytree(identity.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(identity, "PACKAGE", package)
    assert runner_identity() == real
    source = package / "execute" / "run.py"
    source.write_bytes(source.read_bytes() + b"#\n")
    assert runner_identity().sha256 != real.sha256
    assert tree_digest([("a", "0" * 64)]) != tree_digest([("b", "0" * 64)])


@pytest.mark.rule("R20")
def test_the_environment_holds_versions_and_no_names_of_this_machine():
    facts = environment.facts()
    assert facts.python.count(".") == 2
    assert facts.system == os.uname().sysname
    assert facts.cpus >= 1
    assert os.uname().nodename not in facts.model_dump().values()


def test_a_stopwatch_goes_on_where_a_run_stopped_and_never_runs_backwards():
    clock = environment.SystemClock()
    begin = clock.instant()
    later = clock.since(begin, 0)
    first, second = later(), later()
    assert 0 <= first <= second < 10 * environment.NANOSECONDS
    ahead = 10**15
    assert clock.since(begin, ahead)() >= ahead, "a wall clock that was set back does not turn time around"
