"""What the gates of a parity run say, and the figures behind them: every time in milliseconds to the nanosecond."""

from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.analysis.parity import GateResult, Measurement, QuantileFact
from runner.contract.parity.change import Change
from runner.contract.parity.design import MEASUREMENT
from runner.contract.parity.false_hold import FalseHoldRate
from runner.contract.parity.gate import Passed
from runner.contract.parity.quantile import Quantile, Statistic, is_largest
from runner.contract.parity.timing import Measure
from runner.contract.plan import as_parity
from sitegen import figures
from sitegen.pages.edition import Edition
from sitegen.pages.gates import VerdictView, gate_words, verdict_view
from sitegen.pages.parity.receipts import analysis_of
from sitegen.pages.planned import task_words
from sitegen.pages.quotes import Bound, Quotes
from sitegen.pages.wording import Phrase, weave
from sitegen.sources import RunSource

DECIMALS = 6
"""Of milliseconds, which gives every nanosecond, and of percentages."""


@dataclass(frozen=True, slots=True)
class Time:
    """A time in milliseconds, or that it is unknown and why."""

    bound: Bound
    why: str
    """As recorded, in English; empty for a time."""


@dataclass(frozen=True, slots=True)
class GateView:
    """One gate on one row."""

    row: str
    anchor: str
    """Of the part of the page that shows the measurement."""
    title: str
    base: Time
    head: Time
    difference: Bound | None
    """Head minus base in milliseconds, with its sign; None where one of them is unknown."""
    change: str
    """In percent with its sign, or a word where there is none."""
    context: tuple[Time, Time]
    """The median of base and head, by which no gate judges unless it says so."""
    complete: Bound
    planned: Bound
    verdict: VerdictView
    judged: Bound
    false_holds: Phrase
    admissible: bool


@dataclass(frozen=True, slots=True)
class DeclaredView:
    """One gate as it was frozen."""

    title: str
    gate: str
    notes: tuple[str, ...]
    """Which of the samples its quantile is, and whether those are too few for what it says."""


@dataclass(frozen=True, slots=True)
class FigureView:
    """One measure of one variant."""

    measure: str
    variant: str
    taken: Bound
    planned: Bound
    p50: Time
    p95: Time


def gate_views(edition: Edition, run: RunSource) -> tuple[GateView, ...]:
    """Every gate on every row, row by row; none where nothing was to be measured."""
    return tuple(
        _gate(edition, run, place, measured, number)
        for place, measured in enumerate(analysis_of(run).measurements)
        for number in range(len(measured.gates))
    )


def declared_views(edition: Edition, run: RunSource) -> tuple[DeclaredView, ...]:
    """The gates of the protocol, each with what is to be said of its samples."""
    design, _ = as_parity(run.sealed.plan)
    found = [gate for measured in analysis_of(run).measurements for gate in measured.gates]
    return tuple(
        DeclaredView(
            edition.words(declared.title),
            gate_words(edition, declared.gate),
            tuple(
                dict.fromkeys(
                    note
                    for gate in found
                    if gate.gate == number
                    for note in _notes(edition, declared.gate.statistic, gate.base)
                )
            ),
        )
        for number, declared in enumerate(design.timing.gates)
    )


def figure_views(edition: Edition, run: RunSource, place: int) -> tuple[FigureView, ...]:
    """The figures of the measurement at this place of the analysis."""
    quotes, names = edition.quotes(run), edition.subjects(run)
    at = f"/analysis/measurements/{place}/figures"
    return tuple(
        FigureView(
            measure=edition.catalog.word(item.measure),
            variant=names[item.variant],
            taken=quotes.at(f"{at}/{number}/taken"),
            planned=quotes.at(f"{at}/{number}/planned"),
            p50=time(edition, quotes, f"{at}/{number}/p50", item.p50),
            p95=time(edition, quotes, f"{at}/{number}/p95", item.p95),
        )
        for number, item in enumerate(analysis_of(run).measurements[place].figures)
    )


def row_anchor(row: str) -> str:
    """The id of the part of a page that shows the measurement of a row."""
    return f"timing.{row}"


