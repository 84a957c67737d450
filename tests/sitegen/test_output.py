"""A site is written whole or not at all, and never over what no build made."""

import os
import subprocess
import sys

import pytest

from sitegen.errors import OutputError
from sitegen.output import MARKER, Digests, differences, replacing

FILES = {"index.html": b"one", "en/index.html": b"two", "evidence/s/r/run.json": b"{}"}


def write_site(files, out):
    """Make `out` hold exactly these files."""
    with replacing(out) as folder:
        put(files, folder)


def put(files, sink):
    """Hand every file on in pieces."""
    for path, data in files.items():
        sink.put(path, (data[:1], data[1:]))
    return sink


def told(files, out):
    """How the folder differs from these files."""
    return differences(put(files, Digests()).files, out)


def content(folder):
    """Every file below a folder, by path, without the marker."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MARKER
    }


def test_a_new_folder_holds_exactly_the_site(tmp_path):
    write_site(FILES, tmp_path / "a" / "site")

    assert content(tmp_path / "a" / "site") == FILES
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["site"]


def test_a_later_build_removes_what_is_gone_and_keeps_the_gitignore(tmp_path):
    out = tmp_path / "site"
    out.mkdir()
    (out / ".gitignore").write_bytes(b"*\n!.gitignore\n")
    write_site(FILES, out)
    write_site({"index.html": b"three"}, out)

    assert content(out) == {"index.html": b"three", ".gitignore": b"*\n!.gitignore\n"}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_folder_that_no_build_made_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_bytes(b"years of work")

    with pytest.raises(OutputError, match=r"holds thesis\.txt and was not made by a build"):
        write_site(FILES, tmp_path)

    assert content(tmp_path) == {"thesis.txt": b"years of work"}


def test_a_file_in_the_way_is_left_alone(tmp_path):
    (tmp_path / "site").write_bytes(b"years of work")

    with pytest.raises(OutputError, match="is a file"):
        write_site(FILES, tmp_path / "site")

    assert (tmp_path / "site").read_bytes() == b"years of work"


def test_a_site_that_cannot_be_written_whole_leaves_the_old_one(tmp_path):
    out = tmp_path / "site"
    write_site(FILES, out)

    with pytest.raises(OutputError):
        write_site({"a": b"", "a/b": b"a file cannot be a folder as well"}, out)

    assert content(out) == FILES
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_site_that_a_killed_build_had_moved_is_put_back_and_what_it_left_is_removed(tmp_path):
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    write_site(FILES, tmp_path / "site")
    (tmp_path / "site").rename(tmp_path / f".site.old-{ended.pid}")
    (tmp_path / f".site.new-{ended.pid}").mkdir()

    with pytest.raises(ZeroDivisionError), replacing(tmp_path / "site"):
        raise ZeroDivisionError

    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    assert content(tmp_path / "site") == FILES


def test_what_a_running_build_or_somebody_else_has_beside_the_site_is_left_alone(tmp_path):
    others = {f".site.new-{os.getppid()}", ".site.new-idea"}
    for name in others:
        (tmp_path / name).mkdir()

    write_site(FILES, tmp_path / "site")

    assert {path.name for path in tmp_path.iterdir()} == {"site", *others}


def test_a_link_to_the_folder_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "site").symlink_to(tmp_path / "real")

    write_site(FILES, tmp_path / "site")

    assert (tmp_path / "site").is_symlink()
    assert content(tmp_path / "real") == FILES


def test_files_are_as_readable_as_the_user_wants_them(tmp_path):
    before = os.umask(0o022)
    try:
        write_site(FILES, tmp_path / "site")
    finally:
        os.umask(before)

    assert (tmp_path / "site").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "site" / "index.html").stat().st_mode & 0o777 == 0o644


def test_what_was_changed_by_hand_is_told(tmp_path):
    out = tmp_path / "site"
    write_site(FILES, out)
    assert told(FILES, out) == ()

    (out / "index.html").write_bytes(b"edited")
    (out / "more.html").write_bytes(b"")
    (out / "en" / "index.html").unlink()

    assert [f"{problem.file}: {problem.what}" for problem in told(FILES, out)] == [
        "site/en/index.html: is missing",
        "site/index.html: differs from what the sources give",
        "site/more.html: not part of the site",
    ]


def test_of_a_site_that_is_old_everywhere_a_few_files_are_named_and_the_rest_counted(tmp_path):
    out = tmp_path / "site"
    files = {f"page-{number}.html": b"old" for number in range(9)}
    write_site(files, out)

    problems = told(dict.fromkeys(files, b"new"), out)

    assert [problem.file for problem in problems] == [*(f"site/page-{number}.html" for number in range(5)), "site/"]
    assert problems[-1].what == "4 more files differ"
