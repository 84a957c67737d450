"""The rows of what somebody else published: figures as printed, and verdicts as they follow from them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from runner.contract.reported.recompute import MeasuredResult, RowResult, rank_of, samples_of
from runner.contract.reported.record import (
    Measure,
    Measured,
    PairedSamples,
    PublishedTime,
    Reported,
    SeparateSamples,
    Unknown,
    UnknownSamples,
)
from sitegen import figures
from sitegen.pages.edition import Edition
from sitegen.pages.gates import VerdictView, gate_words, verdict_view

LIST_DECIMALS = 2
"""Of a percentage in a list; tables show what the gate saw to six."""
TABLE_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Figure:
    """A time in milliseconds as published, or the word for unknown and why it is."""

    text: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class RowView:
    """One line of a table."""

    case: str
    statistic: str
    base: Figure
    head: Figure
    difference: str
    change: str
    verdict: VerdictView | None


@dataclass(frozen=True, slots=True)
class MeasuredView:
    """The rows of one measure in one version."""

    anchor: str
    title: str
    about: str
    gate: str
    """The gate in words; empty where there is none."""
    samples: str
    ranks: tuple[str, ...]
    """Which of the samples each statistic is."""
    few: tuple[str, ...]
    """What is told where there are too few samples for what a statistic says."""
    gated: tuple[RowView, ...]
    context: tuple[RowView, ...]


def measured_view(edition: Edition, record: Reported, found: MeasuredResult, anchor: str) -> MeasuredView:
    """One measure of one version, in the edition's language."""
    rows = [(item, _row(edition, record, found.measure, item)) for item in found.rows]
    return MeasuredView(
        anchor=anchor,
        title=edition.words(found.measure.title),
        about=edition.words(found.measure.about),
        gate=gate_words(edition, found.measure.gate) if found.measure.gate else "",
        samples=_samples(edition, found.measured),
        ranks=tuple(_ranks(edition, found)),
        few=tuple(_few(edition, found)),
        gated=tuple(view for item, view in rows if item.judgement is not None),
        context=tuple(view for item, view in rows if item.judgement is None),
    )


def figure(edition: Edition, time: PublishedTime | Unknown, decimals: int) -> Figure:
    """A published time in milliseconds."""
    match time:
        case PublishedTime():
            return Figure(figures.milliseconds(time.ns, decimals, edition.catalog))
        case Unknown():
            return Figure(edition.say("value.unknown"), edition.words(time.reason))
        case _:
            assert_never(time)


def difference_words(edition: Edition, row: RowResult, decimals: int) -> str:
    """Head minus base in milliseconds with its sign; a dash where a side is unknown."""
    if row.change is None:
        return "—"
    return figures.milliseconds(row.change.difference_ns, decimals, edition.catalog, signed=True)


def change_words(edition: Edition, row: RowResult, decimals: int) -> str:
    """The change in percent with its sign; a dash where a side is unknown."""
    return "—" if row.change is None else figures.change(row.change, decimals, edition.catalog)


def _row(edition: Edition, record: Reported, measure: Measure, found: RowResult) -> RowView:
    case = record.case(found.row.case)
    return RowView(
        case=edition.words(case.title) if case else found.row.case,
        statistic=edition.catalog.word(found.row.statistic),
        base=figure(edition, found.row.base, measure.decimals),
        head=figure(edition, found.row.head, measure.decimals),
        difference=difference_words(edition, found, measure.decimals),
        change=change_words(edition, found, TABLE_DECIMALS),
        verdict=verdict_view(edition, found.judgement) if found.judgement else None,
    )


def _samples(edition: Edition, measured: Measured) -> str:
    samples = measured.samples
    match samples:
        case PairedSamples():
            return edition.say("samples.pairs", planned=samples.planned, complete=samples.complete)
        case SeparateSamples():
            return edition.say("samples.separate", n=samples.each)
        case UnknownSamples():
            return edition.say("samples.unknown", reason=edition.words(samples.reason))
        case _:
            assert_never(samples)


def _ranks(edition: Edition, found: MeasuredResult) -> Iterator[str]:
    for row in _one_a_statistic(found):
        if place := rank_of(found.measured, row.row):
            statistic, every = edition.catalog.word(row.row.statistic), samples_of(found.measured)
            yield edition.say("samples.rank", statistic=statistic, rank=place[0], all=every)


def _few(edition: Edition, found: MeasuredResult) -> Iterator[str]:
    for row in _one_a_statistic(found):
        place = rank_of(found.measured, row.row)
        if place and place[1]:
            statistic = edition.catalog.word(row.row.statistic)
            yield edition.say("samples.few", statistic=statistic, n=samples_of(found.measured))


def _one_a_statistic(found: MeasuredResult) -> list[RowResult]:
    return list({row.row.statistic: row for row in found.rows}.values())