def time(edition: Edition, quotes: Quotes, pointer: str, fact: QuantileFact) -> Time:
    """The quantile that stands at `pointer`."""
    if isinstance(fact, Quantile):
        return Time(quotes.at(f"{pointer}/value_ns", lambda ns: _ms(edition, ns)), "")
    return Time(quotes.at(f"{pointer}/reason", lambda _: edition.say("value.unknown")), fact.reason)


def difference(edition: Edition, quotes: Quotes, pointer: str, found: GateResult) -> Bound | None:
    """Head minus base of the gate that stands at `pointer`, with its sign; None where one of them is unknown."""
    if found.difference_ns is None:
        return None
    return quotes.at(f"{pointer}/difference_ns", lambda ns: _ms(edition, ns, signed=True))


def change_words(edition: Edition, found: GateResult) -> str:
    """The change from base to head in percent with its sign, without its unit; a word where there is none."""
    if not isinstance(found.base, Quantile) or found.difference_ns is None:
        return edition.say("value.unknown")
    change = Change(difference_ns=found.difference_ns, base_ns=found.base.value_ns)
    return figures.change(change, DECIMALS, edition.catalog)


def _ms(edition: Edition, nanoseconds: int, *, signed: bool = False) -> str:
    return figures.milliseconds(nanoseconds, DECIMALS, edition.catalog, signed=signed)


def _gate(edition: Edition, run: RunSource, place: int, measured: Measurement, number: int) -> GateView:
    quotes, found = edition.quotes(run), measured.gates[number]
    design, _ = as_parity(run.sealed.plan)
    declared = design.timing.gates[found.gate]
    pointer = f"/analysis/measurements/{place}/gates/{number}"
    says = "verdict" if isinstance(found.judgement, Passed) else "reason"
    return GateView(
        row=task_words(edition, run.sealed.plan, MEASUREMENT, measured.row),
        anchor=row_anchor(measured.row),
        title=edition.words(declared.title),
        base=time(edition, quotes, f"{pointer}/base", found.base),
        head=time(edition, quotes, f"{pointer}/head", found.head),
        difference=difference(edition, quotes, pointer, found),
        change=change_words(edition, found),
        context=_context(edition, quotes, place, measured, found.measure),
        complete=quotes.at(f"{pointer}/samples/complete"),
        planned=quotes.at(f"{pointer}/samples/planned"),
        verdict=verdict_view(edition, found.judgement),
        judged=quotes.at(f"{pointer}/judgement/{says}"),
        false_holds=_false_holds(edition, quotes, f"{pointer}/false_holds", found),
        admissible=measured.admissible,
    )


def _context(
    edition: Edition, quotes: Quotes, place: int, measured: Measurement, measure: Measure
) -> tuple[Time, Time]:
    """The medians of base and head, which stand in this order among the figures."""
    at = f"/analysis/measurements/{place}/figures"
    base, head = (
        time(edition, quotes, f"{at}/{number}/p50", item.p50)
        for number, item in enumerate(measured.figures)
        if item.measure is measure
    )
    return base, head


def _false_holds(edition: Edition, quotes: Quotes, pointer: str, found: GateResult) -> Phrase:
    rate = found.false_holds
    if not isinstance(rate, FalseHoldRate):
        return (quotes.at(f"{pointer}/reason", lambda _: edition.say("value.unknown")),)
    pieces: dict[str, str | Bound] = {
        "held": quotes.at(f"{pointer}/held/numerator"),
        "of": quotes.at(f"{pointer}/held/denominator"),
        "percent": figures.percent(rate.held, edition.catalog),
    }
    return weave(edition.catalog, "gate.false-holds", pieces)


def _notes(edition: Edition, statistic: Statistic, found: QuantileFact) -> Iterator[str]:
    if isinstance(found, Quantile):
        word = edition.catalog.word(statistic)
        yield edition.say("samples.rank", statistic=word, rank=found.rank, all=found.samples)
        if is_largest(found.samples, statistic):
            yield edition.say("samples.few", statistic=word, n=found.samples)
