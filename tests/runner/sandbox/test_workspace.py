"""The work root is checked by using it, and only what the runner made there is removed."""

import os
import subprocess

import pytest

from runner.errors import SandboxError
from runner.sandbox.workspace import (
    Workspace,
    check_work_root,
    make_private_child,
    private_child,
    remove_private_child,
)


@pytest.fixture
def noexec_folder(tmp_path, required_tool):
    """A folder on a file system that is mounted noexec."""
    if os.geteuid() != 0:
        pytest.skip("mounting a file system needs root")
    folder = tmp_path / "noexec"
    folder.mkdir()
    mounted = subprocess.run(
        [required_tool("mount"), "-t", "tmpfs", "-o", "noexec,size=1m", "tmpfs", folder],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip(f"cannot mount here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run([required_tool("umount"), folder], check=True)


@pytest.mark.rule("R3")
def test_a_noexec_work_root_is_refused_and_another_one_accepted(noexec_folder, tmp_path):
    with pytest.raises(SandboxError, match=r"no program can be executed.*--work-root"):
        check_work_root(noexec_folder)

    other = tmp_path / "other"
    other.mkdir()
    assert check_work_root(other) == other
    assert list(other.iterdir()) == list(noexec_folder.iterdir()) == []


@pytest.mark.rule("R3")
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: path.rmdir(), "not usable: no such file"),
        (lambda path: (path.rmdir(), path.write_text("x")), "not a folder"),
        (lambda path: path.chmod(0o777), "everybody may rename"),
    ],
)
def test_a_work_root_that_is_no_safe_folder_is_refused_with_the_reason(tmp_path, spoil, says):
    root = tmp_path / "root"
    root.mkdir()
    spoil(root)

    with pytest.raises(SandboxError, match=says):
        check_work_root(root)


@pytest.mark.rule("R3")
@pytest.mark.skipif(os.geteuid() != 0, reason="giving a folder away needs root")
def test_a_work_root_of_somebody_else_is_refused(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    os.chown(root, 65534, 65534)

    with pytest.raises(SandboxError, match="belongs to another user"):
        check_work_root(root)


@pytest.mark.rule("R4")
def test_runners_that_share_a_work_root_have_and_remove_only_their_own_folders(tmp_path):
    (tmp_path / "sealbook-a.b.1").mkdir()
    (tmp_path / "sealbook-a.b.1" / "precious").write_text("of another worker")
    with private_child(tmp_path, "a.b.1") as mine, private_child(tmp_path, "a.b.1") as second:
        assert len({mine, second, tmp_path / "sealbook-a.b.1"}) == 3
        assert mine.parent == second.parent == tmp_path
        (mine / "file").write_text("x")

    assert [path.name for path in tmp_path.iterdir()] == ["sealbook-a.b.1"]
    assert (tmp_path / "sealbook-a.b.1" / "precious").read_text() == "of another worker"


@pytest.mark.rule("R4")
def test_the_private_folder_goes_when_its_attempt_fails(tmp_path):
    with pytest.raises(RuntimeError), private_child(tmp_path, "a"):
        raise RuntimeError

    assert list(tmp_path.iterdir()) == []


@pytest.mark.rule("R16")
def test_every_room_is_open_to_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        folder = make_private_child(tmp_path, "a")
        rooms = Workspace.furnish(folder)
    finally:
        os.umask(before)

    made = [folder, rooms.work, rooms.state, rooms.home, rooms.tmp, rooms.control]
    assert [oct(path.stat().st_mode & 0o777) for path in made] == ["0o700"] * 6


def test_a_locked_folder_and_a_link_out_are_removed_without_following_the_link(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    folder = make_private_child(tmp_path, "a")
    (folder / "locked").mkdir()
    (folder / "locked" / "file").write_text("x")
    (folder / "out").symlink_to(outside)
    (folder / "locked").chmod(0)
    remove_private_child(folder)

    assert not folder.exists()
    assert (outside / "kept").read_text() == "x"


def test_a_room_that_leads_outside_is_refused(tmp_path):
    rooms = Workspace.furnish(make_private_child(tmp_path, "a"))
    (rooms.work / "out").symlink_to(tmp_path)
    (rooms.work / "file").write_text("x")

    assert rooms.make_room(rooms.work / "deep" / "er")
    assert not rooms.make_room(rooms.work / "out" / "side")
    assert not rooms.make_room(rooms.work / "file")


def deep(folder, levels: int) -> None:
    """A chain of folders, longer than any path and deeper than Python's stack of calls, with a file at its end."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=handle)
        below = os.open("d", os.O_RDONLY | os.O_DIRECTORY, dir_fd=handle)
        os.close(handle)
        handle = below
    os.close(os.open("end", os.O_WRONLY | os.O_CREAT, dir_fd=handle))
    os.close(handle)


@pytest.mark.parametrize("levels", [900, 3000])
def test_a_tree_deeper_than_any_path_is_removed(tmp_path, levels):
    folder = make_private_child(tmp_path, "a")
    deep(folder, levels)
    (folder / ".sealbook-1").write_text("a name that is taken")
    remove_private_child(folder)

    assert list(tmp_path.iterdir()) == []


def test_what_is_left_in_a_tree_deeper_than_any_path_does_not_hide_what_is_left_above_it(tmp_path):
    folder = make_private_child(tmp_path, "a")
    rooms = Workspace.furnish(folder)
    deep(rooms.work, 3000)
    (rooms.work / "seen").write_text("x")
    found = rooms.left_behind()
    remove_private_child(folder)

    assert found == {"work/seen": rooms.work / "seen"}


def test_two_names_that_are_spelled_alike_are_told_apart(tmp_path):
    rooms = Workspace.furnish(make_private_child(tmp_path, "a"))
    for name in (b"\xff", b"\\xff", b"\\\\xff"):
        (rooms.work / os.fsdecode(name)).write_bytes(name)

    assert {name: path.read_bytes() for name, path in rooms.left_behind().items()} == {
        "work/\\xff": b"\xff",
        "work/\\\\xff": b"\\xff",
        "work/\\\\\\\\xff": b"\\\\xff",
    }
