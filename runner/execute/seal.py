"""Seals a finished run: assembles it beside its place, opens it as a reader would, and moves it there.

From the same attempt files come the same bytes, so that a seal cut off by a crash can be made again.
"""

import errno
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from runner.contract.analysis.count import analyse
from runner.contract.errors import ContractError
from runner.contract.evidence import Beginning, Run
from runner.contract.plan import Plan
from runner.contract.seal import SEAL_FILE, digest, format_seal
from runner.contract.tally import tally
from runner.contract.values import Record
from runner.errors import CorruptLedgerError, RunnerError, StorageError
from runner.execute.folder import RunFolder
from runner.execute.kept import Kept
from runner.reading.checks.totals import end_of
from runner.reading.sealed import SealedRun, open_run
from runner.store import make_folder, put, put_copy, storing, sync_folder


def seal(folder: RunFolder, plan: Plan, beginning: Beginning, kept: Sequence[Kept], out: Path | None) -> SealedRun:
    """Seal a run into its own folder, or into `out`, which must be absent or empty.

    Raises `StorageError`, `CorruptLedgerError` if a file is not what its attempt file says,
    and `RunnerError` if what we sealed does not verify.
    """
    target = out or folder.sealed
    part = target.with_name(f".{target.name}.part")
    documents = _documents(plan, beginning, kept)
    with storing(target):
        if part.exists():
            shutil.rmtree(part)
        part.mkdir(parents=True, mode=0o755)
    sums = {name: digest(data) for name, data in documents.items()}
    for file in (file for item in kept for file in item.files):
        make_folder((part / file.path).parent, below=part)
        put_copy(part / file.path, folder.path / file.path)
        sums[file.path] = digest((part / file.path).read_bytes())
        if sums[file.path] != file.sha256:
            what = "differs from what its attempt file says"
            raise CorruptLedgerError(what, "start a new run with --new", where=f"{folder.run}/{file.path}")
    for name, data in documents.items():
        put(part / name, data)
    put(part / SEAL_FILE, format_seal(sums))
    with storing(part):
        _make_public(part)
    try:
        sealed = open_run(part, name=folder.run)
    except ContractError as error:
        what = f"the sealed run does not verify, which is a fault of ours:\n{error}"
        raise RunnerError(what, "the run's files are kept; please report this", where=folder.run) from error
    if _same_seal(target, sealed.seal_sha256):
        shutil.rmtree(part)
    else:
        with storing(target):
            part.rename(target)
            sync_folder(target.parent)
    return open_run(target, name=folder.run)


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


def _documents(plan: Plan, beginning: Beginning, kept: Sequence[Kept]) -> dict[str, bytes]:
    attempts = tuple(item.attempt for item in kept)
    timings = tuple(item.timing for item in kept)
    run = Run(
        **{name: getattr(beginning, name) for name in Beginning.model_fields},
        format="sealbook.run/1",
        ended_at=end_of(beginning.started_at, max((timing.ended_ns for timing in timings), default=0)),
        tally=tally(plan.slots, attempts, excluded=len(plan.exclusions)),
        analysis=analyse(plan, attempts),
        replaced=sum(item.replaced for item in kept),
    )
    return {
        "run.json": run.canonical(),
        "plan.json": plan.canonical(),
        "attempts.jsonl": _lines(attempts),
        "timings.jsonl": _lines(timings),
        "commitments.jsonl": _lines([commitment for item in kept for commitment in item.commitments]),
    }


def _lines(records: Sequence[Record]) -> bytes:
    return b"".join(record.canonical() + b"\n" for record in records)


def _make_public(folder: Path) -> None:
    """Everybody may read, nobody may write; folders stay writable for their owner alone."""
    for parent, _, files in os.walk(folder, topdown=False):
        for file in files:
            Path(parent, file).chmod(0o444)
        Path(parent).chmod(0o755)
        sync_folder(Path(parent))


def _same_seal(target: Path, seal_sha256: str) -> bool:
    """Whether this very run is there already, because a crash came after the move."""
    seal_file = target / SEAL_FILE
    return seal_file.is_file() and digest(seal_file.read_bytes()) == seal_sha256
