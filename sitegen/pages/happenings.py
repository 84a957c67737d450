"""What happened inside an attempt, in words: one entry of the time line an event."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from runner.contract.attempt import Verdict
from runner.contract.comparison.happenings import ActedEvent, DriftedEvent, ProbedEvent
from runner.contract.events import (
    CappedByClock,
    CapturedEvent,
    End,
    Event,
    Exited,
    FaultEvent,
    JudgedEvent,
    KilledEvent,
    LeftoverEvent,
    NotSpawned,
    Output,
    ProcessEvent,
    RacedEvent,
    Signalled,
    StartedEvent,
    StoppedEvent,
    WaitedEvent,
)
from runner.contract.parity.happenings import MutantJudgedEvent, SampledEvent
from sitegen import figures
from sitegen.catalog import Catalog
from sitegen.pages import marks
from sitegen.pages.acted import acted
from sitegen.pages.marks import Mark
from sitegen.pages.parity.events import held_alike
from sitegen.pages.told import Stream, Told
from sitegen.pages.wording import command

FOLDED_LINES = 12
"""Output of so many lines and more is folded; without a script the fold opens all the same."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One entry of the time line."""

    offset: str
    told: Told
    contenders: tuple["Happening", ...] = ()
    """The processes that this entry sums up."""
    unfold: str = ""
    """What opens their fold: how many there are, and how they ended."""


@dataclass(frozen=True, slots=True)
class Versus:
    """What a criterion expected, and what was observed."""

    criterion: str
    step: str
    instance: int
    expected: str
    observed: str
    mark: Mark


def time_line(told: Iterable[Told], offsets_ns: Sequence[int], catalog: Catalog) -> tuple[Happening, ...]:
    """What is said of the events of an attempt in order, each with its offset from the attempt's start."""
    return tuple(
        Happening(figures.duration(offset, catalog), said) for said, offset in zip(told, offsets_ns, strict=True)
    )


def judged(events: Sequence[Event], catalog: Catalog, *, only: frozenset[Verdict] | None = None) -> tuple[Versus, ...]:
    """Every judgement among the events, or those with one of the verdicts in `only`."""
    return tuple(
        Versus(
            criterion=event.criterion,
            step=event.step,
            instance=event.instance,
            expected=event.expected,
            observed=event.observed,
            mark=marks.verdict(event.verdict, catalog),
        )
        for event in events
        if isinstance(event, JudgedEvent) and (only is None or event.verdict in only)
    )


def told(event: Event, catalog: Catalog) -> Told:
    """What is said of an event."""
    match event:
        case ProcessEvent() | StartedEvent() | StoppedEvent() | KilledEvent():
            return _of_process(event, catalog)
        case JudgedEvent() | RacedEvent():
            return _judgement(event, catalog)
        case ActedEvent() | DriftedEvent() | ProbedEvent():
            return acted(event, catalog)
        case MutantJudgedEvent() | SampledEvent():
            return held_alike(event, catalog)
        case WaitedEvent() | CapturedEvent() | LeftoverEvent() | FaultEvent():
            return _plain(event, catalog)
        case _:
            assert_never(event)


def _of_process(event: ProcessEvent | StartedEvent | StoppedEvent | KilledEvent, catalog: Catalog) -> Told:
    say = catalog.say
    match event:
        case ProcessEvent():
            said = Told(
                step=event.step,
                title=say("event.process-of", instance=event.instance) if event.instance else say("event.process"),
                argv=command(event.argv),
                notes=(ending(event.end, catalog), *_surroundings(event, catalog)),
                shift=_shift(event.clock_shift_seconds, catalog),
                streams=streams(event.stdout, event.stderr, catalog),
                tone=_tone(event.end),
            )
        case StartedEvent():
            mark = _met(catalog, met=event.reached)
            key = "event.boundary" if event.reached else "event.boundary-missed"
            said = Told(
                step=event.step,
                title=say("event.started"),
                mark=mark,
                argv=command(event.argv),
                notes=(say(key, boundary=event.boundary), *_surroundings(event, catalog)),
                shift=_shift(event.clock_shift_seconds, catalog),
                tone=mark.tone,
            )
        case KilledEvent():
            said = Told(
                step=event.step,
                title=say("event.killed", target=event.target),
                mark=_met(catalog, met=event.gone),
                notes=(say("event.gone" if event.gone else "event.not-gone"),),
                tone="broken",
            )
        case StoppedEvent():
            said = Told(
                step=event.step,
                title=say(f"event.stopped-by-{event.by}"),
                notes=(ending(event.end, catalog),),
                streams=streams(event.stdout, event.stderr, catalog),
                tone=_tone(event.end),
            )
        case _:
            assert_never(event)
    return said


