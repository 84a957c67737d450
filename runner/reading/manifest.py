"""Reads a study's folder: `study.toml`, every file it pins, and the tasks they hold.

A study that is not exactly what its manifest pins is refused, with all its problems at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from runner.contract.canonical import MAX_BYTES
from runner.contract.comparison.design import ComparisonDesign
from runner.contract.errors import InvalidRecordError, Problem
from runner.contract.license import LicenseMatrix
from runner.contract.parity.design import ParityDesign
from runner.contract.plan import Tasks
from runner.contract.seal import digest
from runner.contract.study import Study
from runner.contract.values import PinnedFile
from runner.reading.comparison import comparison_tasks
from runner.reading.files import open_regular, said
from runner.reading.parity import parity_tasks
from runner.reading.pinned import STUDY_FILE, PinnedFiles
from runner.reading.qualification import qualification_tasks
from runner.reading.toml import read_toml

LICENSES_FILE = "licenses.toml"
PINNED_FOLDERS = ("tasks", "fixtures")
"""Folders of a study in which every file is pinned."""


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
    pinned = PinnedFiles(study, contents, shown, problems)
    tasks = _tasks(pinned)
    licenses = pinned.record(LicenseMatrix, LICENSES_FILE, "pinned")
    told = {problem.what for problem in problems}
    problems.extend(problem for problem in _not_pinned(study, folder, shown) if problem.what not in told)
    if problems or licenses is None or tasks is None:
        raise InvalidRecordError(*sorted(problems))
    pins = (PinnedFile(path=STUDY_FILE, sha256=digest(data)), *study.pinned)
    return FrozenStudy(
        folder=folder,
        name=shown,
        study=study,
        tasks=tasks,
        licenses=licenses,
        files=tuple(sorted(pins, key=lambda pin: pin.path)),
    )


def _tasks(pinned: PinnedFiles) -> Tasks | None:
    """What the study kind reads from the pinned files; on a problem None or a part, with the problem noted."""
    design = pinned.study.design
    if isinstance(design, ComparisonDesign):
        return comparison_tasks(design, pinned)
    if isinstance(design, ParityDesign):
        return parity_tasks(design, pinned)
    return qualification_tasks(design, pinned)


def _not_pinned(study: Study, folder: Path, shown: str) -> Iterator[Problem]:
    """A file of the manifest that no digest fixes could change unseen, or be taken for a part of the study."""
    for part in PINNED_FOLDERS:
        for path in sorted((folder / part).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_dir() and study.pinned_digest(name) is None:
                todo = f"add it to `pinned` in {STUDY_FILE}, or remove it"
                yield Problem(f"{shown}/{STUDY_FILE}", "pinned", f"{name} is not pinned", todo)


def _read(path: Path, shown: str) -> bytes:
    try:
        with open_regular(path) as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InvalidRecordError(Problem(shown, "", said(error), "create it or correct the name")) from error
    if len(data) > MAX_BYTES:
        raise InvalidRecordError(Problem(shown, "", f"more than {MAX_BYTES} bytes", "split the file"))
    return data
