"""Reads a study's folder: `study.toml`, every file it pins, and the tasks they hold.

A study that is not exactly what its manifest pins is refused, with all its problems at once.
"""

import tomllib
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import TypeVar

from runner.contract.canonical import load
from runner.contract.errors import ContractError, InvalidRecordError, Problem
from runner.contract.license import LicenseMatrix
from runner.contract.plan import Tasks
from runner.contract.qualification.design import InstalledSubject
from runner.contract.qualification.tasks import QualificationTasks, SubjectTasks
from runner.contract.seal import digest
from runner.contract.study import Study
from runner.contract.values import PinnedFile

STUDY_FILE = "study.toml"
LICENSES_FILE = "licenses.toml"
MAX_MANIFEST_BYTES = 4 * 1024 * 1024

Model = TypeVar("Model")


@dataclass(frozen=True, slots=True)
class FrozenStudy:
    """A study as its manifest freezes it, with the bytes of everything it pins."""

    folder: Path
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
        where = f"design.subjects[{number}].tasks"
        tasks = _pinned(SubjectTasks, subject.tasks, contents, shown, where, problems)
        if tasks is None:
            continue
        if tasks.subject != subject.id:
            what = f"{tasks.subject!r} is not the subject {subject.id!r} that names this file"
            problems.append(Problem(f"{shown}/{subject.tasks}", "subject", what, "correct the name"))
        problems.extend(
            Problem(
                f"{shown}/{subject.tasks}",
                f"not_offered[{entry}].help",
                f"{item.help} is not pinned",
                f"add it to `pinned` in {STUDY_FILE}",
            )
            for entry, item in enumerate(tasks.not_offered)
            if study.pinned_digest(item.help) is None
        )
        subjects.append(tasks)
    licenses = _pinned(LicenseMatrix, LICENSES_FILE, contents, shown, "pinned", problems)
    if problems or licenses is None:
        raise InvalidRecordError(*sorted(problems))
    pins = (PinnedFile(path=STUDY_FILE, sha256=digest(data)), *study.pinned)
    return FrozenStudy(
        folder=folder,
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
    try:
        value = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidRecordError(
            Problem(file, f"byte {error.start}", "not UTF-8", "save the file as UTF-8")
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidRecordError(_toml_problem(file, str(error))) from error
    except RecursionError as error:
        raise InvalidRecordError(Problem(file, "", "nested too deeply", "flatten it")) from error
    return load(model, _dates_as_text(value), file=file)


def _toml_problem(file: str, said: str) -> Problem:
    what, _, place = said.partition(" (at ")
    return Problem(file, place.rstrip(")"), f"not TOML: {what.lower()}", "mend the syntax there")


def _dates_as_text(value: object) -> object:
    if isinstance(value, dict):
        return {key: _dates_as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_dates_as_text(item) for item in value]
    return value.isoformat() if isinstance(value, date | datetime | time) else value


def _read(path: Path, shown: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        what = (error.strerror or type(error).__name__).lower()
        raise InvalidRecordError(Problem(shown, "", what, "create it or correct the name")) from error


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