def _judgement(event: JudgedEvent | RacedEvent, catalog: Catalog) -> Told:
    say = catalog.say
    if isinstance(event, JudgedEvent):
        mark = marks.verdict(event.verdict, catalog)
        title = say("event.judged", criterion=event.criterion)
        notes = (
            *((say("event.instance", instance=event.instance),) if event.instance else ()),
            say("event.expected", text=event.expected),
            say("event.observed", text=event.observed),
        )
    else:
        mark = _met(catalog, met=event.winners == event.expected_winners)
        title = say("event.raced")
        counts = {"contenders": event.contenders, "winners": event.winners, "expected": event.expected_winners}
        notes = (say("event.race-result", **counts),)
    return Told(step=event.step, title=title, mark=mark, notes=notes, tone=mark.tone)


def _plain(event: WaitedEvent | CapturedEvent | LeftoverEvent | FaultEvent, catalog: Catalog) -> Told:
    say = catalog.say
    match event:
        case WaitedEvent():
            span = figures.duration(event.milliseconds * 1_000_000, catalog)
            return Told(step=event.step, title=say("event.waited", span=span))
        case CapturedEvent():
            notes = (f"{event.name} = {event.value}",)
            return Told(step=event.step, title=say("event.captured"), notes=notes)
        case LeftoverEvent():
            title = say("event.leftover", program=event.program)
            return Told(step="", title=title, tone="broken")
        case FaultEvent():
            notes = (event.message,)
            return Told(step="", title=say("event.fault"), notes=notes, tone="broken")
        case _:
            assert_never(event)


def ending(end: End, catalog: Catalog) -> str:
    """How a process ended. The clock's cap is no exit code."""
    match end:
        case Exited():
            return catalog.say("end.exited", code=end.code)
        case Signalled():
            return catalog.say("end.signalled", signal=end.signal)
        case CappedByClock():
            return catalog.say("end.timed-out")
        case NotSpawned():
            return catalog.say("end.not-spawned", why=end.why)
        case _:
            assert_never(end)


def _met(catalog: Catalog, *, met: bool) -> Mark:
    return marks.verdict(Verdict.met if met else Verdict.not_met, catalog)


def _tone(end: End) -> str:
    return "plain" if isinstance(end, Exited) else "broken"


def _surroundings(event: ProcessEvent | StartedEvent, catalog: Catalog) -> tuple[str, ...]:
    found = []
    if event.cwd not in (".", ""):
        found.append(catalog.say("event.cwd", cwd=event.cwd))
    if event.env:
        found.append(catalog.say("event.env", names=", ".join(event.env)))
    return tuple(found)


def _shift(seconds: int, catalog: Catalog) -> str:
    return catalog.say("event.clock-shift", seconds=f"{seconds:+d}") if seconds else ""


def streams(stdout: Output, stderr: Output, catalog: Catalog) -> tuple[Stream, ...]:
    """The two output streams of a process."""
    return tuple(_stream(name, output, catalog) for name, output in (("stdout", stdout), ("stderr", stderr)))


def _stream(name: str, output: Output, catalog: Catalog) -> Stream:
    total = figures.size(output.total_bytes, catalog)
    truncated = output.kept_bytes < output.total_bytes
    if truncated:
        said = catalog.say("stream.truncated", total=total, kept=figures.size(output.kept_bytes, catalog))
    else:
        said = catalog.say("stream.whole", total=total)
    if output.replaced:
        said = f"{said} · {catalog.say('stream.replaced', n=output.replaced)}"
    lines = len(output.text.splitlines())
    unfold = catalog.say("stream.unfold", n=lines)
    return Stream(name, output.text, said, truncated, output.sha256, lines >= FOLDED_LINES, unfold)
