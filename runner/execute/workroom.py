"""An attempt's private folder, noted in the run before it is made, so that one left by a killed runner is removed."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from runner.errors import SandboxError, StorageError
from runner.execute.folder import RunFolder
from runner.sandbox.owned_folder import owned_folder, remove_owned
from runner.store import make_folder, storing

_NOTES = "workspaces"
_BETWEEN = b"\0"
"""Stands in no path."""


@contextmanager
def workroom(run: RunFolder, work_root: Path, attempt: str, room: str) -> Iterator[Path]:
    """A fresh private folder below `work_root`, removed at the end whatever happens.

    It is named after `room`, which says nothing of the run: equal attempts of two runs see equal paths, wherever they
    print them, and so do attempts of one run that share a room one after the other.
    """
    note = run.path / _NOTES / attempt
    make_folder(note.parent, below=run.path)
    with storing(note):
        # For whoever is killed: it is there at once. What a power cut leaves in a work root is no secret.
        note.write_bytes(os.fsencode(work_root) + _BETWEEN + os.fsencode(room))
    with owned_folder(work_root, room, _owner(note)) as folder:
        yield folder
    note.unlink(missing_ok=True)  # what could not be removed stays noted, and is tried again on resume


def remove_abandoned(run: RunFolder, attempt: str) -> None:
    """Remove the folder of an attempt that a crash cut off, if it is still there.

    Raises `SandboxError` if something of it stays.
    """
    _remove(run.path / _NOTES / attempt)


def remove_interrupted(run: RunFolder) -> None:
    """Remove the folders of all attempts of a run that is stopped, as far as that can be done now."""
    for note in sorted((run.path / _NOTES).glob("[!.]*")):
        with suppress(SandboxError, StorageError):
            _remove(note)


def _remove(note: Path) -> None:
    with storing(note):
        if not note.is_file():
            return
        work_root, _, room = note.read_bytes().partition(_BETWEEN)
        # Earlier versions noted the work root alone: the room had the name of the attempt.
        remove_owned(Path(os.fsdecode(work_root)), os.fsdecode(room) or note.name, _owner(note))
        note.unlink()


def _owner(note: Path) -> str:
    """A word for one attempt of one run."""
    return hashlib.sha256(os.fsencode(note.absolute())).hexdigest()[:32]
