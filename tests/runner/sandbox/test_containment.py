"""The runner's reads and writes in a folder that a candidate has filled with traps."""

import errno
import hashlib
import itertools
import os
import resource
import shutil
import socket
import stat
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.sandbox.containment import Contained, Refusal, Refused, parts_of
from runner.sandbox.snapshot import What, name_of, snapshot, spelled

MIB = 1024 * 1024


@pytest.fixture
def protected(tmp_path):
    """A file outside the candidate's folder; whatever happens, it is the same afterwards."""
    target = tmp_path / "outside" / "protected"
    target.parent.mkdir()
    target.write_bytes(b"what the acceptance is computed from\n")
    before = hashlib.sha256(target.read_bytes()).hexdigest(), target.stat().st_mtime_ns
    yield target
    assert (hashlib.sha256(target.read_bytes()).hexdigest(), target.stat().st_mtime_ns) == before


@pytest.fixture
def folder(tmp_path, protected):
    """A candidate's folder with a trap of each sort."""
    root = tmp_path / "candidate"
    root.mkdir()
    (root / "plain").write_bytes(b"plain")
    (root / "deep" / "er").mkdir(parents=True)
    (root / "deep" / "er" / "file").write_bytes(b"deep")
    (root / "link").symlink_to(protected)
    (root / "linked-folder").symlink_to(protected.parent)
    (root / "loop").symlink_to("loop")
    os.link(protected, root / "second")
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(root / "socket"))
    with (root / "giant").open("wb") as stream:
        stream.truncate(1024**4)
    return root


REFUSED = {
    "absolute": ("/etc/passwd", Refusal.absolute),
    "parent": ("../outside/protected", Refusal.parent),
    "parent in the middle": ("deep/../../outside/protected", Refusal.parent),
    "a dot": ("./plain", Refusal.parent),
    "an empty part": ("deep//er/file", Refusal.parent),
    "nothing": ("", Refusal.parent),
    "a NUL byte": ("pl\0ain", Refusal.unnameable),
    "a long name": ("x" * 256, Refusal.unnameable),
    "a lone surrogate": ("\ud800", Refusal.unnameable),
    "a link": ("link", Refusal.link),
    "a link that leads to itself": ("loop", Refusal.link),
    "a linked folder": ("linked-folder/protected", Refusal.link),
    "a file as a folder": ("plain/file", Refusal.no_folder),
    "a folder": ("deep", Refusal.no_file),
    "a FIFO": ("fifo", Refusal.no_file),
    "a socket": ("socket", Refusal.no_file),
    "a hard link": ("second", Refusal.second_name),
}


