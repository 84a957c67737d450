"""Reads studies, their sealed runs and decisions on these, verified, or notes why something does not verify."""

from dataclasses import replace
from pathlib import Path

from runner.contract.seal import DECISION_FORM
from runner.reading.manifest import FrozenStudy, read_study
from runner.reading.sealed import SealedRun, open_run
from sitegen.errors import Collected
from sitegen.sources.decisions import read_decisions
from sitegen.sources.values import RunSource, StudySource

MANIFESTS = "manifests"
PUBLICATIONS = "publications"
"""The one folder of manifests that is no study."""
UNPUBLISHED = ".sealbook/runs"
SEALED = "sealed"


def read_studies(
    root: Path, found: Collected, *, include_unpublished: bool, paged_from: int
) -> tuple[StudySource, ...]:
    """Every study with its sealed runs, newest first; what is bad is noted in `found`."""
    sources = []
    for folder in _folders(root / MANIFESTS):
        if folder.name == PUBLICATIONS:
            continue
        frozen: FrozenStudy | None = None
        with found.noting():
            frozen = read_study(folder, name=f"{MANIFESTS}/{folder.name}")
        runs = [
            _run(path, f"{MANIFESTS}/{folder.name}/evidence/{path.name}", path.name, found, published=True)
            for path in _folders(folder / "evidence")
        ]
        names = (path.name for path in _folders(folder / "evidence"))
        published = {name: run.sealed if run else None for name, run in zip(names, runs, strict=True)}
        decided = f"{MANIFESTS}/{folder.name}/{DECISION_FORM.place}"
        decisions = read_decisions(_folders(folder / DECISION_FORM.place), decided, folder.name, published, found)
        known = {run.id for run in runs if run}
        if include_unpublished:
            runs += [
                _run(path / SEALED, f"{UNPUBLISHED}/{folder.name}/{path.name}", path.name, found, published=False)
                for path in _folders(root / UNPUBLISHED / folder.name)
                if (path / SEALED).is_dir() and path.name not in known
            ]
        if frozen is None:
            continue
        mine = [replace(run, paged_from=paged_from) for run in runs if run]
        for run in mine:
            if run.sealed.run.study != frozen.study.id:
                what = f"a run of {run.sealed.run.study!r}, not of {frozen.study.id!r}"
                found.add(f"{MANIFESTS}/{folder.name}", run.id, what, "move it under its study")
        mine.sort(key=lambda run: _age(run.id), reverse=True)
        sources.append(StudySource(frozen, tuple(mine), decisions))
    return tuple(sources)


def _run(path: Path, shown: str, name: str, found: Collected, *, published: bool) -> RunSource | None:
    """The verified run, or None with its problems noted."""
    sealed: SealedRun | None = None
    with found.noting():
        sealed = open_run(path, name=shown)
    if sealed is None:
        return None
    if sealed.run.run != name:
        found.add(shown, "", f"holds the run {sealed.run.run!r}", "give the folder the name of its run")
    return RunSource(sealed, published=published)


def _age(run: str) -> tuple[str, int]:
    """A key that sorts runs by their start; runs of one second by their counter."""
    start, _, counter = run.partition("-")
    return start, int(counter or 1)


def _folders(parent: Path) -> list[Path]:
    """The visible folders in `parent` by name; none if it does not exist."""
    if not parent.is_dir():
        return []
    return sorted(path for path in parent.iterdir() if path.is_dir() and not path.name.startswith("."))
