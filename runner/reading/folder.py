"""Compares a folder with its SHA256SUMS: which files there are, of what kind, with what bytes."""

import hashlib
import os
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter, ValidationError

from runner.contract.canonical import MAX_BYTES
from runner.contract.errors import Problem, SealMismatchError
from runner.contract.seal import RUN_FORM, SEAL_FILE, SealedForm, parse_seal
from runner.contract.values import FileDigest, RelativePath
from runner.reading.digests import Digests
from runner.reading.files import (
    RESTORE,
    VerifiedFile,
    digest_with_line_feeds,
    measure,
    open_regular,
    said,
)

_PATH: TypeAdapter[str] = TypeAdapter(RelativePath)


@dataclass(frozen=True, slots=True)
class SealedFolder:
    """A folder whose files are exactly those that its seal lists."""

    path: Path
    shown: str
    """How messages call it."""
    seal_sha256: str
    files: Mapping[str, FileDigest]
    """By path, in the order of the seal."""

    def file(self, path: str) -> VerifiedFile:
        """One of the sealed files."""
        return VerifiedFile(self.path / path, f"{self.shown}/{path}", self.files[path])


def open_sealed_folder(path: Path, shown: str, form: SealedForm = RUN_FORM) -> SealedFolder:
    """Compare a folder with its seal. Raises `SealMismatchError` with every difference."""
    try:
        if path.is_symlink() or not path.is_dir():
            what = "is a symbolic link" if path.is_symlink() else "is not a folder"
            raise SealMismatchError(Problem(shown, "", what, f"give the folder of a {form.what} itself"))
        with open_regular(path / SEAL_FILE) as stream:
            seal = stream.read(MAX_BYTES)
    except OSError as error:
        todo = f"give the folder of a sealed {form.what}"
        raise SealMismatchError(Problem(f"{shown}/{SEAL_FILE}", "", said(error), todo)) from error
    problems: list[Problem] = []
    file = f"{shown}/{SEAL_FILE}"
    if b"\r\n" in seal:
        what = "its lines end in CRLF; a seal after CRLF→LF conversion only"
        problems.append(Problem(file, "", what, _line_ends(form)))
    try:
        listed = parse_seal(seal.replace(b"\r\n", b"\n"), file=file)
    except SealMismatchError as error:
        raise SealMismatchError(*problems, *error.problems) from error
    missing, more = _beside(listed, _walk(path, "", shown, problems))
    problems += _names(listed, missing, more, shown, form)
    files = Digests()
    for name in (name for name in listed if name not in missing):
        try:
            found = measure(path / name, name)
            files.add(found)
            if found.sha256 != listed[name]:
                problems.append(_different(path / name, f"{shown}/{name}", found, listed[name], form))
        except OSError as error:
            problems.append(Problem(f"{shown}/{name}", "", said(error), "make it readable"))
    if problems:
        raise SealMismatchError(*sorted(problems))
    return SealedFolder(path, shown, hashlib.sha256(seal).hexdigest(), files)


def _walk(folder: Path, prefix: str, shown: str, problems: list[Problem]) -> Iterable[str]:
    """Every file below `folder`; whatever is neither file nor folder is a problem."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        problems.append(Problem(f"{shown}/{prefix}", "", said(error), "make it readable"))
        return
    if not found:
        problems.append(Problem(f"{shown}/{prefix}".rstrip("/"), "", "is an empty folder", "remove it"))
    for entry in found:
        name = f"{prefix}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(folder / entry.name, f"{name}/", shown, problems)
        elif entry.is_file(follow_symlinks=False):
            yield name
        else:
            what = "is a symbolic link" if entry.is_symlink() else "is no regular file"
            problems.append(Problem(f"{shown}/{_visible(name)}", "", what, f"remove it, or {RESTORE}"))


def _beside(listed: Iterable[str], present: Iterable[str]) -> tuple[AbstractSet[str], Collection[str]]:
    """Which of the listed names are not present, and which are that are not listed; the others are not kept again."""
    missing, more = set(listed), list[str]()
    for name in present:
        if name in missing:
            missing.remove(name)
        elif name != SEAL_FILE:
            more.append(name)
    return missing, more


def _names(
    listed: Mapping[str, str], missing: AbstractSet[str], more: Collection[str], shown: str, form: SealedForm
) -> list[Problem]:
    """Files that are missing or too many, and names that no seal may list."""
    problems = [
        Problem(f"{shown}/{name}", "", f"no {form.what} is without it", RESTORE)
        for name in form.files
        if name not in listed
    ]
    for name in listed:
        folder = PurePosixPath(name).parts[0]
        if not _portable(name) or (name not in form.files and (folder not in form.folders or folder == name)):
            what = f"lists {name}, and no {form.what} has such a file"
            problems.append(Problem(f"{shown}/{SEAL_FILE}", "", what, RESTORE))
        elif name in missing:
            problems.append(Problem(f"{shown}/{name}", "", "is sealed, and it is not there", RESTORE))
    sealed_as = {name.lower(): name for name in listed} if more else {}
    for name in sorted(more):
        twin = sealed_as.get(name.lower())
        what = f"differs in case from {twin}, which is sealed" if twin else "is not sealed"
        problems.append(Problem(f"{shown}/{_visible(name)}", "", what, f"remove it, or {RESTORE}"))
    return problems


def _portable(name: str) -> bool:
    try:
        return _PATH.validate_python(name) == name
    except ValidationError:
        return False


def _visible(name: str) -> str:
    return name.encode("unicode_escape", "backslashreplace").decode("ascii")


def _line_ends(form: SealedForm) -> str:
    return f"check out again with `manifests/**/{form.place}/** -text` in .gitattributes"


def _different(path: Path, shown: str, found: FileDigest, sealed: str, form: SealedForm) -> Problem:
    if digest_with_line_feeds(path) == sealed:
        what = "differs from the seal and matches after CRLF→LF conversion"
        return Problem(shown, "", what, _line_ends(form))
    return Problem(shown, "", f"has the SHA-256 {found.sha256}, sealed is {sealed}", RESTORE)
