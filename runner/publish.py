"""Moves a sealed run under its study, where it stays for ever. Refuses what is no independent result."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from runner.contract.evidence import CheckoutSubject, CommittedSource, Source, UnknownSource
from runner.contract.plan import Selection
from runner.contract.seal import SEAL_FILE
from runner.errors import PublicationRefusedError, UsageError
from runner.project import EVIDENCE, SEALED
from runner.reading.sealed import SealedRun, open_run
from runner.store import kept_folder, make_folder, put_copy


@dataclass(frozen=True, slots=True)
class Published:
    """A run in its place."""

    run: SealedRun
    folder: Path


def publish(runs: Path, run: str, study_folder: Path, head: Source) -> Published:
    """Publish the sealed run `run` of the folder `runs`; `head` is the project's state now.

    Nothing is seen under the study before all of it is there, and the original goes last.
    Raises `UsageError` for an unknown run, `PublicationRefusedError` with every objection,
    `ContractError` if the run does not verify, and `StorageError`.
    """
    original = _find(runs, run)
    target = study_folder / EVIDENCE / run
    if not original.exists():
        if target.exists():
            raise PublicationRefusedError("is published already", where=run)
        todo = f"`sealbook run {study_folder.name}` finishes an unfinished run; one sealed with --out is not published"
        raise PublicationRefusedError("is not sealed here", todo, where=run)
    sealed = open_run(original, name=run)
    if target.exists():
        # A crash came after the move: the copy is complete, only the original was left.
        if open_run(target, name=run).seal_sha256 != sealed.seal_sha256:
            what = f"another run of this name is published in {study_folder.name}/{EVIDENCE}"
            raise PublicationRefusedError(what, "published runs are never replaced", where=run)
    else:
        if objections := tuple(_objections(sealed, head)):
            todo = "commit everything, then make a full run from the clean commit and publish that"
            raise PublicationRefusedError(f"may not be published: {'; '.join(objections)}", todo, where=run)
        _copy(sealed, target)
    published = open_run(target, name=run)
    shutil.rmtree(original)
    return Published(published, target)


def opened(runs: Path, run: str) -> SealedRun:
    """The sealed run `run` of the folder `runs`, verified. Raises as `publish` does."""
    original = _find(runs, run)
    if not original.exists():
        raise UsageError(
            f"the run {run!r} is not sealed here", "finish it, or give one that is not published", where=runs.name
        )
    return open_run(original, name=run)


def _find(runs: Path, run: str) -> Path:
    known = sorted(path.name for path in runs.iterdir() if path.is_dir()) if runs.is_dir() else []
    if run not in known:
        raise UsageError(f"no run {run!r}", f"there are: {', '.join(known) or 'none'}", where=runs.name)
    return runs / run / SEALED


def _objections(sealed: SealedRun, head: Source) -> Iterator[str]:
    """Why this run is no independent result of a commit that everybody can look at."""
    run = sealed.run
    if run.selection is Selection.quick:
        yield "it is a quick run, which leaves checks out"
    if run.selection is Selection.selected:
        yield "it is a run of selected attempts, which leaves the others out"
    yield from _unclean("the project", run.source)
    if isinstance(run.source, CommittedSource):
        if isinstance(head, UnknownSource):
            yield f"the project's commit is not known now ({head.reason})"
        elif head.commit != run.source.commit:
            yield f"it was made from {run.source.commit[:12]}, and the project is at {head.commit[:12]} now"
    for facts in run.facts.subjects:
        if isinstance(facts, CheckoutSubject):
            yield from _unclean(f"the checkout of {facts.subject}", facts.source)


def _unclean(what: str, source: Source) -> Iterator[str]:
    if isinstance(source, UnknownSource):
        yield f"{what} had no known commit ({source.reason})"
    elif source.modified:
        yield f"{what} was modified when it was made ({', '.join(source.modified[:3])})"


def _copy(sealed: SealedRun, target: Path) -> None:
    with kept_folder(target) as part:
        for name in (*(file.path for file in sealed.files), SEAL_FILE):
            make_folder((part / name).parent, below=part)
            put_copy(part / name, sealed.folder / name)
