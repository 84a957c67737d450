"""A table as a reader sees it: its first rows, its counts, the words of its columns, and what it is loaded from."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sitegen import figures
from sitegen.catalog import Catalog, word_key
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link
from sitegen.tables import Choices, Column, Names, NoNumber, Numbers, Numeric, Summary, Table, Texts, summary
from sitegen.visible import in_a_line

FIRST = 500
"""Up to so many rows stand on the page itself, and it is whole without a script."""
BEGINNING = 100
"""Of a larger table, so many do; a script adds the others. Rows that are replaced at once only delay it."""
CHIPS = 12
"""A column of more values than that is filtered by a list instead of buttons."""

Words = Callable[[str], "Mark | str"]
"""The mark or the words of a value, in one language."""


@dataclass(frozen=True, slots=True)
class Head:
    """One column by name. `kind` is `name`, `mark`, `choice`, `text`, `number`, `duration` or `line`."""

    key: str
    words: str
    kind: str
    unit: str
    shown: bool
    source: str

    @property
    def numeric(self) -> bool:
        """Whether its cells stand right-aligned."""
        return self.kind in ("number", "duration", "line")


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that rows can have, and how many have it."""

    value: str
    mark: Mark | None
    words: str
    count: str


@dataclass(frozen=True, slots=True)
class Facet:
    """A column that rows can be filtered by. Its choices stand in the order of its codes."""

    key: str
    words: str
    listed: bool
    """Whether it is offered as a list because its values are many."""
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one cell."""

    head: Head
    text: str
    mark: Mark | None = None
    target: str = ""
    """Relative to the page; empty where it leads nowhere."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the page itself."""

    anchor: str
    """An id, if something leads to this row."""
    cells: tuple[Cell, ...]
    note: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """A measured column in words."""

    head: Head
    finite: str
    minimum: str
    median: str
    maximum: str
    unknown: str
    undefined: str
    non_finite: str


@dataclass(frozen=True, slots=True)
class TableView:
    """A whole table. What is not among `rows` is in the script."""

    name: str
    """The id of the table, and what ids inside it begin with."""
    script: str
    """From the site's root."""
    count: int
    total: str
    """The same in words."""
    heads: tuple[Head, ...]
    facets: tuple[Facet, ...]
    note: str
    """The key of the column whose words stand beside a row's name, where its value is not the first."""
    rows: tuple[Row, ...]
    elsewhere: tuple[str, ...]
    """Ids that rows beyond the page would have."""
    statistics: tuple[Statistics, ...]
    specials: tuple[tuple[NoNumber, str], ...]
    """What stands in a cell that holds no number."""
    whole: Link
    """The file with all rows, for a reader without scripts."""

    @property
    def shown(self) -> tuple[Head, ...]:
        """The columns that are shown at first."""
        return tuple(head for head in self.heads if head.shown)


def table_view(
    table: Table,
    catalog: Catalog,
    words: Mapping[str, Words],
    *,
    name: str,
    script: str,
    whole: Link,
    note: str = "",
    anchors: Mapping[int, str] | None = None,
) -> TableView:
    """The view of `table`. `words` says for each column of choices what a value is called.

    `anchors` gives rows an id by their number, from 0.
    """
    heads = tuple(_head(column, catalog) for column in table.columns)
    facets = {column.key: _facet(column, words[column.key], catalog) for column in table.choices}
    named = anchors or {}
    cells = [_cells(table, column, head, facets, catalog) for column, head in zip(table.columns, heads, strict=True)]
    static = table.rows if table.rows <= FIRST else BEGINNING
    return TableView(
        name=name,
        script=script,
        count=table.rows,
        total=figures.count(table.rows, catalog),
        heads=heads,
        facets=tuple(facets.values()),
        note=note if note in facets else "",
        rows=tuple(
            Row(
                named.get(row, ""),
                tuple(cell(row) for cell, head in zip(cells, heads, strict=True) if head.shown),
                _note(table, facets, note, row),
            )
            for row in range(static)
        ),
        elsewhere=tuple(anchor for row, anchor in named.items() if row >= static),
        statistics=tuple(
            _statistics(summary(column.cells), head, catalog)
            for column, head in zip(table.columns, heads, strict=True)
            if isinstance(column, Numbers) and column.measured
        ),
        specials=tuple((item, catalog.word(item)) for item in NoNumber),
        whole=whole,
    )


