"""Charts of study kinds that compare: rates with their intervals, and differences between two measurements of a task.

Whoever has such numbers calls these with the words of one language; nothing here computes one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from runner.contract.values import Ratio
from sitegen import figures
from sitegen.catalog import Catalog
from sitegen.charts.forest import Estimate, ForestRow, forest_drawing
from sitegen.charts.paired import Pair, complete, paired_drawing
from sitegen.pages.chart_views import Cell, ChartTable, ChartView, Column

MILLION = 1_000_000
"""Rates and the ends of their intervals stand in millionths."""


@dataclass(frozen=True, slots=True)
class Rate:
    """One rate, the counts it comes from as a page shows them, and its interval in millionths, if it has one."""

    label: str
    value: Ratio
    numerator: Cell
    denominator: Cell
    interval: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Unit:
    """How the numbers of a paired comparison are said: one, and a difference with its sign."""

    words: Callable[[int], str]
    signed: Callable[[int], str]
    name: str


def forest(
    catalog: Catalog, title: str, rates: Sequence[Rate], reference: tuple[int, str] | None = None
) -> ChartView | None:
    """A forest plot of rates, in their order; None without any. `reference` is in millionths, with its words.

    Raises ValueError for an interval that does not hold its rate.
    """
    if not rates:
        return None
    say = catalog.say
    rows = [ForestRow(rate.label, _estimate(rate), _said(rate, catalog)) for rate in rates]
    drawing = forest_drawing(
        rows,
        words=lambda tick: f"{figures.in_units(tick, MILLION // 100, catalog)}{figures.NO_BREAK}%",
        reference=reference,
        bounds=(0, MILLION),
    )
    heads = ("numerator", "denominator", "rate", "from", "to")
    table = ChartTable(
        columns=(
            Column(say("chart.column.row"), number=False),
            *(Column(say(f"chart.column.{head}"), number=True) for head in heads),
        ),
        rows=tuple((rate.label, rate.numerator, rate.denominator, *_ends(rate, catalog)) for rate in rates),
    )
    described = (say("chart.forest.described", row=row.label, words=row.words) for row in rows)
    return ChartView(
        kind="forest",
        template="charts/forest.svg",
        title=title,
        description=" ".join(described),
        text=say("chart.forest.text"),
        drawing=drawing,
        key=(),
        notes=(),
        table=table,
    )


def paired(catalog: Catalog, title: str, pairs: Sequence[Pair], unit: Unit) -> ChartView | None:
    """A chart of what changed from base to head; None if no pair is complete."""
    known = complete(pairs)
    if not known:
        return None
    say = catalog.say
    drawing = paired_drawing(pairs, unit.words, unit.signed)
    signs = [(difference > 0) - (difference < 0) for difference, _ in known]
    missing = len(pairs) - len(known)
    notes = []
    if missing:
        notes.append(say("chart.paired.missing", n=missing, all=len(pairs)))
    if drawing.group > 1:
        notes.append(say("chart.paired.grouped", bars=len(drawing.bars), n=drawing.group))
    heads = ("base", "head", "difference")
    incomplete = sorted((pair for pair in pairs if pair.difference is None), key=lambda pair: pair.label)
    return ChartView(
        kind="paired",
        template="charts/paired.svg",
        title=title,
        description=say(
            "chart.paired.described",
            n=len(known),
            all=len(pairs),
            lower=signs.count(-1),
            same=signs.count(0),
            higher=signs.count(1),
        ),
        text=say("chart.paired.text", unit=unit.name),
        drawing=drawing,
        key=(),
        notes=tuple(notes),
        table=ChartTable(
            columns=(
                Column(say("chart.column.row"), number=False),
                *(Column(say(f"chart.column.{head}"), number=True) for head in heads),
            ),
            rows=tuple(_row(pair, unit, catalog) for pair in (*(pair for _, pair in known), *incomplete)),
        ),
    )


def _estimate(rate: Rate) -> Estimate | None:
    if not rate.value.defined:
        return None
    return Estimate(MILLION * rate.value.numerator // rate.value.denominator, rate.interval)


def _said(rate: Rate, catalog: Catalog) -> str:
    percent, low, high = _ends(rate, catalog)
    if not rate.value.defined:
        return percent
    if rate.interval is None:
        return catalog.say("chart.forest.alone", percent=percent)
    return catalog.say("chart.forest.interval", percent=percent, low=low, high=high)


def _ends(rate: Rate, catalog: Catalog) -> tuple[str, str, str]:
    """The rate and its interval in percent, the interval rounded outward."""
    if not rate.value.defined:
        undefined = catalog.say(figures.UNDEFINED)
        return undefined, undefined, undefined
    if rate.interval is None:
        none = catalog.say("chart.forest.no-interval")
        return figures.percent(rate.value, catalog), none, none
    low, high = rate.interval
    ends = (low // 1_000, -(-high // 1_000))
    first, last = (figures.percent(Ratio(numerator=end, denominator=1_000), catalog) for end in ends)
    return figures.percent(rate.value, catalog), first, last


def _row(pair: Pair, unit: Unit, catalog: Catalog) -> tuple[Cell, ...]:
    unknown = catalog.say("value.unknown")
    base, head = (unknown if value is None else unit.words(value) for value in (pair.base, pair.head))
    difference = unknown if pair.difference is None else unit.signed(pair.difference)
    return pair.label, base, head, difference
