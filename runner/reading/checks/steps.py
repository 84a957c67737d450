"""Whether the processes of a qualification's attempt are those of its plan's steps, and each judgement is borne out.

What a process wrote is judged again by the rules it was judged by, wherever the sealed text is whole and nothing was
replaced in it; elsewhere verdict and words stand for what nobody but the runner has seen.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from runner.contract.attempt import Attempt, Verdict
from runner.contract.errors import Problem
from runner.contract.events import (
    CappedByClock,
    CapturedEvent,
    End,
    Event,
    JudgedEvent,
    NotSpawned,
    Output,
    ProcessEvent,
    RacedEvent,
    StartedEvent,
    StoppedEvent,
)
from runner.contract.plan import Plan
from runner.contract.qualification.judge import Judgement, ending, judge
from runner.contract.qualification.sequence import NUMBER, PLACEHOLDER, placeholders
from runner.contract.qualification.steps import (
    ExitCode,
    ExitNonzero,
    Expectation,
    KillStep,
    ProcessStep,
    RaceStep,
    RunStep,
    Step,
)
from runner.contract.qualification.tasks import QualificationTasks
from runner.reading.checks.published import fits, has_placeholder, is_verbatim

_REMEDY = "do not rely on this run"
_ROOMS = {name: f"{{{name}}}" for name in ("work", "state", "source")}
"""Placeholders that are published as what they are."""
_KILLED = "signal 9"


@dataclass(frozen=True, slots=True)
class _Stream:
    kept: bytes
    complete: bool

    @property
    def text(self) -> str:
        return self.kept.decode()


@dataclass(frozen=True, slots=True)
class _Finished:
    end: End
    stdout: _Stream
    stderr: _Stream


def check_steps(
    attempt: Attempt, events: Sequence[Event], plan: Plan, data: Callable[[str], bytes]
) -> Iterator[Problem]:
    """Problems between an attempt's events and the steps of its check; `data` reads a sealed file."""
    if not isinstance(plan.tasks, QualificationTasks):
        return
    try:
        check = plan.tasks.check(attempt.arm, attempt.task)
    except KeyError:
        return  # the check of the attempts says so
    steps = {step.id: step for step in check.steps}
    again = _Again(steps)
    for number, event in enumerate(events, 1):
        for what in again.see(event):
            yield Problem(attempt.events or "attempts.jsonl", f"line {number}", what, _REMEDY)
    printed = again.printed()
    for step in check.steps:
        path = f"artifacts/{attempt.attempt}/{step.publish}.txt" if isinstance(step, RunStep) and step.publish else ""
        if path in attempt.artifacts and data(path) != printed.get(step.id, "").encode():
            yield Problem(path, "", f"is not what the last process of {step.id} printed", _REMEDY)


