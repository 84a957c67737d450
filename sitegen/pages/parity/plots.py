"""The plots of one measured row: paired differences of the full command, and step curves of what is gated."""

from collections.abc import Iterator

from runner.contract.parity.samples import Failed, Sample, Samples, Taken, taken
from runner.contract.parity.timing import Measure
from runner.contract.plan import as_parity
from sitegen import figures
from sitegen.charts.ecdf import Sample as Curve
from sitegen.charts.ecdf import ecdf_drawing, sample_axis
from sitegen.charts.paired import Pair
from sitegen.pages.chart_views import Cell, ChartTable, ChartView, Column, KeyEntry
from sitegen.pages.comparisons import Unit, paired
from sitegen.pages.edition import Edition
from sitegen.sources import RunSource

_MS = 1_000_000
_QUANTILES = ((0, 1), (1, 2), (19, 20), (1, 1))
"""Shortest, median, nineteen twentieths, longest: each by nearest rank."""


def plots(edition: Edition, run: RunSource, row: str, samples: Samples) -> Iterator[tuple[str, ChartView]]:
    """Every plot of a row with the id of its place."""
    design, _ = as_parity(run.sealed.plan)
    if (view := _paired(edition, samples)) is not None:
        yield f"chart.paired.{row}", view
    for measure in Measure:
        if any(gate.measure is measure for gate in design.timing.gates):
            view = _curves(edition, run, samples, measure)
            if view is not None:
                yield f"chart.ecdf.{row}.{measure}", view


def _paired(edition: Edition, samples: Samples) -> ChartView | None:
    catalog = edition.catalog
    width = len(str(len(samples.pairs)))
    pairs = [
        Pair(
            edition.say(f"chart.pair-{'base' if pair.base_first else 'head'}-first", number=f"{number:0{width}d}"),
            _ns(pair.base),
            _ns(pair.head),
        )
        for number, pair in enumerate(samples.pairs, 1)
    ]
    unit = Unit(
        words=lambda ns: figures.in_units(ns, _MS, catalog),
        signed=lambda ns: f"{'+' if ns > 0 else ''}{figures.in_units(ns, _MS, catalog)}",
        name="ms",
    )
    return paired(catalog, edition.say("chart.pairs-title"), pairs, unit)


def _curves(edition: Edition, run: RunSource, samples: Samples, measure: Measure) -> ChartView | None:
    say, catalog, names = edition.say, edition.catalog, edition.subjects(run)
    curves = []
    for variant in (samples.base, samples.head):
        found = samples.of(measure, variant)
        curves.append(
            Curve(names[variant], tuple(sorted(taken(found))), (), sum(isinstance(it, Failed) for it in found))
        )
    if not any(curve.values for curve in curves):
        return None
    scale = sample_axis(curves)
    unit, name = figures.unit_of(scale.ticks[-1])
    drawing = ecdf_drawing(
        curves,
        scale,
        words=lambda tick: figures.in_units(tick, unit, catalog),
        unit=say("chart.ecdf.axis-log" if scale.logarithmic else "chart.ecdf.axis", unit=name),
        share=lambda percent: f"{percent}{figures.NO_BREAK}%",
    )
    heads = ("chart.column.taken", "chart.column.failed", "chart.column.shortest", "statistic.p50", "statistic.p95")
    return ChartView(
        kind="ecdf",
        template="charts/ecdf.svg",
        title=say("chart.samples-title", measure=catalog.word(measure)),
        description=" ".join(_described(edition, curve) for curve in curves),
        text=say("chart.samples-text"),
        drawing=drawing,
        key=tuple(KeyEntry("line", f"series-{curve.style}", "plain", "", curve.label) for curve in drawing.curves),
        notes=tuple(
            say("chart.samples-failed", variant=curve.label, n=curve.apart, all=curve.total)
            for curve in curves
            if curve.apart
        ),
        table=ChartTable(
            (
                Column(say("column.subject-parity"), number=False),
                *(Column(say(head), number=True) for head in (*heads, "chart.column.longest-sample")),
            ),
            tuple(_numbers(edition, curve) for curve in curves),
        ),
    )


def _numbers(edition: Edition, curve: Curve) -> tuple[Cell, ...]:
    counts = (figures.count(number, edition.catalog) for number in (len(curve.values), curve.apart))
    return (curve.label, *counts, *(_quantile(edition, curve, *part) for part in _QUANTILES))


def _quantile(edition: Edition, curve: Curve, numerator: int, denominator: int) -> str:
    value = curve.quantile(numerator, denominator)
    if value is None:
        return edition.say("chart.not-reached")
    return f"{figures.milliseconds(value, 6, edition.catalog)}{figures.NO_BREAK}ms"


def _described(edition: Edition, curve: Curve) -> str:
    median = curve.quantile(1, 2)
    counts = {"variant": curve.label, "n": len(curve.values), "all": curve.total}
    if median is None:
        return edition.say("chart.samples-described-fewer", **counts)
    span = f"{figures.milliseconds(median, 6, edition.catalog)}{figures.NO_BREAK}ms"
    return edition.say("chart.samples-described", **counts, median=span)


def _ns(sample: Sample) -> int | None:
    return sample.ns if isinstance(sample, Taken) else None
