"""Which file a package was really imported from, as the hook noted it inside each Python process."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

_NOTE_BYTES = 65_536
"""Far above a note with the longest path; what is longer is no note."""


@dataclass(frozen=True, slots=True)
class WitnessedPackage:
    """A package that shall be witnessed, and the existing folder of the runner's own that takes the notes."""

    package: str
    """The name by which it is imported, such as `mypy`."""
    folder: Path


@dataclass(frozen=True, slots=True, order=True)
class Witness:
    """One import that took place: Python loaded the package from this file."""

    package: str
    origin: Path
    """The absolute path of its file, such as `__init__.py` or a compiled `__init__`."""
    pid: int
    """The process as it knows itself: in a jail, by the numbers of the jail."""


def witnesses(folder: Path) -> tuple[Witness, ...]:
    """The imports noted in `folder`, each once, by package, file and process; none if there is no such folder.

    A subject can write there too, so this shows what an honest program imported. What is no such note is left
    out, as is one that could not be written: a process without a witness is for the caller to judge.
    """
    try:
        names = os.listdir(folder)  # noqa: PTH208 -- names alone
    except OSError:
        return ()
    found = (_note(folder / name) for name in names if name.endswith(".json"))
    return tuple(sorted({note for note in found if note is not None}))


def _note(path: Path) -> Witness | None:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        text = os.read(handle, _NOTE_BYTES)
    except OSError:
        return None
    finally:
        os.close(handle)
    try:
        note = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match note:
        case {"package": str(package), "origin": str(origin), "pid": int(pid)} if len(note) == 3:
            return Witness(package, Path(origin), pid)
    return None
