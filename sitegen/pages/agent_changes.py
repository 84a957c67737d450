"""What an agent changed, as a difference to read: line by line, with what stood there before beside what came."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from runner.contract.comparison.difference import ChangedFile, ChangedLine, LineChange, read_difference
from sitegen.catalog import Catalog
from sitegen.pages.attempt_parts import SealedFile, sealed_file
from sitegen.pages.attempt_records import Judged
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark, named
from sitegen.sources import RunSource

FOLDED_LINES = 40
"""A file of which so many lines and more are shown is folded."""
SHOWN_LINES = 4000
"""Of a whole difference. What is left out stands in the sealed file."""

_REVISION = {LineChange.added: "added", LineChange.removed: "removed", LineChange.same: "changed"}


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines that follow each other: those that stayed, or those that went and came in one place."""

    kept: tuple[ChangedLine, ...] = ()
    removed: tuple[ChangedLine, ...] = ()
    added: tuple[ChangedLine, ...] = ()


@dataclass(frozen=True, slots=True)
class FileChanges:
    """What changed in one file."""

    path: str
    mark: Mark
    said: str
    """How many lines were added and removed."""
    hunks: tuple[tuple[Passage, ...], ...]
    """Passages that stand together in the file."""
    folded: bool


@dataclass(frozen=True, slots=True)
class ChangesView:
    """What an agent changed in all files."""

    file: SealedFile
    files: tuple[FileChanges, ...]
    left_out: str
    """How many files are not shown, or empty."""
    unreadable: str
    """The difference as it is, where it is none that can be read."""


def changes_view(edition: Edition, run: RunSource, judged: Judged) -> ChangesView:
    """The difference of an attempt."""
    catalog = edition.catalog
    try:
        files, unreadable = read_difference(judged.difference), ""
    except ValueError:
        files, unreadable = (), judged.difference
    shown = tuple(_as_many_as_fit(files))
    left_out = len(files) - len(shown)
    return ChangesView(
        file=sealed_file(edition, run, run.sealed.file(judged.difference_file)),
        files=tuple(_file(file, catalog) for file in shown),
        left_out=catalog.say("changes.left-out", n=left_out) if left_out else "",
        unreadable=unreadable,
    )


def _as_many_as_fit(files: Sequence[ChangedFile]) -> Iterator[ChangedFile]:
    room = SHOWN_LINES
    for file in files:
        if (length := _length(file)) <= room:
            room -= length
            yield file


def _length(file: ChangedFile) -> int:
    return sum(len(hunk) for hunk in file.hunks)


def _file(file: ChangedFile, catalog: Catalog) -> FileChanges:
    counts = {"added": file.count(LineChange.added), "removed": file.count(LineChange.removed)}
    return FileChanges(
        path=file.path,
        mark=named("revision", _REVISION[file.change], catalog),
        said=catalog.say("changes.lines", **counts),
        hunks=tuple(tuple(_passages(hunk)) for hunk in file.hunks),
        folded=_length(file) >= FOLDED_LINES,
    )


def _passages(hunk: Sequence[ChangedLine]) -> Iterator[Passage]:
    for stayed, lines in groupby(hunk, key=lambda line: line.change is LineChange.same):
        group = tuple(lines)
        if stayed:
            yield Passage(kept=group)
        else:
            yield Passage(
                removed=tuple(line for line in group if line.change is LineChange.removed),
                added=tuple(line for line in group if line.change is LineChange.added),
            )
