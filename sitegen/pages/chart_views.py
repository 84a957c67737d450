"""What a chart is on a page: a drawing, the words that say what it shows, and the numbers behind it."""

from dataclasses import dataclass
from typing import TypeAlias

from sitegen.charts.counts import CountsDrawing
from sitegen.charts.ecdf import EcdfDrawing
from sitegen.charts.forest import ForestDrawing
from sitegen.charts.paired import PairedDrawing
from sitegen.pages.page import Link
from sitegen.pages.quotes import Bound

Cell: TypeAlias = str | Bound | Link
Drawing: TypeAlias = CountsDrawing | EcdfDrawing | ForestDrawing | PairedDrawing


@dataclass(frozen=True, slots=True)
class Column:
    """The head of one column."""

    words: str
    number: bool


@dataclass(frozen=True, slots=True)
class ChartTable:
    """The numbers behind a chart: all of them, and labels at full length. The first cell of a row heads it."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """How one kind of thing is drawn. `swatch` is `fill` or `line`, `style` the class of that."""

    swatch: str
    style: str
    tone: str
    glyph: str
    words: str


@dataclass(frozen=True, slots=True)
class ChartView:
    """One chart in one language."""

    kind: str
    template: str
    title: str
    description: str
    """Everything that the drawing shows, in sentences, for whoever does not see it."""
    text: str
    """How to read it."""
    drawing: Drawing
    key: tuple[KeyEntry, ...]
    notes: tuple[str, ...]
    """What the drawing leaves out, each in a sentence."""
    table: ChartTable
