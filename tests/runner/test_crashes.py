"""A run is killed, or its disk fails, at every system call that makes it durable. Nothing acknowledged is lost."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from runner.errors import CorruptLedgerError, StorageError
from runner.ledger import LEDGER_FILE, Entry, Ledger, read_prefix
from runner.store import make_folder, put
from tests.runner.crash_child import SLOTS, content, cut_off, drive, happened

ROOT = Path(__file__).parents[2]
CHILD = Path(__file__).with_name("crash_child.py")
CALLS = {
    "write": "write",
    "fsync": "fsync",
    "link": "link,linkat",
    "unlink": "unlink,unlinkat",
    "rename": "rename,renameat,renameat2",
    "truncate": "ftruncate",
    "folder": "mkdir,mkdirat",
}
MAKE_DURABLE = ",".join(CALLS.values())


@dataclass(frozen=True, slots=True)
class Ended:
    """How the child ended, and what it had acknowledged until then."""

    code: int
    acknowledged: dict[str, str]
    stderr: str


def run_child(strace: Path, folder: Path, *inject: str) -> Ended:
    """Drive a folder in a child that strace disturbs as told."""
    trace = folder.with_name("trace")
    injections = [word for item in inject for word in ("-e", f"inject={item}")]
    finished = subprocess.run(
        [strace, "-qq", "-o", trace, "-e", f"trace={MAKE_DURABLE}", *injections, sys.executable, "-B", CHILD, folder],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = re.findall(r"^(\S+) ([0-9a-f]{64})$", finished.stdout, re.MULTILINE)
    return Ended(finished.returncode, dict(lines), finished.stderr)


def check_and_resume(folder: Path, ended: Ended) -> None:
    """Nothing acknowledged is lost, nothing is invented, and the run goes on exactly."""
    for name, sha256 in ended.acknowledged.items():
        kept = (folder / "attempts" / f"{name}.json").read_bytes()
        assert hashlib.sha256(kept).hexdigest() == sha256, f"{name} was acknowledged and is lost"
    with Ledger(folder) as ledger:
        assert ended.acknowledged.items() <= ledger.done.items()
        for name in ledger.done:
            assert ledger.read(name) in (content(name), cut_off(name)), f"{name} is invented"
        before = dict(ledger.done)
        hanging = [entry.attempt for entry in ledger.interrupted]
    drive(folder, lambda name, sha256: None)
    with Ledger(folder) as ledger:
        assert list(ledger.done)[: len(before)] == list(before), "what was done stays as it was"
        assert ledger.interrupted == []
        for slot in SLOTS:
            tries = [name for name in ledger.done if name == slot or name.startswith(f"{slot}.r")]
            cut = [name for name in tries if ledger.read(name) == cut_off(name)]
            assert len(tries) == len(cut) + 1, "a slot has one outcome, and every interruption is kept"
            assert ledger.read(tries[-1]) == content(tries[-1])
            assert (folder / "events" / f"{tries[-1]}.jsonl").read_bytes() == happened(tries[-1])
        assert all(ledger.read(name) == cut_off(name) for name in hanging)
    assert not list(folder.rglob("*.part")), "nothing half-written stays"
    settled = (folder / LEDGER_FILE).read_bytes()
    drive(folder, lambda name, sha256: pytest.fail(f"{name} is performed again"))
    assert (folder / LEDGER_FILE).read_bytes() == settled, "resuming a finished run changes nothing"


def crash_everywhere(strace: Path, tmp_path: Path, call: str, points: range, dirty: Path | None = None) -> int:
    """Kill the child at the given occurrences of one system call, until it is not reached any more."""
    killed = 0
    for number in points:
        folder = tmp_path / f"{call}-{number}"
        if dirty is None:
            folder.mkdir()
        else:
            shutil.copytree(dirty, folder)
        ended = run_child(strace, folder, f"{CALLS[call]}:signal=KILL:when={number}")
        if ended.code == 0:
            break
        assert ended.code in (-signal.SIGKILL, 128 + signal.SIGKILL), ended.stderr
        killed += 1
        check_and_resume(folder, ended)
    return killed


@pytest.fixture
def half_way(tmp_path: Path) -> Path:
    """A run that was killed: one attempt is done, one was cut off, and the last line is torn."""
    folder = tmp_path / "half-way"
    folder.mkdir()
    with Ledger(folder) as ledger:
        ledger.start(SLOTS[0], 0)
        make_folder(folder / "events", below=folder)
        put(folder / "events" / f"{SLOTS[0]}.jsonl", happened(SLOTS[0]))
        ledger.keep(SLOTS[0], content(SLOTS[0]), 0)
        ledger.start(SLOTS[1], 0)
        whole = (folder / LEDGER_FILE).read_bytes()
    with (folder / LEDGER_FILE).open("ab") as stream:
        stream.write(whole.splitlines(keepends=True)[0][:90])
    (folder / "attempts" / f".{SLOTS[1]}.json.part").write_bytes(b"half")
    return folder


@pytest.fixture
def unacknowledged(tmp_path: Path) -> Path:
    """A run that was killed between an attempt file and its done record."""
    folder = tmp_path / "unacknowledged"
    folder.mkdir()
    drive(folder, lambda name, sha256: None)
    lines = (folder / LEDGER_FILE).read_bytes().splitlines(keepends=True)
    (folder / LEDGER_FILE).write_bytes(b"".join(lines[:3]))
    last = SLOTS[-1]
    (folder / "attempts" / f"{last}.json").unlink()
    (folder / "events" / f"{last}.jsonl").unlink()
    return folder


@pytest.mark.parametrize(("call", "first"), [("write", 4), ("write", 9), ("fsync", 8), ("link", 2), ("unlink", 2)])
def test_a_killed_run_loses_nothing(required_tool, tmp_path, call, first):
    """A sample; the whole battery belongs to `make check-long`."""
    strace = required_tool("strace")
    assert crash_everywhere(strace, tmp_path, call, range(first, first + 1)) == 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("call", "at_least"), [("write", 12), ("fsync", 20), ("link", 6), ("unlink", 6), ("folder", 2)]
)
def test_a_run_killed_at_any_call_loses_nothing(required_tool, tmp_path, call, at_least):
    strace = required_tool("strace")
    assert crash_everywhere(strace, tmp_path, call, range(1, 200)) >= at_least


@pytest.mark.long
@pytest.mark.parametrize(
    ("call", "at_least"), [("write", 8), ("fsync", 12), ("link", 4), ("unlink", 5), ("truncate", 1)]
)
def test_a_recovery_killed_at_any_call_loses_nothing(required_tool, tmp_path, half_way, call, at_least):
    strace = required_tool("strace")
    assert crash_everywhere(strace, tmp_path, call, range(1, 200), half_way) >= at_least


@pytest.mark.long
@pytest.mark.parametrize(("call", "at_least"), [("write", 5), ("fsync", 8), ("link", 2), ("unlink", 2)])
def test_an_attempt_file_without_its_record_survives_any_further_kill(
    required_tool, tmp_path, unacknowledged, call, at_least
):
    strace = required_tool("strace")
    assert crash_everywhere(strace, tmp_path, call, range(1, 200), unacknowledged) >= at_least


def test_an_attempt_file_without_its_record_is_done(unacknowledged):
    with Ledger(unacknowledged) as ledger:
        assert list(ledger.done) == list(SLOTS[:2])
        assert ledger.interrupted == []
        assert ledger.read(SLOTS[1]) == content(SLOTS[1])


def test_a_torn_tail_is_cut_and_an_interrupted_attempt_is_kept(half_way):
    with Ledger(half_way) as ledger:
        assert [entry.attempt for entry in ledger.interrupted] == [SLOTS[1]]
        assert list(ledger.done) == [SLOTS[0]]
    check_and_resume(half_way, Ended(0, {SLOTS[0]: hashlib.sha256(content(SLOTS[0])).hexdigest()}, ""))


def test_attempts_that_a_crash_cut_off_side_by_side_are_all_interrupted_and_each_is_kept(tmp_path):
    with Ledger(tmp_path) as ledger:
        for name in SLOTS[:3]:
            ledger.start(name, 1)
        make_folder(tmp_path / "events", below=tmp_path)
        put(tmp_path / "events" / f"{SLOTS[1]}.jsonl", happened(SLOTS[1]))
        ledger.keep(SLOTS[1], content(SLOTS[1]), 2)
    with Ledger(tmp_path) as ledger:
        assert [entry.attempt for entry in ledger.interrupted] == [SLOTS[0], SLOTS[2]]
        ledger.keep(SLOTS[2], cut_off(SLOTS[2]), 3)
        with pytest.raises(ValueError, match=f"{re.escape(SLOTS[0])} was interrupted"):
            ledger.start(f"{SLOTS[2]}.r1", 4)
    check_and_resume(tmp_path, Ended(0, {SLOTS[1]: hashlib.sha256(content(SLOTS[1])).hexdigest()}, ""))


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (("start", "start"), "a.one.1 is started twice"),
        (("done",), "a.one.1 is done, and it was never started"),
        (("start", "done", "done"), "a.one.1 is done twice"),
        (("start", "done", "start"), "a.one.1 is started twice"),
    ],
)
def test_records_that_no_runner_writes_in_this_order_are_damage(tmp_path, records, said):
    (tmp_path / LEDGER_FILE).write_bytes(b"".join(Entry(it, "a.one.1", 0, "").line() for it in records))
    with pytest.raises(CorruptLedgerError, match=said):
        Ledger(tmp_path)


def fail_everywhere(strace: Path, tmp_path: Path, call: str, error: str, points: range) -> int:
    """Let one system call fail at the given occurrences, until it is not reached any more."""
    failed = 0
    for number in points:
        folder = tmp_path / f"{call}-{error}-{number}"
        folder.mkdir()
        ended = run_child(strace, folder, f"{CALLS[call]}:error={error}:when={number}")
        if ended.code == 0:
            break
        assert ended.code == 3, ended.stderr
        assert len(ended.stderr.splitlines()) == 1, "one line says why"
        assert ("no space left" if error == "ENOSPC" else "input/output error") in ended.stderr
        failed += 1
        check_and_resume(folder, ended)
    return failed


@pytest.mark.parametrize(("call", "error", "first"), [("write", "ENOSPC", 5), ("fsync", "EIO", 9), ("link", "EIO", 1)])
def test_a_failing_disk_ends_the_run_with_its_reason(required_tool, tmp_path, call, error, first):
    strace = required_tool("strace")
    assert fail_everywhere(strace, tmp_path, call, error, range(first, first + 1)) == 1


@pytest.mark.long
@pytest.mark.parametrize("error", ["ENOSPC", "EIO"])
@pytest.mark.parametrize(("call", "at_least"), [("write", 12), ("fsync", 20), ("link", 6)])
def test_a_disk_that_fails_at_any_call_ends_the_run_with_its_reason(required_tool, tmp_path, call, error, at_least):
    strace = required_tool("strace")
    assert fail_everywhere(strace, tmp_path, call, error, range(1, 200)) >= at_least


@pytest.mark.long
def test_every_torn_tail_of_a_ledger_is_recovered(tmp_path):
    """A write may stop after any byte: the run goes on from the last whole record."""
    whole = tmp_path / "whole"
    whole.mkdir()
    drive(whole, lambda name, sha256: None)
    data = (whole / LEDGER_FILE).read_bytes()
    for length in range(len(data)):
        lines = data[:length].split(b"\n")[:-1]
        done = {line.split(b'"attempt":"')[1].split(b'"')[0].decode() for line in lines if b'"done"' in line}
        started = {line.split(b'"attempt":"')[1].split(b'"')[0].decode() for line in lines if b'"start"' in line}
        folder = tmp_path / "torn"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        (folder / LEDGER_FILE).write_bytes(data[:length])
        # An attempt file is linked only after its start record is on disk.
        for file in (folder / "attempts").iterdir():
            if file.stem not in started:
                file.unlink()
        for file in (folder / "events").iterdir():
            if file.stem not in started:
                file.unlink()
        with Ledger(folder) as ledger:
            assert set(ledger.done) == started, "a start with its file counts as done"
            assert done <= set(ledger.done)
        check_and_resume(folder, Ended(0, {}, ""))


def test_a_bad_record_before_a_good_one_is_kept_and_refused(tmp_path):
    drive(tmp_path, lambda name, sha256: None)
    data = bytearray((tmp_path / LEDGER_FILE).read_bytes())
    data[data.index(b"\n") + 70] ^= 1
    (tmp_path / LEDGER_FILE).write_bytes(bytes(data))
    with pytest.raises(CorruptLedgerError, match=r"line 2: not a valid record, and more follows"):
        Ledger(tmp_path)
    assert (tmp_path / LEDGER_FILE).read_bytes() == bytes(data), "the damaged file is kept as it is"


def test_an_attempt_file_that_nobody_started_is_refused(tmp_path):
    drive(tmp_path, lambda name, sha256: None)
    (tmp_path / "attempts" / "c.one.1.json").write_bytes(content("c.one.1"))
    with pytest.raises(CorruptLedgerError, match=r"c\.one\.1\.json: no start record"):
        Ledger(tmp_path)


def test_a_changed_or_missing_attempt_file_is_refused(tmp_path):
    drive(tmp_path, lambda name, sha256: None)
    file = tmp_path / "attempts" / f"{SLOTS[1]}.json"
    file.write_bytes(content(SLOTS[0]))
    with pytest.raises(CorruptLedgerError, match="differs from what the ledger acknowledged"):
        Ledger(tmp_path)
    file.unlink()
    with pytest.raises(CorruptLedgerError, match="it is gone"):
        Ledger(tmp_path)


def test_an_attempt_file_is_written_once(tmp_path):
    with Ledger(tmp_path) as ledger:
        ledger.start("a.one.1", 0)
        ledger.keep("a.one.1", b"first", 0)
        ledger.start("a.two.1", 0)
        with pytest.raises(StorageError, match="file exists"):
            ledger.keep("a.one.1", b"second", 0)
        assert ledger.read("a.one.1") == b"first"


def test_the_ledger_of_a_run_in_progress_can_be_read_without_touching_it(half_way):
    data = (half_way / LEDGER_FILE).read_bytes()
    prefix = read_prefix(data)
    assert [(entry.record, entry.attempt) for entry in prefix.entries] == [
        ("start", SLOTS[0]),
        ("done", SLOTS[0]),
        ("start", SLOTS[1]),
    ]
    assert prefix.length < len(data)
