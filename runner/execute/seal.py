"""Seals a finished run: assembles it beside its place, opens it as a reader would, and moves it there.

From the same attempt files come the same bytes, so that a seal cut off by a crash can be made again.
"""

import errno
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.contract.analysis.count import counting
from runner.contract.errors import ContractError
from runner.contract.evidence import Beginning, Run
from runner.contract.plan import Plan
from runner.contract.seal import SEAL_FILE, digest, seal_lines
from runner.contract.values import Record
from runner.errors import CorruptLedgerError, RunnerError, StorageError
from runner.execute.folder import RunFolder
from runner.execute.kept import Kept
from runner.reading.checks.totals import end_of
from runner.reading.sealed import SealedRun, moved, open_run
from runner.store import copy, growing, put, storing, sync_folder


def seal(folder: RunFolder, plan: Plan, beginning: Beginning, kept: Iterable[Kept], out: Path | None) -> SealedRun:
    """Seal a run into its own folder, or into `out`, which must be absent or empty.

    `kept` are its attempts in plan order; they are taken one by one, and none is held in memory.

    Raises `StorageError`, `CorruptLedgerError` if a file is not what its attempt file says,
    and `RunnerError` if what we sealed does not verify.
    """
    target = out or folder.sealed
    part = target.with_name(f".{target.name}.part")
    with storing(target):
        if part.exists():
            shutil.rmtree(part)
        part.mkdir(parents=True, mode=0o755)
    count = counting(plan, lambda path: (part / path).read_bytes())
    sums: dict[str, str] = {}
    ended_ns = replaced = 0
    with _lines(part, "attempts") as attempts, _lines(part, "timings") as timings, _lines(part, "commitments") as rest:
        for item in kept:
            sums |= _copied(folder, part, item)
            attempts.add(item.attempt)
            timings.add(item.timing)
            for commitment in item.commitments:
                rest.add(commitment)
            count.add(item.attempt)
            ended_ns = max(ended_ns, item.timing.ended_ns)
            replaced += item.replaced
    sums |= {lines.name: lines.sha256 for lines in (attempts, timings, rest)}
    run = Run(
        **{name: getattr(beginning, name) for name in Beginning.model_fields},
        format="sealbook.run/1",
        ended_at=end_of(beginning.started_at, ended_ns),
        tally=count.tally(),
        analysis=count.analysis(),
        replaced=replaced,
    )
    for name, record in (("run.json", run), ("plan.json", plan)):
        data = record.canonical()
        put(part / name, data)
        sums[name] = digest(data)
    with growing(part / SEAL_FILE) as write:
        for line in seal_lines(sums):
            write(line)
    del run, count, sums  # the reader counts again
    with storing(part):
        make_public(part)
    try:
        sealed = open_run(part, name=folder.run)
    except ContractError as error:
        what = f"the sealed run does not verify, which is a fault of ours:\n{error}"
        raise RunnerError(what, "the run's files are kept; please report this", where=folder.run) from error
    if _same_seal(target, sealed.seal_sha256):
        shutil.rmtree(part)
        return open_run(target, name=folder.run)
    with storing(target):
        part.rename(target)
        sync_folder(target.parent)
    return moved(sealed, target)


def check_out(out: Path | None, *, resumed: str | None) -> None:
    """Raise `StorageError` if a run cannot be sealed into `out`, before anything is run for it.

    A resumed run may find itself there: a crash came between its seal and the note of it.
    """
    if out is None:
        return
    todo = "give a new or an empty folder to --out"
    try:
        takes = _takes_a_run(out, resumed)
    except OSError as error:
        raise StorageError((error.strerror or type(error).__name__).lower(), todo, where=str(out)) from error
    if not takes:
        raise StorageError("exists and is not empty", todo, where=str(out))


def _takes_a_run(out: Path, resumed: str | None) -> bool:
    """Whether it is absent and can be made, or empty, or the resumed run itself. Raises OSError."""
    try:
        out.lstat()
    except FileNotFoundError:
        above = next(folder for folder in out.parents if folder.exists())
        if not os.access(above, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, f"nothing can be written in {above}") from None
        return True
    if not out.is_dir() or out.is_symlink():
        return False
    if not any(out.iterdir()):
        return True
    stated = out / "run.json"
    return bool(resumed) and stated.is_file() and f'"run":"{resumed}"'.encode() in stated.read_bytes()


def _copied(folder: RunFolder, part: Path, kept: Kept) -> dict[str, str]:
    """Copy the files of an attempt, and return their digests by path. Raises `CorruptLedgerError`."""
    for file in kept.files:
        with storing(part / file.path):
            (part / file.path).parent.mkdir(parents=True, exist_ok=True)
        if copy(part / file.path, folder.path / file.path) != file.sha256:
            what = "differs from what its attempt file says"
            raise CorruptLedgerError(what, "start a new run with --new", where=f"{folder.run}/{file.path}")
    return {file.path: file.sha256 for file in kept.files}


class _Lines:
    """Records of a `.jsonl` file, one a line, written as they come."""

    def __init__(self, name: str, write: Callable[[bytes], None]) -> None:
        self.name = name
        self._write = write
        self._whole = hashlib.sha256()

    def add(self, record: Record) -> None:
        """Write one more."""
        line = record.canonical() + b"\n"
        self._whole.update(line)
        self._write(line)

    @property
    def sha256(self) -> str:
        """Of what was written so far."""
        return self._whole.hexdigest()


@contextmanager
def _lines(part: Path, name: str) -> Iterator[_Lines]:
    file = f"{name}.jsonl"
    with growing(part / file) as write:
        yield _Lines(file, write)


def make_public(folder: Path) -> None:
    """Everybody may read, nobody may write; folders stay writable for their owner alone. All of it is made durable."""
    for parent, _, files in os.walk(folder, topdown=False):
        for file in files:
            descriptor = os.open(Path(parent, file), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                os.fchmod(descriptor, 0o444)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        Path(parent).chmod(0o755)
        sync_folder(Path(parent))


def _same_seal(target: Path, seal_sha256: str) -> bool:
    """Whether this very run is there already, because a crash came after the move."""
    seal_file = target / SEAL_FILE
    return seal_file.is_file() and digest(seal_file.read_bytes()) == seal_sha256
