"""Reads a study's folder: `study.toml`, every file it pins, and the tasks they hold.

A study that is not exactly what its manifest pins is refused, with all its problems at once.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import TypeVar

from runner.contract.canonical import MAX_BYTES, MAX_DEPTH, load
from runner.contract.errors import ContractError, InvalidRecordError, Problem
from runner.contract.license import LicenseMatrix
from runner.contract.plan import Tasks
from runner.contract.qualification.design import InstalledSubject
from runner.contract.qualification.tasks import QualificationTasks, SubjectTasks, TaskFile
from runner.contract.seal import digest
from runner.contract.study import Study
from runner.contract.values import PinnedFile
from runner.reading.files import open_regular, said

STUDY_FILE = "study.toml"
LICENSES_FILE = "licenses.toml"
PINNED_FOLDERS = ("tasks", "fixtures")
"""Folders of a study in which every file is pinned."""
MAX_MANIFEST_BYTES = 512 * 1024
"""Several times the largest manifest. The TOML reader takes seconds for a few megabytes of tables."""

Model = TypeVar("Model")


@dataclass(frozen=True, slots=True)
class FrozenStudy:
    """A study as its manifest freezes it, with the bytes of everything it pins."""

    folder: Path
    name: str
    """How messages call the folder."""
    study: Study
    tasks: Tasks
    licenses: LicenseMatrix
    files: tuple[PinnedFile, ...]
    """`study.toml` and every pinned file, sorted by path."""


def read_study(folder: Path, *, name: str | None = None) -> FrozenStudy:
    """Read and check the study in `folder`; `name` is how messages call the folder.

    Raises `InvalidRecordError` with every problem of every file of the manifest.
    """
    shown = name or folder.name
    data = _read(folder / STUDY_FILE, f"{shown}/{STUDY_FILE}")
    study = read_toml(Study, data, file=f"{shown}/{STUDY_FILE}")
    problems: list[Problem] = []
    if study.id != folder.resolve().name:
        what = f"{study.id!r} differs from the folder's name {folder.resolve().name!r}"
        problems.append(Problem(f"{shown}/{STUDY_FILE}", "id", what, "give both the same name"))
    contents: dict[str, bytes] = {}
    for index, pin in enumerate(study.pinned):
        try:
            contents[pin.path] = _read(folder / pin.path, f"{shown}/{pin.path}")
        except InvalidRecordError as error:
            problems.extend(error.problems)
            continue
        if (found := digest(contents[pin.path])) != pin.sha256:
            what = f"{pin.path} has the SHA-256 {found}, the manifest pins {pin.sha256}"
            todo = "restore the file, or pin the new digest before the next run"
            problems.append(Problem(f"{shown}/{STUDY_FILE}", f"pinned[{index}].sha256", what, todo))
    subjects: list[SubjectTasks] = []
    for number, subject in enumerate(study.design.subjects):
        if not isinstance(subject, InstalledSubject):
            continue
        where = f"design.subjects[{number}]"
        if tasks := _subject_tasks(study, subject, contents, shown, where, problems):
            subjects.append(tasks)
    licenses = _pinned(LicenseMatrix, LICENSES_FILE, contents, shown, "pinned", problems)
    told = {problem.what for problem in problems}
    problems.extend(problem for problem in _not_pinned(study, folder, shown) if problem.what not in told)
    if problems or licenses is None:
        raise InvalidRecordError(*sorted(problems))
    pins = (PinnedFile(path=STUDY_FILE, sha256=digest(data)), *study.pinned)
    return FrozenStudy(
        folder=folder,
        name=shown,
        study=study,
        tasks=QualificationTasks(subjects=tuple(subjects)),
        licenses=licenses,
        files=tuple(sorted(pins, key=lambda pin: pin.path)),
    )


def read_toml(model: type[Model], data: bytes, *, file: str) -> Model:
    """Parse TOML into a record. Raises `InvalidRecordError` that names `file` and place."""
    if len(data) > MAX_MANIFEST_BYTES:
        what = f"{len(data)} bytes, more than {MAX_MANIFEST_BYTES}"
        raise InvalidRecordError(Problem(file, "", what, "split the file"))
    if data.startswith(b"\xef\xbb\xbf"):
        raise InvalidRecordError(Problem(file, "", "begins with a byte order mark", "store UTF-8 without one"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRecordError(Problem(file, f"byte {error.start}", "not UTF-8", "save the file as UTF-8")) from error
    if key := _LONG_KEY.search(text):
        what = f"a key of more than {MAX_DEPTH} parts"
        raise InvalidRecordError(Problem(file, _line_of(text, key), what, "flatten it"))
    try:
        value = _dates_as_text(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InvalidRecordError(_toml_problem(file, str(error))) from error
    except RecursionError as error:
        raise InvalidRecordError(Problem(file, "", "nested too deeply", "flatten it")) from error
    except ValueError as error:
        number = _LONG_NUMBER.search(text)
        where = _line_of(text, number) if number else ""
        raise InvalidRecordError(Problem(file, where, "an integer beyond 2^53-1", "write it as text")) from error
    return load(model, value, file=file)


_KEY_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*"""
# The TOML reader's time for a dotted key grows with the square of its parts, so a long one is not given to it.
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*{_KEY_PART}(?:\.[ \t]*{_KEY_PART}){{{MAX_DEPTH}}}", re.MULTILINE)
# Python converts no longer ones, and its refusal names no place.
_LONG_NUMBER = re.compile(r"[0-9_]{4300,}")


