"""Finds the sealed runs below a path: a run, a study, a project, or a built site."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from runner.contract.errors import InvalidRecordError, Problem, printable
from runner.contract.seal import SEAL_FILE
from runner.reading.files import said
from runner.reading.sealed import SealedRun, open_run


@dataclass(frozen=True, slots=True)
class Found:
    """A folder that must hold a sealed run, and what its place says that it is."""

    folder: Path
    shown: str
    study: str | None = None
    run: str | None = None

    def open(self) -> SealedRun:
        """The run, verified. Raises `ContractError`, also if it lies in another run's place."""
        opened = open_run(self.folder, name=self.shown)
        problems = [
            Problem(f"{self.shown}/run.json", key, f"{stated} stated, its place says {place}", "move it back")
            for key, stated, place in (
                ("study", opened.run.study, self.study),
                ("run", opened.run.run, self.run),
            )
            if place is not None and place != stated
        ]
        if problems:
            raise InvalidRecordError(*problems)
        return opened


def find_runs(path: Path, shown: str) -> tuple[Found, ...]:
    """Every sealed run below `path`, which messages call `shown`.

    Raises `InvalidRecordError` if there is none: nothing verified is no verification.
    """
    try:
        found = tuple(replace(item, shown=printable(item.shown)) for item in _below(path, shown.rstrip("/")))
    except OSError as error:
        raise InvalidRecordError(Problem(shown, "", said(error), "give a folder that can be read")) from error
    if not found:
        todo = "give the folder of a sealed run, of a study, of a project, or of a built site"
        raise InvalidRecordError(Problem(shown, "", "holds no sealed run", todo))
    return found


def _below(path: Path, shown: str) -> Iterator[Found]:
    if (path / SEAL_FILE).is_file() or (path / "run.json").is_file():
        yield Found(path, shown)
    elif (path / "study.toml").is_file():
        yield from _study(path / "evidence", f"{shown}/evidence", path.resolve().name)
    elif (path / "content" / "site.toml").is_file():
        yield from _project(path, shown)
    elif (path / "index.html").is_file():
        for study in _folders(path / "evidence"):
            yield from _study(study, f"{shown}/evidence/{study.name}", study.name)
    elif path.name == "evidence":
        for folder in _folders(path):
            yield Found(folder, f"{shown}/{folder.name}", None, folder.name)


def _project(root: Path, shown: str) -> Iterator[Found]:
    for study in _folders(root / "manifests"):
        yield from _study(study / "evidence", f"{shown}/manifests/{study.name}/evidence", study.name)
    for study in _folders(root / ".sealbook" / "runs"):
        for run in _folders(study):
            if (run / "sealed").is_dir():
                below = f"{shown}/.sealbook/runs/{study.name}/{run.name}/sealed"
                yield Found(run / "sealed", below, study.name, run.name)


def _study(evidence: Path, shown: str, study: str) -> Iterator[Found]:
    for folder in _folders(evidence):
        yield Found(folder, f"{shown}/{folder.name}", study, folder.name)


def _folders(path: Path) -> list[Path]:
    """The visible folders in `path`; a hidden one is a move that a crash cut off."""
    if not path.is_dir():
        return []
    return sorted(item for item in path.iterdir() if item.is_dir() and not item.name.startswith("."))
