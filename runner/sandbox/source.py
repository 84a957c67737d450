"""Source trees: copied, unpacked and hashed. Links are kept as links and never followed."""

import hashlib
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from runner.contract.values import FileDigest
from runner.errors import PreparationError

NOT_SOURCE = (
    *(".git", ".hg", ".svn", ".venv", "venv", ".tox", ".nox", "node_modules", "__pycache__"),
    *(".pytest_cache", ".mypy_cache", ".ruff_cache", "*.pyc"),
)
"""What a checkout may hold beside its source: neither copied nor hashed."""


def copy_tree(source: Path, target: Path) -> None:
    """Copy a source tree to a place that does not exist yet; `source` itself is only read.

    Raises `PreparationError` for what is no file, link or folder, or cannot be read.
    """
    try:
        shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(*NOT_SOURCE))
    except shutil.Error as error:
        first, _, why = error.args[0][0]
        what = f"{len(error.args[0])} of its files cannot be copied, such as {Path(first).relative_to(source)}: {why}"
        raise PreparationError(what, "remove them or make them readable", where=source.name) from error


def unpack(archive: Path, target: Path) -> None:
    """Unpack a source distribution so that its one top folder becomes `target`.

    Raises `PreparationError` for an archive that would write outside, or has no single top folder.
    """
    beside = target.with_name(f"{target.name}.unpacking")
    beside.mkdir(mode=0o700)
    try:
        with tarfile.open(archive) as tar:
            _extract(tar, beside)
        tops = list(beside.iterdir())
        if len(tops) != 1 or not tops[0].is_dir():
            what = f"{len(tops)} entries at its top, not one folder"
            raise PreparationError(what, "pin a source distribution", where=archive.name)
        tops[0].rename(target)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise PreparationError(f"cannot be unpacked: {error}", "pin another", where=archive.name) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _extract(tar: tarfile.TarFile, folder: Path) -> None:
    """Write the members below `folder`. Raises `TarError` for one that would write outside."""
    if hasattr(tarfile, "data_filter"):
        tar.extractall(folder, filter="data")
        return
    # Python before 3.11.4, such as Debian 12's, has no filter: there only files and folders are taken.
    members = tar.getmembers()
    for member in members:
        place = PurePosixPath(member.name)
        if not (member.isreg() or member.isdir()) or place.is_absolute() or ".." in place.parts:
            raise tarfile.ExtractError(f"{member.name!r} is no file or folder inside it")
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        member.uid, member.gid, member.uname, member.gname = os.geteuid(), os.getegid(), "", ""
    tar.extractall(folder, members)  # noqa: S202  every member was looked at above


def files_below(folder: Path) -> Iterator[FileDigest]:
    """Every regular file below a folder, sorted by path, without caches. A link counts as its target's name."""
    found: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found += [Path(parent, name) for name in names if not name.endswith(".pyc")]
        found += [Path(parent, name) for name in folders if Path(parent, name).is_symlink()]
    for path in sorted(found, key=lambda item: item.relative_to(folder).as_posix()):
        yield file_digest(path, path.relative_to(folder).as_posix())


def file_digest(path: Path, name: str) -> FileDigest:
    """Length and SHA-256 of one file, called `name` in the record."""
    if path.is_symlink():
        target = os.fsencode(path.readlink())
        return FileDigest(path=name, bytes=len(target), sha256=hashlib.sha256(b"-> " + target).hexdigest())
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    return FileDigest(path=name, bytes=path.stat().st_size, sha256=found)
