"""Which other changes were open at a stated instant, and which of them touch the same files."""

from collections.abc import Sequence
from dataclasses import dataclass

from runner.contract.parity.economics import DeclaredChange
from runner.contract.parity.numstat import FileChange
from runner.contract.parity.overlap import OpenChange, shared
from runner.contract.parity.tasks import ParityTasks
from runner.reading.overlap import read_overlap
from sitegen import figures
from sitegen.pages.edition import Edition


@dataclass(frozen=True, slots=True)
class OpenView:
    """One other open change."""

    name: str
    title: str
    """As its author words it, in whatever language."""
    commit: str
    """Empty where it was not supplied."""
    listed: bool
    """Whether anybody said which files it touches."""
    shared: tuple[str, ...]
    """Files that both touch."""


@dataclass(frozen=True, slots=True)
class OverlapView:
    """The inventory, or that none was supplied."""

    supplied: bool
    file: str = ""
    observed: str = ""
    source: str = ""
    changes: tuple[OpenView, ...] = ()


def overlap_view(
    edition: Edition, tasks: ParityTasks, declared: DeclaredChange, changes: Sequence[FileChange]
) -> OverlapView:
    """The inventory that a plan carries, held against the files that were changed."""
    if declared.overlap is None:
        return OverlapView(supplied=False)
    found = read_overlap(tasks, declared.overlap)
    paths = tuple(item.path for item in changes)
    return OverlapView(
        supplied=True,
        file=declared.overlap,
        observed=figures.instant(found.observed_at),
        source=edition.words(found.source),
        changes=tuple(_open(item, paths) for item in found.changes),
    )


def _open(item: OpenChange, paths: tuple[str, ...]) -> OpenView:
    both = shared(item, paths)
    return OpenView(item.name, item.title, item.commit or "", both is not None, both or ())
