"""Writes a whole site at once, or nothing: into a folder beside the old one, then in its place.

A folder is replaced only if a build made it. Everything else in the way is left alone and named.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from runner.contract.errors import Problem
from sitegen.errors import OutputError

MARKER = ".sealbook-site"
"""The file by which a build knows a folder that a build made."""
MARKER_TEXT = b"Made by `sealbook build`, which replaces this folder as a whole. Change nothing in it.\n"
KEPT = ".gitignore"
"""The one file of an older site that stays as it is."""

_NAMED_DIFFERENCES = 5


def write_site(files: Mapping[str, bytes], out: Path) -> None:
    """Make the folder `out` hold exactly `files`, by path, beside the marker and a kept .gitignore.

    Raises `OutputError` if `out` holds anything that no build made, or cannot be written. Then
    `out` is what it was before.
    """
    target = Path(os.path.realpath(out))  # a link to the folder stays a link
    _refuse_foreign(target, out)
    new = target.with_name(f".{target.name}.new-{os.getpid()}")
    old = target.with_name(f".{target.name}.old-{os.getpid()}")
    try:
        try:
            _fill(new, files, target)
            _swap(new, target, old)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise OutputError(Problem(str(out), "", why, "choose a folder that can be written")) from error
    shutil.rmtree(old, ignore_errors=True)


def differences(files: Mapping[str, bytes], out: Path) -> tuple[Problem, ...]:
    """How the folder `out` differs from the site that its sources give now.

    An old site differs nearly everywhere for one reason, so a few files are named and the rest counted.
    """
    shown = out.name
    there = {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    wanted = {**files, MARKER: MARKER_TEXT}
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


def _difference(wanted: bytes | None, there: bytes | None) -> str:
    if wanted is None:
        return "not part of the site"
    if there is None:
        return "is missing"
    return "" if wanted == there else "differs from what the sources give"


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


def _fill(new: Path, files: Mapping[str, bytes], target: Path) -> None:
    """Write all files of the site below `new`."""
    new.mkdir(parents=True)
    for name in sorted(files):
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[name])
    (new / MARKER).write_bytes(MARKER_TEXT)
    if (target / KEPT).is_file():
        shutil.copyfile(target / KEPT, new / KEPT)


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
