"""The private folder of an attempt: whenever the runner is killed, the run knows which folder is its own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runner.execute.folder import RunFolder
from runner.execute.workroom import remove_abandoned, remove_interrupted, workroom

ROOT = Path(__file__).parents[2]
CHILD = Path(__file__).with_name("workroom_child.py")
ATTEMPT = "a.one.1"
ROOM = "one.1"


@pytest.fixture
def run(tmp_path):
    (tmp_path / "run").mkdir()
    return RunFolder(tmp_path / "run")


@pytest.fixture
def work_root(tmp_path):
    """A work root that holds a folder of another runner's, which works in a room of the same name."""
    (tmp_path / "root" / f"sealbook-{ROOM}").mkdir(parents=True)
    return tmp_path / "root"


def kill_at(strace: str, call: str, number: int, run: RunFolder, work_root: Path) -> int:
    """Use the folder in a child that is killed at so manieth of these calls; how it ended."""
    inject = ["-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"]
    run.path.mkdir()
    ended = subprocess.run(
        [strace, "-qq", "-o", os.devnull, *inject, sys.executable, "-B", CHILD, run.path, work_root, ATTEMPT, ROOM],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
        capture_output=True,
        check=False,
    )
    assert ended.returncode in (0, -signal.SIGKILL, 128 + signal.SIGKILL), ended.stderr.decode()
    return ended.returncode


def kill_and_remove(strace: str, call: str, numbers: range, tmp_path: Path, work_root: Path) -> tuple[int, int]:
    """How often the child was killed, until it got by, and how often it left a folder, which is gone now."""
    others, killed, left = list(work_root.iterdir()), 0, 0
    for number in numbers:
        run = RunFolder(tmp_path / f"{call}-{number}")
        code = kill_at(strace, call, number, run, work_root)
        left += list(work_root.iterdir()) != others
        remove_abandoned(run, ATTEMPT)
        assert list(work_root.iterdir()) == others, f"killed at {call} {number}"
        if code == 0:
            break
        killed += 1
    return killed, left


@pytest.mark.rule("R4")
@pytest.mark.report("A25")
@pytest.mark.parametrize(("call", "number"), [("chmod", 1), ("rename", 1), ("mkdir", 3), ("rmdir", 1)])
def test_a_runner_killed_as_it_makes_or_removes_its_folder_leaves_it_to_be_found(
    required_tool, tmp_path, work_root, call, number
):
    """A sample; the whole battery belongs to `make check-long`."""
    strace = required_tool("strace")
    assert kill_and_remove(strace, call, range(number, number + 1), tmp_path, work_root) == (1, 1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("call", "at_least"),
    [("mkdir", 3), ("chmod", 1), ("write", 2), ("fsync", 1), ("rename", 2), ("unlink,unlinkat", 2), ("rmdir", 1)],
)
def test_wherever_the_runner_is_killed_its_folder_is_found_and_no_other_is_touched(
    required_tool, tmp_path, work_root, call, at_least
):
    strace = required_tool("strace")
    killed, _ = kill_and_remove(strace, call, range(1, 100), tmp_path, work_root)
    assert killed >= at_least


def test_a_folder_that_could_not_be_removed_stays_noted(run, work_root, monkeypatch):
    def interrupted(folder: Path) -> None:
        raise KeyboardInterrupt

    before = list(work_root.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr("runner.sandbox.owned_folder.remove_private_child", interrupted)
        with pytest.raises(KeyboardInterrupt), workroom(run, work_root, ATTEMPT, ROOM):
            pass
    assert list(work_root.iterdir()) != before

    remove_interrupted(run)

    assert list(work_root.iterdir()) == before
    assert list((run.path / "workspaces").iterdir()) == []


def test_what_a_removal_left_of_an_attempts_own_folder_is_not_in_its_way(run, work_root):
    with workroom(run, work_root, ATTEMPT, ROOM) as folder:
        left = next(iter((run.path / "workspaces").iterdir()))
        owner = (folder / "owner").read_text()
    assert not left.exists()
    (work_root / f".sealbook-{owner}" / "half").mkdir(parents=True)

    with workroom(run, work_root, ATTEMPT, ROOM) as again:
        assert [path.name for path in again.iterdir()] == ["owner"]

    assert [path.name for path in work_root.iterdir()] == [f"sealbook-{ROOM}"]


def test_two_runs_that_are_in_a_room_of_one_name_never_share_or_remove_a_folder(tmp_path, work_root):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    one, two = (RunFolder(tmp_path / name) for name in ("one", "two"))
    with workroom(one, work_root, ATTEMPT, ROOM) as first, workroom(two, work_root, ATTEMPT, ROOM) as second:
        assert [first.name, second.name] == [f"sealbook-{ROOM}-2", f"sealbook-{ROOM}-3"]
        remove_abandoned(two, ATTEMPT)
        assert first.is_dir()
        assert not second.exists()


def test_attempts_that_share_a_room_one_after_the_other_see_one_path(run, tmp_path):
    seen = []
    for attempt in ("a.one.1", "b.one.1", "b.one.1.r1"):
        with workroom(run, tmp_path, attempt, ROOM) as folder:
            (folder / "left").write_text(attempt)
            seen.append(folder)

    assert seen == [tmp_path / f"sealbook-{ROOM}"] * 3
    assert not seen[0].exists()


def test_of_two_attempts_that_are_in_a_room_of_one_name_each_is_removed_alone(run, work_root):
    with workroom(run, work_root, "a.one.1", ROOM) as first, workroom(run, work_root, "b.one.1", ROOM) as second:
        remove_abandoned(run, "b.one.1")
        assert (first.is_dir(), second.exists()) == (True, False)


def test_a_note_that_names_no_room_is_of_one_that_is_named_as_the_attempt(run, work_root):
    before = list(work_root.iterdir())
    with workroom(run, work_root, ATTEMPT, ATTEMPT) as folder:
        (run.path / "workspaces" / ATTEMPT).write_text(str(work_root))
        remove_abandoned(run, ATTEMPT)
        assert not folder.exists()

    assert list(work_root.iterdir()) == before


def test_a_work_root_that_is_gone_holds_nothing_to_remove(run, work_root, tmp_path):
    (run.path / "workspaces").mkdir()
    (run.path / "workspaces" / ATTEMPT).write_text(str(tmp_path / "gone"))
    (run.path / "workspaces" / f".{ATTEMPT}.part").write_text("")

    remove_interrupted(run)

    assert [path.name for path in (run.path / "workspaces").iterdir()] == [f".{ATTEMPT}.part"]
