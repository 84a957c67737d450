"""Which other changes of a project were open at one instant, as somebody supplied them. Pure.

They are not part of what is qualified. Where they touch the same files, both together are something else again.
"""

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from runner.contract.values import CommitId, Instant, Line, Record, Text, twice

OVERLAP_FORMAT = "sealbook.parity.overlap/1"
ChangedPath = Annotated[str, StringConstraints(min_length=1, max_length=400)]


class ListedPaths(Record):
    """The files that a change touches, all of them."""

    known: Literal["listed"]
    paths: tuple[ChangedPath, ...]


class PathsNotSupplied(Record):
    """Nobody said which files it touches, so that it may touch any."""

    known: Literal["not-supplied"]


class OpenChange(Record):
    """One change that was proposed and neither taken nor turned down at that instant."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    """How its project calls it, such as a number or the name of a branch."""
    title: Line
    """As its author words it."""
    commit: CommitId | None = None
    """Its newest commit then; None where it was not supplied."""
    touches: Annotated[ListedPaths | PathsNotSupplied, Field(discriminator="known")]


class OverlapInventory(Record):
    """All other open changes. An empty list says that there was none at that instant, by that source."""

    format: Literal["sealbook.parity.overlap/1"]
    observed_at: Instant
    source: Text
    """Where the list is from, and how it was made."""
    changes: tuple[OpenChange, ...]

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        if repeated := twice(item.name for item in self.changes):
            raise ValueError(f"changes must be named once, twice: {', '.join(repeated)}")
        return self


def shared(change: OpenChange, paths: Iterable[str]) -> tuple[str, ...] | None:
    """The paths, of those given, that an open change touches too; None where nobody said what it touches."""
    if not isinstance(change.touches, ListedPaths):
        return None
    touched = frozenset(change.touches.paths)
    return tuple(path for path in paths if path in touched)
