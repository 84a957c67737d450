"""Finds the sealed runs and decisions below a path: one of them, a study, a project, or a built site."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from runner.contract.errors import InvalidRecordError, Problem, printable
from runner.contract.seal import DECISION_FILE, DECISION_FORM, RUN_FILE, RUN_FORM, SEAL_FILE
from runner.reading.decision import SealedDecision, open_decision
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


@dataclass(frozen=True, slots=True)
class FoundDecision:
    """A folder that must hold a sealed decision, and what its place says that it is."""

    folder: Path
    shown: str
    runs: Path
    """Where the published runs of its study lie, if it is in its place."""
    study: str | None = None
    placed: bool = False
    """Whether it is known to be in its place, so that its run has to be there as well."""

    def open(self) -> SealedDecision:
        """The decision, verified but for its run. Raises `ContractError`, also if it lies in another one's place."""
        return open_decision(self.folder, name=self.shown, study=self.study, placed=self.placed)

    def run(self, decision: SealedDecision) -> Path:
        """Where the run that it names has to be."""
        return self.runs / decision.decision.run


def find_sealed(path: Path, shown: str) -> tuple[Found | FoundDecision, ...]:
    """Every sealed run and decision below `path`, which messages call `shown`.

    Raises `InvalidRecordError` if there is none: nothing verified is no verification.
    """
    try:
        found = tuple(replace(item, shown=printable(item.shown)) for item in _below(path, shown.rstrip("/")))
    except OSError as error:
        raise InvalidRecordError(Problem(shown, "", said(error), "give a folder that can be read")) from error
    if not found:
        todo = "give the folder of a sealed run or decision, of a study, of a project, or of a built site"
        raise InvalidRecordError(Problem(shown, "", "holds no sealed run", todo))
    return found


def _below(path: Path, shown: str) -> Iterator[Found | FoundDecision]:
    if _is_decision(path):
        yield FoundDecision(path, shown, _runs_beside(path))
    elif (path / SEAL_FILE).is_file() or (path / RUN_FILE).is_file():
        yield Found(path, shown)
    elif (path / "study.toml").is_file():
        yield from _study(path, shown, path.resolve().name)
    elif (path / "content" / "site.toml").is_file():
        yield from _project(path, shown)
    elif (path / "index.html").is_file():
        for study in _folders(path / "evidence"):
            yield from _runs(study, f"{shown}/evidence/{study.name}", study.name)
            folder = study / DECISION_FORM.place
            yield from _decisions(folder, f"{shown}/evidence/{study.name}/{folder.name}", study, study.name)
    elif path.name == RUN_FORM.place:
        for folder in _folders(path):
            yield Found(folder, f"{shown}/{folder.name}", None, folder.name)
    elif path.name == DECISION_FORM.place:
        yield from _decisions(path, shown, path.parent / RUN_FORM.place, None)


def _is_decision(path: Path) -> bool:
    """Whether a single folder is to be taken for a decision, also one that has lost its document or its seal."""
    if (path / RUN_FILE).is_file():
        return False
    if (path / DECISION_FILE).is_file():
        return True
    return (path / SEAL_FILE).is_file() and path.resolve().parent.name == DECISION_FORM.place


def _runs_beside(path: Path) -> Path:
    """Where the runs lie that a single decision may be about: beside its folder in a study, above it in a site."""
    decisions = path.resolve().parent
    evidence = decisions.parent / RUN_FORM.place
    return evidence if evidence.is_dir() else decisions.parent


def _project(root: Path, shown: str) -> Iterator[Found | FoundDecision]:
    for study in _folders(root / "manifests"):
        yield from _study(study, f"{shown}/manifests/{study.name}", study.name)
    for study in _folders(root / ".sealbook" / "runs"):
        for run in _folders(study):
            if (run / "sealed").is_dir():
                below = f"{shown}/.sealbook/runs/{study.name}/{run.name}/sealed"
                yield Found(run / "sealed", below, study.name, run.name)


def _study(folder: Path, shown: str, study: str) -> Iterator[Found | FoundDecision]:
    runs, decisions = folder / RUN_FORM.place, folder / DECISION_FORM.place
    yield from _runs(runs, f"{shown}/{runs.name}", study)
    yield from _decisions(decisions, f"{shown}/{decisions.name}", runs, study)


def _runs(evidence: Path, shown: str, study: str) -> Iterator[Found]:
    for folder in _folders(evidence):
        if folder.name != DECISION_FORM.place:  # in a site it lies among the runs
            yield Found(folder, f"{shown}/{folder.name}", study, folder.name)


def _decisions(path: Path, shown: str, runs: Path, study: str | None) -> Iterator[FoundDecision]:
    for folder in _folders(path):
        yield FoundDecision(folder, f"{shown}/{folder.name}", runs, study, placed=True)


def _folders(path: Path) -> list[Path]:
    """The visible folders in `path`; a hidden one is a move that a crash cut off."""
    if not path.is_dir():
        return []
    return sorted(item for item in path.iterdir() if item.is_dir() and not item.name.startswith("."))
