"""What a table is made of: columns of one kind each, held column by column, and where its rows lead."""

import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

LARGEST = 2**53 - 1
"""The largest whole number that a browser keeps exactly."""
PLACEHOLDER = "{}"
"""Stands in a target for the name of the row."""
_BARE = re.compile(r"[A-Za-z0-9._~-]+")
"""Names that are the same in an address."""


class NoNumber(StrEnum):
    """What stands in a column of numbers and is none. It is never counted as zero and sorts last both ways."""

    unknown = "unknown"
    """Nobody measured it."""
    undefined = "undefined"
    """There is nothing to measure: 0/0, or tokens where no model took part."""
    nan = "nan"
    plus_infinity = "plus-infinity"
    minus_infinity = "minus-infinity"

    @property
    def non_finite(self) -> bool:
        """Whether something was measured and came out as no finite number."""
        return self not in (NoNumber.unknown, NoNumber.undefined)


Numeric: TypeAlias = int | NoNumber


@dataclass(frozen=True, slots=True)
class Targets:
    """Where the cells of a column lead: few templates, and for each row which one."""

    templates: tuple[str, ...]
    """Relative to the page of the table; `{}` stands for the name of the row."""
    codes: Sequence[int]

    def at(self, row: int, name: str) -> str:
        """The target of one row."""
        return self.templates[self.codes[row]].replace(PLACEHOLDER, name)


@dataclass(frozen=True, slots=True)
class Names:
    """The column that names the rows and leads to what they stand for. Every table has one."""

    key: str
    names: Sequence[str]
    targets: Targets
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Choices:
    """A column of few values that have words of their own in each language; rows can be filtered by it."""

    key: str
    values: tuple[str, ...]
    """As they stand in an address; an empty one means that there is nothing to say."""
    codes: Sequence[int]
    """For each row the index of its value."""
    marked: bool = False
    """Whether its words have glyph and tone."""
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Texts:
    """A column of recorded text, the same in every language; an empty one sorts last."""

    key: str
    texts: tuple[str, ...]
    codes: Sequence[int]
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """A column of whole numbers."""

    key: str
    cells: Sequence[Numeric]
    kind: Literal["number", "duration", "line"] = "number"
    """`duration` is in nanoseconds; a `line` is where the row stands in its sealed file."""
    measured: bool = False
    """Whether its statistics say anything."""
    targets: Targets | None = None
    source: str = ""
    """The sealed file it comes from."""
    shown: bool = False


Column: TypeAlias = Names | Choices | Texts | Numbers


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one kind. Raises ValueError for columns that do not have one cell a row."""

    rows: int
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        for column in self.columns:
            cells = len(_cells(column))
            if cells != self.rows:
                raise ValueError(f"column {column.key} has {cells} cells, the table {self.rows} rows")
            if isinstance(column, Numbers) and not _exact(column.cells):
                raise ValueError(f"column {column.key} has a number beyond 2^53-1")

    @property
    def names(self) -> Names:
        """The column that names the rows. Raises StopIteration where there is none."""
        return next(column for column in self.columns if isinstance(column, Names))

    @property
    def choices(self) -> tuple[Choices, ...]:
        """The columns that rows can be filtered by."""
        return tuple(column for column in self.columns if isinstance(column, Choices))

    @property
    def measured(self) -> tuple[Numbers, ...]:
        """The columns that have statistics."""
        return tuple(column for column in self.columns if isinstance(column, Numbers) and column.measured)


def targets(named: Iterable[tuple[str, str]]) -> Targets:
    """The targets of rows, given each row's target and its name."""
    codes = array("I")
    templates: dict[str, int] = {}
    for target, name in named:
        template = target.replace(name, PLACEHOLDER) if _BARE.fullmatch(name) else target
        codes.append(templates.setdefault(template, len(templates)))
    return Targets(tuple(templates), codes)


def _exact(cells: Sequence[Numeric]) -> bool:
    ends = (cells[0], cells[-1]) if isinstance(cells, range) and cells else cells
    numbers = [cell for cell in ends if not isinstance(cell, NoNumber)]
    return not numbers or (min(numbers) >= -LARGEST and max(numbers) <= LARGEST)


def _cells(column: Column) -> Sequence[object]:
    match column:
        case Names():
            return column.names
        case Numbers():
            return column.cells
        case Choices() | Texts():
            return column.codes