class _Again:
    """Follows the events of an attempt, and holds each against what came before it."""

    def __init__(self, steps: Mapping[str, Step]) -> None:
        self._steps = steps
        self._values: dict[str, str] = dict(_ROOMS)
        self._last: dict[str, ProcessEvent | StoppedEvent] = {}
        """Of each step, the process that ended last."""
        self._contenders: dict[str, list[ProcessEvent]] = {}

    def see(self, event: Event) -> Iterator[str]:
        match event:
            case ProcessEvent() | StartedEvent():
                yield from self._process(event)
            case StoppedEvent():
                self._last[event.step] = event
            case CapturedEvent():
                self._values[event.name] = event.value
            case RacedEvent():
                yield from self._race(event)
            case JudgedEvent():
                yield from self._judged(event)
            case _:
                pass

    def printed(self) -> dict[str, str]:
        """The kept output of the process that ended last, by step."""
        return {step: event.stdout.text for step, event in self._last.items()}

    def _process(self, event: ProcessEvent | StartedEvent) -> Iterator[str]:
        step = self._steps.get(event.step)
        if not isinstance(step, ProcessStep):
            yield f"is of a step {event.step}, which starts no process in the plan"
            return
        if isinstance(event, ProcessEvent):
            self._last[event.step] = event
            self._contenders.setdefault(event.step, []).append(event)
        stated = (event.cwd, event.env, event.clock_shift_seconds)
        if stated != (step.cwd, tuple(sorted(step.env)), step.clock_shift_seconds):
            yield f"starts {event.step} in another folder, with other variables or at another time than the plan"
        values = self._with_number(event.instance if isinstance(event, ProcessEvent) else 0)
        known = [_expanded(word, values) for word in step.argv]
        same = len(known) == len(event.argv)
        if not same or not all(
            word is None or fits(found, word) for found, word in zip(event.argv, known, strict=True)
        ):
            yield f"starts {event.step} with other words than the plan"

    def _judged(self, event: JudgedEvent) -> Iterator[str]:
        step, ended = self._steps.get(event.step), self._last.get(event.step)
        if isinstance(step, RunStep):
            expectations = {f"{step.id}.{number}": item for number, item in enumerate(step.expect, 1)}
            expectation = expectations.get(event.criterion)
            if expectation is not None and not isinstance(ended, ProcessEvent):
                yield f"judges {event.criterion}, and no process of {event.step} ended before"
            elif expectation is not None and isinstance(ended, ProcessEvent):
                yield from self._differs(event, self._judgement(expectation, ended))
        elif isinstance(step, KillStep) and event.criterion == f"{step.id}.gone":
            stopped = self._last.get(step.target)
            how = ending(stopped.end) if stopped else "nothing"
            if event.observed != how or (event.verdict is Verdict.met and how != _KILLED):
                yield f"{event.criterion} observed {event.observed}, and the end of {step.target} was {how}"

    def _differs(self, event: JudgedEvent, said: Judgement | None) -> Iterator[str]:
        if said is None:
            return
        if (event.verdict is Verdict.met) is not said.met:
            yield f"{event.criterion} is judged as {event.verdict.value}, what the process wrote says otherwise"
        for name, stated, known in (
            ("expected", event.expected, said.expected),
            ("observed", event.observed, said.observed),
        ):
            if not (fits(stated, known) or has_placeholder(known)):
                yield f"{event.criterion} states as {name} {stated!r}, judged again it is {known!r}"

    def _race(self, event: RacedEvent) -> Iterator[str]:
        step = self._steps.get(event.step)
        if not isinstance(step, RaceStep):
            yield f"is a race of {event.step}, which is none in the plan"
            return
        ended = self._contenders.get(event.step, [])
        if (event.contenders, event.expected_winners) != (step.contenders, step.winners) or len(
            ended
        ) != step.contenders:
            yield f"is a race of {event.step} with other contenders than the plan"
            return
        judged = [[self._judgement(item, one) for item in step.winner] for one in ended]
        sure = sum(all(said is not None and said.met for said in one) for one in judged)
        lost = sum(any(said is not None and not said.met for said in one) for one in judged)
        if not sure <= event.winners <= step.contenders - lost:
            yield f"tells of {event.winners} winners, what the contenders wrote says otherwise"

    def _judgement(self, expectation: Expectation, ended: ProcessEvent) -> Judgement | None:
        """The expectation judged again; None where the sealed text does not suffice."""
        values = self._with_number(ended.instance)
        if isinstance(ended.end, NotSpawned | CappedByClock) or not set(placeholders(expectation)) <= values.keys():
            return None
        by_end = isinstance(expectation, ExitCode | ExitNonzero)
        if not by_end and not (is_verbatim(ended.stdout) and is_verbatim(ended.stderr)):
            return None
        return judge(expectation, _Finished(ended.end, _stream(ended.stdout), _stream(ended.stderr)), values)

    def _with_number(self, instance: int) -> dict[str, str]:
        return {**self._values, NUMBER: str(instance or 1)}


def _expanded(template: str, values: Mapping[str, str]) -> str | None:
    """A word as it must stand in the record; None where it holds what only the machine knows."""
    if not set(PLACEHOLDER.findall(template)) <= values.keys():
        return None
    return PLACEHOLDER.sub(lambda found: values[found[1]], template)


def _stream(output: Output) -> _Stream:
    return _Stream(output.text.encode(), output.kept_bytes == output.total_bytes)
