"""How long attempts took until they were judged, as one step curve a subject.

The denominator is what was planned. An attempt that was accepted or rejected was judged, and its
duration is a value. One that was cut off, by its cap or because the runner ended, lasted *longer*
than its timing says; what was never judged for another reason has no such duration at all.
"""

from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from runner.contract.attempt import Outcome
from runner.contract.parity.design import ParityDesign
from sitegen import figures
from sitegen.charts.ecdf import Sample, ecdf_drawing, sample_axis
from sitegen.pages import place
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.attempt_table import ended
from sitegen.pages.chart_views import Cell, ChartTable, ChartView, Column, KeyEntry
from sitegen.pages.edition import Edition
from sitegen.pages.matrix import of_kind
from sitegen.sources import RunSource, once_a_run

_QUANTILES = ((0, 1), (1, 2), (9, 10), (1, 1))
"""Shortest, median, nine tenths, all: each a share of what was planned."""


class Known(Enum):
    """What the duration of an attempt says about the time it takes to be judged."""

    value = "value"
    longer = "longer"
    nothing = "nothing"


def known(outcome: Outcome) -> Known:
    """What is known once an attempt has ended so."""
    match outcome:
        case Outcome.accepted | Outcome.rejected:
            return Known.value
        case Outcome.timed_out | Outcome.interrupted:
            return Known.longer
        case Outcome.failed_to_run | Outcome.refused | Outcome.not_started:
            return Known.nothing
        case _:
            assert_never(outcome)


@dataclass(frozen=True, slots=True)
class _Measured:
    """The attempts of one arm that count and have a duration, as pairs of that and their name, the shortest first."""

    judged: tuple[tuple[int, str], ...] = ()
    cut_off: tuple[tuple[int, str], ...] = ()


def durations(edition: Edition, run: RunSource) -> ChartView | None:
    """The chart of `run`; None if nothing was ever judged or cut off, and for a parity study.

    What a variant takes from its first step to its last judgement is no measurement of it.
    """
    if isinstance(run.sealed.plan.study.design, ParityDesign):
        return None
    measured = _measured(run)
    titles = edition.subjects(run)
    arms = run.sealed.run.analysis.arms
    samples = tuple(_sample(titles[arm.arm], measured.get(arm.arm, _Measured()), arm.tally.planned) for arm in arms)
    if not any(sample.values or sample.censored for sample in samples):
        return None
    scale = sample_axis(samples)
    unit, name = figures.unit_of(scale.ticks[-1])
    drawing = ecdf_drawing(
        samples,
        scale,
        words=lambda tick: figures.in_units(tick, unit, edition.catalog),
        unit=edition.say("chart.ecdf.axis-log" if scale.logarithmic else "chart.ecdf.axis", unit=name),
        share=lambda percent: f"{percent}{figures.NO_BREAK}%",
    )
    return ChartView(
        kind="ecdf",
        template="charts/ecdf.svg",
        title=edition.say(f"chart.ecdf.title{of_kind(run)}"),
        description=" ".join(_described(edition, sample) for sample in samples),
        text=edition.say("chart.ecdf.text"),
        drawing=drawing,
        key=tuple(KeyEntry("line", f"series-{curve.style}", "plain", "", curve.label) for curve in drawing.curves),
        notes=tuple(note for sample in samples for note in _notes(edition, sample)),
        table=_table(edition, run, samples, measured),
    )


@once_a_run
def _measured(run: RunSource) -> dict[str, _Measured]:
    """The attempts by arm. Of each only its span and name are kept: a run may have very many."""
    counting = run.sealed.current
    found: dict[tuple[str, Known], list[tuple[int, str]]] = {}
    for attempt in ended(run):
        says = known(attempt.outcome)
        if attempt.name in counting and says is not Known.nothing:
            found.setdefault((attempt.arm, says), []).append((attempt.span_ns, attempt.name))
    return {
        arm: _Measured(
            judged=tuple(sorted(found.get((arm, Known.value), ()))),
            cut_off=tuple(sorted(found.get((arm, Known.longer), ()))),
        )
        for arm in {arm: None for arm, _ in found}
    }


def _sample(label: str, measured: _Measured, planned: int) -> Sample:
    values = tuple(span for span, _ in measured.judged)
    censored = tuple(span for span, _ in measured.cut_off)
    return Sample(label, values, censored, planned - len(values) - len(censored))


def _described(edition: Edition, sample: Sample) -> str:
    say, catalog = edition.say, edition.catalog
    if not sample.total:
        return say("chart.counts.described-none", subject=sample.label)
    counts = {"subject": sample.label, "judged": len(sample.values), "planned": sample.total}
    median = sample.quantile(1, 2)
    if median is None:
        return say("chart.ecdf.described-fewer", **counts)
    return say("chart.ecdf.described", **counts, median=figures.duration(median, catalog))


def _notes(edition: Edition, sample: Sample) -> list[str]:
    if not sample.total:
        return [edition.say("chart.counts.described-none", subject=sample.label)]
    parts = (("chart.ecdf.censored", len(sample.censored)), ("chart.ecdf.apart", sample.apart))
    return [edition.say(key, subject=sample.label, n=number, planned=sample.total) for key, number in parts if number]


def _table(edition: Edition, run: RunSource, samples: tuple[Sample, ...], measured: dict[str, _Measured]) -> ChartTable:
    say, quotes = edition.say, edition.quotes(run)
    words = ("planned", "judged", "cut-off", "apart", "shortest", "median", "most", "longest")
    rows = []
    for index, (arm, sample) in enumerate(zip(run.sealed.run.analysis.arms, samples, strict=True)):
        judged = measured.get(arm.arm, _Measured()).judged
        planned = quotes.at(f"/analysis/arms/{index}/tally/planned")
        counts = (len(sample.values), len(sample.censored), sample.apart)
        row: list[Cell] = [sample.label, planned, *(figures.count(number, edition.catalog) for number in counts)]
        row += [_quantile(edition, run, sample, judged, *part) for part in _QUANTILES]
        rows.append(tuple(row))
    heads = (Column(say(f"chart.column.{word}"), number=True) for word in words)
    return ChartTable((Column(say(f"column.subject{of_kind(run)}"), number=False), *heads), tuple(rows))


def _quantile(
    edition: Edition,
    run: RunSource,
    sample: Sample,
    judged: tuple[tuple[int, str], ...],
    numerator: int,
    denominator: int,
) -> Cell:
    """The duration of the attempt at that rank, linked to the attempt."""
    if not sample.total:
        return edition.say(figures.UNDEFINED)
    value = sample.quantile(numerator, denominator)
    if value is None:
        return edition.say("chart.not-reached")
    attempt = judged[bisect_left(judged, (value, ""))][1]
    target = place.part(attempt_place(run, attempt), "times")
    return edition.link(figures.duration(value, edition.catalog), target)