@pytest.mark.rule("T76")
@pytest.mark.parametrize(("path", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_a_trap_is_neither_read_nor_written_nor_removed(folder, path, why):
    before = sorted(item.name for item in folder.rglob("*"))
    with Contained(folder) as contained:
        assert contained.read(path, MIB) == Refused(path, why)
        assert contained.write(path, b"changed") == Refused(path, why)
        assert contained.remove(path) == Refused(path, why)
    assert sorted(item.name for item in folder.rglob("*")) == before


def test_plain_files_are_read_written_with_their_folders_and_removed(folder):
    with Contained(folder) as contained:
        assert contained.read("deep/er/file", 4) == b"deep"
        assert contained.write("new/folder/file", b"one") is None
        assert contained.write("new/folder/file", b"two", mode=0o755) is None
        assert contained.read("new/folder/file", MIB) == b"two"
        assert stat.S_IMODE((folder / "new/folder/file").stat().st_mode) == 0o755
        assert contained.remove("new/folder/file") is None
        assert contained.read("new/folder/file", MIB) == Refused("new/folder/file", Refusal.absent)
        assert list((folder / "new/folder").iterdir()) == []


def test_a_file_that_is_replaced_keeps_its_mode_and_its_owner_and_a_new_one_gets_those_of_its_folder(folder):
    if os.geteuid() != 0:
        pytest.skip("only root writes for others")
    (folder / "plain").chmod(0o751)
    for path in (folder, folder / "plain"):
        os.chown(path, 65534, 65534)
    with Contained(folder) as contained:
        assert contained.write("plain", b"changed") is None
        assert contained.write("new/folder/file", b"new") is None
    made = [folder / name for name in ("plain", "new", "new/folder", "new/folder/file")]
    assert {path.stat().st_uid for path in made} == {65534}
    assert [stat.S_IMODE(path.stat().st_mode) for path in (made[0], made[3])] == [0o751, 0o644]
    assert (folder / "deep").stat().st_uid == 0


def test_a_terabyte_that_is_not_there_is_refused_without_reading_it(folder):
    begun = time.process_time()
    with Contained(folder) as contained:
        assert contained.read("giant", MIB) == Refused("giant", Refusal.too_large)
        assert contained.read("plain", 4) == Refused("plain", Refusal.too_large)
        seen = snapshot(contained).by_path()["giant"]
    assert (seen.bytes, seen.sha256, seen.refused) == (1024**4, "", Refusal.too_large)
    assert time.process_time() - begun < 30, "a terabyte takes minutes"


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path):
    path = tmp_path / "growing"
    path.write_bytes(b"x" * 1000)
    ended = threading.Event()

    def grow():
        with path.open("ab") as stream:
            while not ended.is_set():
                stream.write(b"x" * 65_536)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        with Contained(tmp_path) as contained:
            answers = [contained.read("growing", 4 * MIB)]
            while not isinstance(answers[-1], Refused):
                answers.append(contained.read("growing", 4 * MIB))
    finally:
        ended.set()
        writer.join()
    assert all(isinstance(answer, Refused) or len(answer) <= 4 * MIB for answer in answers)
    assert answers[-1] == Refused("growing", Refusal.too_large)


@pytest.mark.rule("T76")
def test_a_folder_that_is_swapped_for_a_link_all_the_time_never_leads_outside(tmp_path, protected):
    root = tmp_path / "candidate"
    (root / "real").mkdir(parents=True)
    (root / "real" / "protected").write_bytes(b"inside")
    (root / "trap").symlink_to(protected.parent)
    ended = threading.Event()

    def swap():
        while not ended.is_set():
            for name in ("real", "trap"):
                with suppress(OSError):
                    (root / name).rename(root / "way")
                with suppress(OSError):
                    (root / "way").rename(root / name)
            if (root / "real").exists() and (root / "trap").is_symlink():
                shutil.rmtree(root / "way", ignore_errors=True)  # a write has made it anew

    swapper = threading.Thread(target=swap)
    swapper.start()
    seen: set[bytes | Refusal] = set()
    try:
        with Contained(root) as contained:
            for number in itertools.count():
                if (number >= 3000 and len(seen) > 1) or number == 1_000_000:
                    break
                answer = contained.read("way/protected", MIB)
                seen.add(answer.why if isinstance(answer, Refused) else answer.partition(b" ")[0])
                if number % 10 == 0:
                    contained.write("way/protected", b"inside written")
    finally:
        ended.set()
        swapper.join()
    assert seen <= {b"inside", Refusal.absent, Refusal.link}
    assert len(seen) > 1, "nothing was swapped, so nothing was tried"


def test_a_candidates_folder_that_is_a_link_itself_is_not_opened(folder, tmp_path):
    (tmp_path / "other-name").symlink_to(folder)
    with pytest.raises(NotADirectoryError):
        Contained(tmp_path / "other-name")


def test_a_snapshot_names_everything_and_follows_nothing(folder, protected):
    with Contained(folder) as contained:
        taken = snapshot(contained)
        found = {seen.path: (seen.what, seen.refused) for seen in taken.entries}
        again = snapshot(contained)
    assert found == {
        "deep": (What.folder, None),
        "deep/er": (What.folder, None),
        "deep/er/file": (What.file, None),
        "fifo": (What.other, None),
        "giant": (What.file, Refusal.too_large),
        "link": (What.link, None),
        "linked-folder": (What.link, None),
        "loop": (What.link, None),
        "plain": (What.file, None),
        "second": (What.file, Refusal.second_name),
        "socket": (What.other, None),
    }
    assert taken == again
    assert taken.sha256 == again.sha256
    assert taken.by_path()["plain"].sha256 == hashlib.sha256(b"plain").hexdigest()
    assert taken.by_path()["link"].sha256 == hashlib.sha256(os.fsencode(protected)).hexdigest()


def test_two_snapshots_tell_what_came_went_and_changed(folder):
    with Contained(folder) as contained:
        before = snapshot(contained)
        (folder / "plain").write_bytes(b"other")
        (folder / "deep/er/file").chmod(0o755)
        (folder / "new").touch()
        (folder / "loop").unlink()
        after = snapshot(contained)
    assert after.changed_since(before) == ("deep/er/file", "loop", "new", "plain")
    assert after.sha256 != before.sha256


def test_a_snapshot_of_too_much_says_that_it_is_not_complete(tmp_path):
    for number in range(20):
        (tmp_path / f"{number}").touch()
    with Contained(tmp_path) as contained:
        assert snapshot(contained, entries=20).complete
        assert not snapshot(contained, entries=19).complete
    deepest = tmp_path
    for _ in range(80):
        deepest /= "d"
        deepest.mkdir()
    with Contained(tmp_path) as contained:
        assert not snapshot(contained).complete


@given(st.text(st.sampled_from("a./\0\ud800\udcff日"), max_size=12))
def test_only_a_path_of_plain_parts_is_taken(path):
    parts = parts_of(path)
    if isinstance(parts, Refusal):
        return
    assert "/".join(parts) == path
    assert not Path(path).is_absolute()
    assert all(part not in ("", ".", "..") and "\0" not in part for part in parts)
    assert os.path.normpath(path) == path


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can look as somebody else")
def test_a_folder_that_its_owner_locked_makes_a_snapshot_incomplete_and_is_no_fault(tmp_path):
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked/note.txt").write_text("x")
    for path in (tmp_path / "locked/note.txt", tmp_path / "locked", tmp_path):
        os.chown(path, 65534, 65534)
    (tmp_path / "locked").chmod(0o444)  # its names can be listed, and nothing below be looked at
    with Contained(tmp_path) as folder:
        child = os.fork()
        if child == 0:
            ended = 2
            try:
                os.setresuid(65534, 65534, 65534)
                seen = snapshot(folder)
                ended = int(seen.complete or [entry.path for entry in seen.entries] != ["locked"])
            finally:
                os._exit(ended)

        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_too_many_open_files_are_no_doing_of_a_candidate_and_make_no_snapshot_of_half_a_folder(tmp_path):
    (tmp_path / "plain").write_text("x")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken: list[int] = []
    with Contained(tmp_path) as folder:
        resource.setrlimit(resource.RLIMIT_NOFILE, (folder.handle + 64, hard))
        try:
            with suppress(OSError):
                while True:
                    taken.append(os.dup(folder.handle))
            for _ in range(2):  # enough for the folder and a look at the file, and not for reading it
                os.close(taken.pop())
            with pytest.raises(OSError, match="Too many open files"):
                snapshot(folder)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            for handle in taken:
                os.close(handle)


@given(st.binary(min_size=1, max_size=12).filter(lambda name: not {0, 47} & set(name)))
def test_no_two_names_are_spelled_alike(name):
    text = os.fsdecode(name)

    assert name_of(spelled(text)) == text


@pytest.fixture
def full(tmp_path, required_tool):
    """A folder on a file system with hardly any room."""
    if os.geteuid() != 0:
        pytest.skip("mounting a file system needs root")
    mount = [required_tool("mount"), "-t", "tmpfs", "-o", "size=64k", "tmpfs", tmp_path]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("cannot mount here")
    yield tmp_path
    subprocess.run([required_tool("umount"), tmp_path], check=True)


def test_where_there_is_no_room_a_write_is_refused_and_leaves_nothing_behind(full):
    (full / "kept").write_bytes(b"kept")
    with Contained(full) as folder:
        refused = folder.write("kept", bytes(1 << 20))

    assert refused == Refused("kept", Refusal.no_space)
    assert [path.name for path in full.iterdir()] == ["kept"]
    assert (full / "kept").read_bytes() == b"kept"


def test_an_error_of_the_disk_is_a_refusal(folder, monkeypatch):
    with Contained(folder) as contained:
        contained.write("file", b"x")

        def broken(handle, most):
            raise OSError(errno.EIO, "input/output error")

        monkeypatch.setattr(os, "read", broken)
        assert contained.read("file", 9) == Refused("file", Refusal.unreadable)
