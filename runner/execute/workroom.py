"""An attempt's private folder, noted in the run, so that one left by a killed runner is removed on resume."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.execute.folder import RunFolder
from runner.sandbox.workspace import private_child, remove_private_child
from runner.store import make_folder, put, storing

_NOTES = "workspaces"


@contextmanager
def workroom(run: RunFolder, work_root: Path, attempt: str) -> Iterator[Path]:
    """A fresh private folder below `work_root`, removed at the end whatever happens."""
    note = run.path / _NOTES / attempt
    make_folder(note.parent, below=run.path)
    try:
        with private_child(work_root, attempt) as folder:
            put(note, json.dumps([str(folder), *_identity(folder)]).encode())
            yield folder
    finally:
        # The folder is gone and its name is free: what is made there from now on is somebody else's.
        note.unlink(missing_ok=True)


def remove_abandoned(run: RunFolder, attempt: str) -> None:
    """Remove the folder of an attempt that a crash cut off, if the very one is still there."""
    note = run.path / _NOTES / attempt
    with storing(note):
        if not note.is_file():
            return
        path, *identity = json.loads(note.read_bytes())
        folder = Path(path)
        if folder.is_dir() and not folder.is_symlink() and _identity(folder) == identity:
            remove_private_child(folder)
        note.unlink()


def _identity(folder: Path) -> list[int]:
    """What tells a folder from another that has its name later."""
    found = os.lstat(folder)
    return [found.st_dev, found.st_ino, found.st_uid]