def _line_of(text: str, found: re.Match[str]) -> str:
    return f"line {text.count(chr(10), 0, found.start()) + 1}"


def _toml_problem(file: str, said: str) -> Problem:
    what, _, place = said.partition(" (at ")
    return Problem(file, place.rstrip(")"), f"not TOML: {what.lower()}", "mend the syntax there")


def _dates_as_text(value: object) -> object:
    if isinstance(value, dict):
        return {key: _dates_as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_dates_as_text(item) for item in value]
    return value.isoformat() if isinstance(value, date | datetime | time) else value


def _not_pinned(study: Study, folder: Path, shown: str) -> Iterator[Problem]:
    """A file of the manifest that no digest fixes could change unseen, or be taken for a part of the study."""
    for part in PINNED_FOLDERS:
        for path in sorted((folder / part).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_dir() and study.pinned_digest(name) is None:
                todo = f"add it to `pinned` in {STUDY_FILE}, or remove it"
                yield Problem(f"{shown}/{STUDY_FILE}", "pinned", f"{name} is not pinned", todo)


def _subject_tasks(
    study: Study,
    subject: InstalledSubject,
    contents: dict[str, bytes],
    shown: str,
    where: str,
    problems: list[Problem],
) -> SubjectTasks | None:
    """The checks in all task files of one subject; on a problem None, with the problems noted."""
    files: list[TaskFile] = []
    for index, path in enumerate(subject.tasks):
        file = _pinned(TaskFile, path, contents, shown, f"{where}.tasks[{index}]", problems)
        if file is None:
            continue
        if file.subject != subject.id:
            what = f"{file.subject!r} is not the subject {subject.id!r} that names this file"
            problems.append(Problem(f"{shown}/{path}", "subject", what, "correct the name"))
        problems.extend(
            Problem(
                f"{shown}/{path}",
                f"not_offered[{entry}].help",
                f"{item.help} is not pinned",
                f"add it to `pinned` in {STUDY_FILE}",
            )
            for entry, item in enumerate(file.not_offered)
            if study.pinned_digest(item.help) is None
        )
        files.append(file)
    if len(files) < len(subject.tasks):
        return None
    whole = {
        "subject": subject.id,
        "checks": [check.model_dump(mode="json") for file in files for check in file.checks],
        "not_offered": [entry.model_dump(mode="json") for file in files for entry in file.not_offered],
    }
    alone = len(files) == 1
    try:
        return load(
            SubjectTasks,
            whole,
            file=f"{shown}/{subject.tasks[0]}" if alone else f"{shown}/{STUDY_FILE}",
            where="" if alone else f"{where}.tasks",
        )
    except InvalidRecordError as error:
        problems.extend(error.problems)
        return None


def _read(path: Path, shown: str) -> bytes:
    try:
        with open_regular(path) as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidRecordError(Problem(shown, "", said(error), "create it or correct the name")) from error
    if len(data) > MAX_BYTES:
        raise InvalidRecordError(Problem(shown, "", f"more than {MAX_BYTES} bytes", "split the file"))
    return data


def _pinned(
    model: type[Model],
    path: str,
    contents: dict[str, bytes],
    shown: str,
    where: str,
    problems: list[Problem],
) -> Model | None:
    """The record in a pinned file; on a problem None, with the problem noted."""
    if path not in contents:
        if not any(problem.file == f"{shown}/{path}" for problem in problems):
            todo = f"add it to `pinned` in {STUDY_FILE}"
            problems.append(Problem(f"{shown}/{STUDY_FILE}", where, f"{path} is not pinned", todo))
        return None
    try:
        return read_toml(model, contents[path], file=f"{shown}/{path}")
    except ContractError as error:
        problems.extend(error.problems)
        return None
