"""The files of a commit and the difference of two are what git says without any setting of checkout or user."""

import pytest

from runner.contract.parity.numstat import CountedLines, FileStatus, NoLines
from runner.errors import PreparationError
from runner.provenance.commits import Commits, commits_of
from tests.repositories import Repository, run_git

LINES = "".join(f"line {number}\n" for number in range(40))


@pytest.fixture
def repository(tmp_path) -> Repository:
    return Repository(tmp_path / "repository")


def commit(repository: Repository, files: dict[str, str]) -> str:
    repository.git("rm", "-rq", "--ignore-unmatch", ".")
    for path, text in files.items():
        (repository.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (repository.folder / path).write_bytes(text.encode())
    return repository.commit()


def read(repository: Repository, tmp_path) -> Commits:
    return commits_of(repository.folder, None, tmp_path / "scratch.git")


@pytest.mark.rule("P133")
def test_a_moved_file_is_a_deletion_and_an_addition_and_a_binary_one_has_no_lines(repository, tmp_path):
    base = commit(repository, {"a.txt": LINES, "kept.txt": "1\n2\n", "x.bin": "\0a"})
    head = commit(repository, {"b/a.txt": LINES, "kept.txt": "1\n3\n4\n", "x.bin": "\0b"})

    found = read(repository, tmp_path).changes(base, head)

    assert [(item.path, item.status, item.change) for item in found] == [
        ("a.txt", FileStatus.deleted, CountedLines(added=0, deleted=40)),
        ("b/a.txt", FileStatus.added, CountedLines(added=40, deleted=0)),
        ("kept.txt", FileStatus.modified, CountedLines(added=2, deleted=1)),
        ("x.bin", FileStatus.modified, NoLines()),
    ]


def test_a_file_that_became_a_link_has_another_type_and_a_name_may_hold_anything(repository, tmp_path):
    base = commit(repository, {"a": "x\n", "é\tb\n": "1\n"})
    (repository.folder / "a").unlink()
    (repository.folder / "a").symlink_to("elsewhere")
    (repository.folder / "é\tb\n").write_bytes(b"2\n")
    head = repository.commit()

    found = read(repository, tmp_path).changes(base, head)

    assert [(item.path, item.status) for item in found] == [
        ("a", FileStatus.type_changed),
        ("é\tb\n", FileStatus.modified),
    ]


def test_no_setting_attribute_or_program_of_the_checkout_has_a_part_in_what_is_said(repository, tmp_path):
    base = commit(repository, {"a.py": LINES})
    head = commit(repository, {"b.py": LINES, "c.py": "1\n"})
    before = read(repository, tmp_path).changes(base, head)
    started = tmp_path / "started"
    (repository.folder / ".git" / "info" / "attributes").write_text("*.py binary diff=x filter=x\n")
    for name, value in {
        "diff.renames": "copies",
        "diff.external": f"touch {started}",
        "diff.x.textconv": f"touch {started};cat",
        "filter.x.smudge": f"touch {started};cat",
        "tar.tar.command": f"touch {started};cat",
    }.items():
        repository.git("config", name, value)

    again = commits_of(repository.folder, None, tmp_path / "again.git")

    assert again.changes(base, head) == before
    again.lay_out(head, tmp_path / "files")
    assert (tmp_path / "files" / "b.py").read_text() == LINES
    assert not started.exists()


def test_the_files_of_a_commit_are_laid_out_whatever_the_checkout_holds_now(repository, tmp_path):
    base = commit(repository, {"a.txt": "old\n", "folder/b.txt": "b\n"})
    commit(repository, {"c.txt": "new\n"})
    (repository.folder / "d.txt").write_text("not committed\n")

    read(repository, tmp_path).lay_out(base, tmp_path / "files")

    found = {path.relative_to(tmp_path / "files").as_posix() for path in (tmp_path / "files").rglob("*")}
    assert found == {"a.txt", "folder", "folder/b.txt"}
    assert (tmp_path / "files" / "a.txt").read_text() == "old\n"


def test_a_shallow_clone_lacks_a_commit_and_is_told_how_to_get_it(repository, tmp_path):
    base = commit(repository, {"a.txt": "1\n"})
    head = commit(repository, {"a.txt": "2\n"})
    run_git("clone", "-q", "--depth", "1", f"file://{repository.folder}", tmp_path / "shallow")
    shallow = commits_of(tmp_path / "shallow", None, tmp_path / "scratch.git")

    shallow.require(head, where="head")
    with pytest.raises(
        PreparationError, match=f"has no commit {base}; fetch it, by `git fetch --unshallow` in a shallow clone"
    ):
        shallow.require(base, where="base")


def test_a_folder_without_a_repository_is_told_to_come_from_a_clone(tmp_path):
    (tmp_path / "plain").mkdir()

    with pytest.raises(PreparationError, match="lies in no repository of git; take it from a clone"):
        commits_of(tmp_path / "plain", None, tmp_path / "scratch.git")
