"""What git says of the difference between two commits, file by file, and what it adds up to. Pure.

The sums are nowhere sealed: whoever needs them adds up again. Renames are not looked for, so that code that moved is a
deletion and an addition, and counts twice in the gross.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from runner.contract.parity.economics import Counted, DeclaredChange, PathClass
from runner.contract.parity.pattern import matches
from runner.contract.values import Count, Record

LONGEST_PATH = 400


class FileStatus(StrEnum):
    """What became of a file."""

    added = "added"
    deleted = "deleted"
    modified = "modified"
    type_changed = "type-changed"
    """A link became a file, or the other way round."""


class CountedLines(Record):
    """A text."""

    lines: Literal["counted"] = "counted"
    added: Count
    deleted: Count


class NoLines(Record):
    """No text: git counts no lines, and their number is not zero but unknown."""

    lines: Literal["binary"] = "binary"


class FileChange(Record):
    """One file that differs."""

    path: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_PATH)]
    status: FileStatus
    change: Annotated[CountedLines | NoLines, Field(discriminator="lines")]


@dataclass(frozen=True, slots=True)
class Lines:
    """What some of the changed files add up to."""

    files: int
    added: int
    deleted: int
    binary: int
    """Files without lines: where there are any, the numbers of lines are those of the others."""

    @property
    def net(self) -> int:
        """By how many lines there are more now; negative where there are fewer."""
        return self.added - self.deleted

    @property
    def gross(self) -> int:
        """All lines that were touched, those that moved twice."""
        return self.added + self.deleted


@dataclass(frozen=True, slots=True)
class ChangeSums:
    """What a change adds up to."""

    by_class: tuple[tuple[PathClass, Lines], ...]
    """Every class, in their order, those without a changed file as well."""
    whole: Lines
    legacy_deleted: Lines | None
    """Of product files below the declared paths; None where nothing is counted. Likewise the next two."""
    bridge_added: Lines | None
    scaffolding: Lines | None

    @property
    def product(self) -> Lines:
        """Of product code alone."""
        return dict(self.by_class)[PathClass.product]


def sums(declared: DeclaredChange, changes: Sequence[FileChange]) -> ChangeSums:
    """Add up. Raises ValueError for a changed path that no class names."""
    if unknown := declared.unclassified(item.path for item in changes):
        raise ValueError(f"no class names {', '.join(unknown)}")
    product = [item for item in changes if declared.class_of(item.path) is PathClass.product]

    def below(field: object) -> Lines | None:
        if not isinstance(field, Counted):
            return None
        return _sum(item for item in product if any(matches(pattern, item.path) for pattern in field.paths))

    return ChangeSums(
        by_class=tuple(
            (name, _sum(item for item in changes if declared.class_of(item.path) is name)) for name in PathClass
        ),
        whole=_sum(changes),
        legacy_deleted=below(declared.legacy_deleted),
        bridge_added=below(declared.bridge_added),
        scaffolding=below(declared.scaffolding),
    )


def more_files(changes: Iterable[FileChange]) -> int:
    """By how many files that are looked at there must be more after these changes; negative where there are fewer."""
    steps = {FileStatus.added: 1, FileStatus.deleted: -1}
    return sum(steps.get(item.status, 0) for item in changes if not _is_cache(item.path))


def _is_cache(path: str) -> bool:
    """Whether nothing here looks at the file: compiled modules are made again."""
    return path.endswith(".pyc") or "__pycache__" in path.split("/")[:-1]


def _sum(changes: Iterable[FileChange]) -> Lines:
    files = added = deleted = binary = 0
    for item in changes:
        files += 1
        if isinstance(item.change, CountedLines):
            added += item.change.added
            deleted += item.change.deleted
        else:
            binary += 1
    return Lines(files=files, added=added, deleted=deleted, binary=binary)
