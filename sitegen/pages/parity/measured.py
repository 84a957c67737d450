"""One measured row of a parity run: its figures, the daemon's memory, and what else the host did."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from runner.contract.parity.design import MEASUREMENT
from runner.contract.parity.documents import read_samples
from runner.contract.parity.host import Contended, CpuTime, Name, Number, Quiet, UnknownContention, UnknownFact
from runner.contract.parity.order_effect import OrderCheck, OrderEffect
from runner.contract.parity.samples import SAMPLES_FILE, Samples
from sitegen import figures
from sitegen.pages import marks
from sitegen.pages.attempt_parts import SealedFile, sealed_file
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.chart_views import ChartView
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link
from sitegen.pages.parity.plots import plots
from sitegen.pages.parity.receipts import analysis_of, current
from sitegen.pages.parity.timings import DECIMALS, FigureView, figure_views, row_anchor
from sitegen.pages.planned import task_words
from sitegen.pages.quotes import Bound, Quotes
from sitegen.pages.wording import Phrase, weave
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class MemoryView:
    """What the kernel said of the daemon of one variant at one time."""

    variant: str
    when: str
    resident: Bound
    highest: Bound


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """One row that was measured, or was to be."""

    anchor: str
    title: str
    mark: Mark
    attempt: Link | None
    admissible: bool
    contention: Mark
    reasons: tuple[str, ...]
    figures: tuple[FigureView, ...]
    memory: tuple[MemoryView, ...]
    order: Phrase
    order_mark: Mark
    host: tuple[tuple[str, Phrase], ...]
    charts: tuple[tuple[str, ChartView], ...]
    """Each with its id."""
    samples: SealedFile | None
    """None where nothing was sampled."""


def measured_rows(edition: Edition, run: RunSource) -> tuple[MeasuredRow, ...]:
    """Every row that a full run measures; none in a run for correctness alone."""
    return tuple(_row(edition, run, place) for place in range(len(analysis_of(run).measurements)))


def _row(edition: Edition, run: RunSource, place: int) -> MeasuredRow:
    found = analysis_of(run).measurements[place]
    pointer, quotes = f"/analysis/measurements/{place}", edition.quotes(run)
    attempt = current(run, MEASUREMENT, found.row)
    path = f"artifacts/{attempt.attempt}/{SAMPLES_FILE}" if attempt else ""
    samples = None
    if attempt and path in attempt.artifacts:
        samples = read_samples(run.sealed.data, path)
    return MeasuredRow(
        anchor=row_anchor(found.row),
        title=task_words(edition, run.sealed.plan, MEASUREMENT, found.row),
        mark=marks.outcome(found.outcome, edition.catalog),
        attempt=edition.link(attempt.attempt, attempt_place(run, attempt.attempt)) if attempt else None,
        admissible=found.admissible,
        contention=marks.named("contention", found.contention.contention, edition.catalog),
        reasons=_reasons(edition, found.contention),
        figures=figure_views(edition, run, place),
        memory=tuple(_memory(edition, run, quotes, path, samples)) if samples else (),
        order=_order(edition, quotes, f"{pointer}/order", found.order),
        order_mark=marks.named("order", found.order.verdict, edition.catalog),
        host=tuple(_host(edition, quotes, path, samples)) if samples else (),
        charts=tuple(plots(edition, run, found.row, samples)) if samples else (),
        samples=sealed_file(edition, run, run.sealed.file(path)) if samples else None,
    )


def _reasons(edition: Edition, found: Quiet | Contended | UnknownContention) -> tuple[str, ...]:
    match found:
        case Quiet():
            return ()
        case Contended(reasons=reasons):
            return tuple(edition.catalog.word(reason) for reason in reasons)
        case UnknownContention(reasons=told):
            return told
        case _:
            assert_never(found)


def _memory(edition: Edition, run: RunSource, quotes: Quotes, path: str, samples: Samples) -> Iterator[MemoryView]:
    names: Mapping[str, str] = edition.subjects(run)

    def size(octets: int) -> str:
        return figures.size(octets, edition.catalog)

    for number, daemon in enumerate(samples.daemons):
        for index, reading in enumerate(daemon.memory):
            pointer = f"/daemons/{number}/memory/{index}"
            yield MemoryView(
                variant=names[daemon.variant],
                when=edition.say(f"memory.{reading.when}"),
                resident=quotes.in_file(path, f"{pointer}/resident_bytes", size),
                highest=quotes.in_file(path, f"{pointer}/highest_bytes", size),
            )


def _order(edition: Edition, quotes: Quotes, pointer: str, found: OrderCheck) -> Phrase:
    if not isinstance(found, OrderEffect):
        return (quotes.at(f"{pointer}/reason"),)

    def signed(nanoseconds: int) -> str:
        return f"{figures.milliseconds(nanoseconds, DECIMALS, edition.catalog, signed=True)}{figures.NO_BREAK}ms"

    pieces: dict[str, str | Bound] = {
        "n": quotes.at(f"{pointer}/base_first/pairs"),
        "base_first": quotes.at(f"{pointer}/base_first/median_difference_ns", signed),
        "m": quotes.at(f"{pointer}/head_first/pairs"),
        "head_first": quotes.at(f"{pointer}/head_first/median_difference_ns", signed),
        "p": quotes.at(f"{pointer}/p_millionths", lambda p: figures.fixed(p, 6, edition.catalog)),
        "level": f"{found.level.numerator}/{found.level.denominator}",
    }
    return weave(edition.catalog, "order.told", pieces)


def _host(edition: Edition, quotes: Quotes, path: str, samples: Samples) -> Iterator[tuple[str, Phrase]]:
    say = edition.say
    for name in ("cpu_model", "cpus", "governor", "load_hundredths", "runnable"):
        words = (lambda value: figures.fixed(value, 2, edition.catalog)) if name == "load_hundredths" else None
        told = []
        for when in ("before", "after"):
            fact: Number | Name | UnknownFact = getattr(getattr(samples.around, when), name)
            part = "reason" if isinstance(fact, UnknownFact) else "value"
            told.append(quotes.in_file(path, f"/around/{when}/{name}/{part}", None if part == "reason" else words))
        same = told[0].text == told[1].text
        yield say(f"host.{name}"), (told[0],) if same else (told[0], " → ", told[1])
    spent = samples.around.cpu_time
    if isinstance(spent, CpuTime):

        def span(nanoseconds: int) -> str:
            return figures.duration(nanoseconds, edition.catalog)

        parts = ("elapsed_ns", "busy_ns", "own_ns", "stolen_ns")
        pieces = {part.removesuffix("_ns"): quotes.in_file(path, f"/around/cpu_time/{part}", span) for part in parts}
        yield say("host.cpu_time"), weave(edition.catalog, "host.spent", pieces)
    else:
        yield say("host.cpu_time"), (quotes.in_file(path, "/around/cpu_time/reason"),)
