"""Takes a site file by file: into a folder that replaces the old one as a whole, or as digests.

A folder is replaced only if a build made it. Everything else in the way is left alone and named.
"""

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from runner.contract.errors import Problem
from sitegen.errors import OutputError

MARKER = ".sealbook-site"
"""The file by which a build knows a folder that a build made."""
MARKER_TEXT = b"Made by `sealbook build`, which replaces this folder as a whole. Change nothing in it.\n"
KEPT = ".gitignore"
"""The one file of an older site that stays as it is."""

_NAMED_DIFFERENCES = 5
_CHUNK = 1024 * 1024


class Sink(Protocol):
    """Where the files of a site go, one after the other, in any order."""

    def put(self, path: str, pieces: Iterable[bytes]) -> None:
        """Take one file by its path from the site's root. What `pieces` raises is passed on."""


@dataclass(slots=True)
class Digests:
    """What a site would be, as the SHA-256 of every file."""

    files: dict[str, bytes] = field(default_factory=dict)

    def put(self, path: str, pieces: Iterable[bytes]) -> None:
        """Measure one file."""
        self.files[path] = _digest(pieces)


@dataclass(slots=True)
class Folder:
    """A folder that is being filled."""

    path: Path
    shown: Path
    """How messages call it."""
    _parents: set[Path] = field(default_factory=set)

    def put(self, path: str, pieces: Iterable[bytes]) -> None:
        """Write one file. Raises `OutputError` if it cannot be written."""
        target = self.path / path
        with _telling(self.shown):
            if target.parent not in self._parents:
                target.parent.mkdir(parents=True, exist_ok=True)
                self._parents.add(target.parent)
            with target.open("wb") as stream:
                for piece in pieces:
                    stream.write(piece)


@contextmanager
def replacing(out: Path) -> Iterator[Folder]:
    """A folder beside `out` to fill, which takes its place when the block ends well.

    The new `out` has the marker and keeps its .gitignore. Raises `OutputError` if `out` holds
    anything that no build made, or cannot be written. After any exception `out` is what it was
    before, and nothing is left beside it; what a killed build left there goes with the next one.
    """
    target = Path(os.path.realpath(out))  # a link to the folder stays a link
    _refuse_foreign(target, out)
    new = target.with_name(f".{target.name}.new-{os.getpid()}")
    old = target.with_name(f".{target.name}.old-{os.getpid()}")
    with _telling(out):
        _clear_away(target)
        new.mkdir(parents=True)
    try:
        yield Folder(new, out)
        with _telling(out):
            (new / MARKER).write_bytes(MARKER_TEXT)
            if (target / KEPT).is_file():
                shutil.copyfile(target / KEPT, new / KEPT)
            _swap(new, target, old)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def differences(digests: Mapping[str, bytes], out: Path) -> tuple[Problem, ...]:
    """How the folder `out` differs from the site that its sources give now, whose `Digests` are given.

    An old site differs nearly everywhere for one reason, so a few files are named and the rest counted.
    """
    shown = out.name
    there = {path.relative_to(out).as_posix(): path for path in out.rglob("*") if path.is_file()}
    wanted = {**digests, MARKER: _digest((MARKER_TEXT,))}
    there.pop(KEPT, None)
    todo = "build the site again"
    found = [
        Problem(f"{shown}/{name}", "", what, todo)
        for name in sorted(wanted.keys() | there.keys())
        if (what := _difference(wanted.get(name), there.get(name)))
    ]
    named, more = found[:_NAMED_DIFFERENCES], len(found) - _NAMED_DIFFERENCES
    rest = [Problem(f"{shown}/", "", f"{more} more files differ", todo)] if more > 0 else []
    return (*named, *rest)


def is_site(folder: Path) -> bool:
    """Whether a build made this folder."""
    return (folder / MARKER).is_file()


@contextmanager
def _telling(out: Path) -> Iterator[None]:
    """A block in which what the system refuses is told as a fault of the folder `out`."""
    try:
        yield
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise OutputError(Problem(str(out), "", why, "choose a folder that can be written")) from error


def _difference(wanted: bytes | None, there: Path | None) -> str:
    if wanted is None:
        return "not part of the site"
    if there is None:
        return "is missing"
    with there.open("rb") as stream:
        found = _digest(iter(lambda: stream.read(_CHUNK), b""))
    return "" if wanted == found else "differs from what the sources give"


def _digest(pieces: Iterable[bytes]) -> bytes:
    whole = hashlib.sha256()
    for piece in pieces:
        whole.update(piece)
    return whole.digest()


def _refuse_foreign(target: Path, shown: Path) -> None:
    """Refuse to replace what no build made."""
    if not target.exists():
        return
    if not target.is_dir():
        raise OutputError(Problem(str(shown), "", "is a file", "name a folder"))
    foreign = sorted(path.name for path in target.iterdir() if path.name != KEPT)
    if foreign and not is_site(target):
        what = f"holds {foreign[0]} and was not made by a build"
        raise OutputError(Problem(str(shown), "", what, "name an empty or a new folder"))


def _clear_away(target: Path) -> None:
    """Remove what builds that were killed left beside `target`, and put an old site back that one had moved."""
    left = {kind: _left_behind(target, kind) for kind in ("old", "new")}
    if left["old"] and not target.exists():
        left["old"].pop().rename(target)
    for folder in (*left["old"], *left["new"]):
        shutil.rmtree(folder, ignore_errors=True)


def _left_behind(target: Path, kind: str) -> list[Path]:
    prefix = f".{target.name}.{kind}-"
    beside = target.parent.iterdir() if target.parent.is_dir() else ()
    found = [path for path in beside if path.name.startswith(prefix)]
    return sorted(path for path in found if not _running(path.name.removeprefix(prefix)))


def _running(process: str) -> bool:
    """Whether a process of this number is alive; what is no number belongs to nobody we know."""
    if not process.isdecimal():
        return True
    if int(process) == os.getpid():  # of an earlier life: this one has left nothing yet
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _swap(new: Path, target: Path, old: Path) -> None:
    """Put `new` in the place of `target`; on failure `target` is back where it was."""
    if not target.exists():
        new.rename(target)
        return
    target.rename(old)
    try:
        new.rename(target)
    except OSError:
        old.rename(target)
        raise