def _head(column: Column, catalog: Catalog) -> Head:
    kind, unit, source = "", "", ""
    match column:
        case Names():
            kind = "name"
        case Choices():
            kind = "mark" if column.marked else "choice"
        case Texts():
            kind = "text"
        case Numbers():
            kind, source = column.kind, column.source
            unit = "ns" if kind == "duration" else ""
    return Head(column.key, catalog.say(f"column.{column.key}"), kind, unit, column.shown, source)


def _facet(column: Choices, words: Words, catalog: Catalog) -> Facet:
    counts = Counter(column.codes)
    choices = []
    for code, value in enumerate(column.values):
        said = words(value) if value else ""
        mark, text = (said, said.word) if isinstance(said, Mark) else (None, said)
        choices.append(Choice(value, mark, in_a_line(text), figures.count(counts[code], catalog)))
    return Facet(column.key, catalog.say(f"column.{column.key}"), len(choices) > CHIPS, tuple(choices))


def _cells(
    table: Table, column: Column, head: Head, facets: Mapping[str, Facet], catalog: Catalog
) -> Callable[[int], Cell]:
    """What makes the cells of one column."""
    names = table.names.names

    def named(row: int) -> Cell:
        return Cell(head, in_a_line(names[row]), target=table.names.targets.at(row, names[row]))

    def chosen(row: int, codes: Sequence[int], choices: tuple[Choice, ...]) -> Cell:
        choice = choices[codes[row]]
        return Cell(head, choice.words, choice.mark)

    def counted(row: int, numbers: Numbers) -> Cell:
        target = numbers.targets.at(row, names[row]) if numbers.targets else ""
        return Cell(head, said(numbers.cells[row], head, catalog), target=target)

    match column:
        case Names():
            return named
        case Choices():
            return lambda row: chosen(row, column.codes, facets[column.key].choices)
        case Texts():
            return lambda row: Cell(head, in_a_line(column.texts[column.codes[row]]))
        case Numbers():
            return lambda row: counted(row, column)


def _note(table: Table, facets: Mapping[str, Facet], key: str, row: int) -> str:
    """The words beside a row's name, if its value of the noted column is not the first one."""
    for column in table.choices:
        if column.key == key and column.codes[row]:
            return facets[key].choices[column.codes[row]].words
    return ""


def said(value: Numeric, head: Head, catalog: Catalog) -> str:
    """A cell of a column of numbers in words; a duration in the unit that fits it."""
    if isinstance(value, NoNumber):
        return catalog.say(word_key(value))
    return figures.duration(value, catalog) if head.kind == "duration" else figures.count(value, catalog)


def _statistics(found: Summary, head: Head, catalog: Catalog) -> Statistics:
    undefined = catalog.word(NoNumber.undefined)
    spread = found.spread
    return Statistics(
        head=head,
        finite=figures.count(found.finite, catalog),
        minimum=said(spread.minimum, head, catalog) if spread else undefined,
        median=_median(spread.median, head, catalog) if spread else undefined,
        maximum=said(spread.maximum, head, catalog) if spread else undefined,
        unknown=figures.count(found.unknown, catalog),
        undefined=figures.count(found.undefined, catalog),
        non_finite=figures.count(found.non_finite, catalog),
    )


def _median(value: Fraction, head: Head, catalog: Catalog) -> str:
    """A whole number or a half: a duration to the nanosecond, halves up, anything else exactly."""
    if head.kind == "duration":
        return figures.duration((value + Fraction(1, 2)).__floor__(), catalog)
    whole = int(value)  # towards zero, so that a negative half keeps its sign apart
    if value == whole:
        return figures.count(whole, catalog)
    return f"{'-' if value < 0 else ''}{figures.count(abs(whole), catalog)}.5"
