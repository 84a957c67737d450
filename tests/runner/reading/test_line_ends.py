"""A checkout that converts line ends changes sealed bytes. It is told as what it is, and never passes."""

import subprocess

import pytest

from runner.contract.errors import SealMismatchError
from runner.contract.evidence import CommittedSource
from runner.publish import publish
from runner.reading.sealed import open_run
from tests.factories import COMMIT, a_sealed_run, an_order
from tests.repositories import Repository, run_git
from tests.studies import a_study


@pytest.fixture
def repository(required_tool, tmp_path):
    """A repository that holds one published run."""
    required_tool("git")
    made = Repository(tmp_path / "project")
    study = a_study(made.folder / "manifests")
    sealed = a_sealed_run(made.folder, study)
    runs = an_order(made.folder, study).runs
    publish(runs, sealed.run.run, study.folder, CommittedSource(commit=COMMIT, modified=()))
    (made.folder / ".gitignore").write_text(".sealbook/\nprepared/\nwork-root/\n")
    return made


def converted_clone(repository, tmp_path):
    clone = tmp_path / "clone"
    run_git("clone", "-q", "-c", "core.autocrlf=true", repository.folder, clone)
    (run,) = (path for path in (clone / "manifests" / "tiny" / "evidence").iterdir() if path.is_dir())
    return run


@pytest.mark.report("A23")
def test_published_evidence_survives_a_clone_that_converts_line_ends(repository, tmp_path):
    repository.commit()
    run = converted_clone(repository, tmp_path)
    assert b"\r\n" in (run.parents[1] / "study.toml").read_bytes(), "this clone does convert"
    assert open_run(run).run.tally.planned > 0
    subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=run, check=True)


@pytest.mark.report("A23")
def test_converted_evidence_fails_and_says_what_happened_to_which_file(repository, tmp_path):
    (repository.folder / "manifests" / "tiny" / "evidence" / ".gitattributes").unlink()
    repository.commit()
    run = converted_clone(repository, tmp_path)
    with pytest.raises(SealMismatchError) as refused:
        open_run(run, name="run")
    said = {problem.file: problem.what for problem in refused.value.problems}
    assert said["run/attempts.jsonl"] == "differs from the seal and matches after CRLF→LF conversion"
    assert "after CRLF→LF conversion" in said["run/SHA256SUMS"]
    assert "run/run.json" not in said, "it has no line end, so it is as it was sealed"
    assert all("-text" in problem.todo for problem in refused.value.problems)


@pytest.mark.report("A23")
def test_a_file_that_differs_in_more_than_line_ends_is_not_excused(repository):
    (evidence,) = (p for p in (repository.folder / "manifests" / "tiny" / "evidence").iterdir() if p.is_dir())
    path = evidence / "attempts.jsonl"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n").replace(b"accepted", b"rejected", 1))
    with pytest.raises(SealMismatchError) as refused:
        open_run(evidence, name="run")
    assert "CRLF" not in str(refused.value)
