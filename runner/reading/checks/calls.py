"""Whether the processes of a parity attempt are the calls of its scenario, and each is judged as it ended.

What a call wrote is judged again wherever the sealed text is whole and nothing was replaced in it, and how it ended
always.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from runner.contract.attempt import Attempt
from runner.contract.errors import Problem
from runner.contract.events import CappedByClock, Event, JudgedEvent, NotSpawned, ProcessEvent
from runner.contract.parity.design import MUTANT, ParityDesign
from runner.contract.parity.detail import VariantDetail
from runner.contract.parity.happenings import MutantJudgedEvent
from runner.contract.parity.judge import judge_call
from runner.contract.parity.tasks import (
    DAEMON_STOPPED,
    AskStep,
    CallStep,
    EditStep,
    RestartStep,
    Scenario,
    StopStep,
)
from runner.contract.qualification.judge import Judgement
from runner.contract.values import twice
from runner.reading.checks.published import fits, is_verbatim
from runner.reading.checks.replayed import differences, finished, is_whole

_REMEDY = "do not rely on this run"
_INTERPRETER = ("{env}/bin/python", "-P")
"""With what every call begins, as it is published."""
_FOLDER = "project"


@dataclass(frozen=True, slots=True)
class Calls:
    """The processes that a scenario asks for in one backend, in order. Make it of what `tasks.row` gives."""

    design: ParityDesign
    backend: str
    scenario: Scenario

    def words(self, step: str) -> tuple[str, ...] | None:
        """The words of a step's process, as they are published; None if the step starts none."""
        args = self._arguments.get(step)
        return None if args is None else self.published(args)

    def published(self, args: tuple[str, ...]) -> tuple[str, ...]:
        """The words of a process with these arguments, as they are published."""
        backend = self.design.backend(self.backend).args
        found = [word for arg in args for word in (backend if arg == "{backend}" else (arg,))]
        return (*_INTERPRETER, *found)

    @property
    def asked(self) -> tuple[CallStep | AskStep, ...]:
        """The steps whose process is judged by its end and its output."""
        return tuple(step for step in self.scenario.steps if isinstance(step, CallStep | AskStep))

    @property
    def order(self) -> tuple[str, ...]:
        """The steps that may start a process, and the end of the attempt, which stops the daemon."""
        steps = [step.id for step in self.scenario.steps if not isinstance(step, EditStep)]
        return (*steps, DAEMON_STOPPED)

    @property
    def _arguments(self) -> dict[str, tuple[str, ...]]:
        daemon = self.design.daemon
        found = {DAEMON_STOPPED: daemon.stop} if daemon else {}
        for step in self.scenario.steps:
            if isinstance(step, CallStep):
                found[step.id] = step.args
            elif daemon and isinstance(step, AskStep):
                found[step.id] = daemon.ask
            elif daemon and isinstance(step, RestartStep | StopStep):
                found[step.id] = daemon.stop
        return found


def are_performed(calls: Calls, events: Sequence[Event]) -> bool:
    """Whether every call of the scenario was made and ended: what halts an attempt is a call that did not."""
    ended = {event.step for event in events if isinstance(event, ProcessEvent) and _has_ended(event)}
    return all(step.id in ended for step in calls.asked)


def check_calls(attempt: Attempt, events: Sequence[Event], calls: Calls) -> Iterator[Problem]:
    """Problems between the events of a variant or the mutant and the scenario."""
    file = attempt.events or "attempts.jsonl"
    judging = MutantJudgedEvent if attempt.arm == MUTANT else JudgedEvent
    steps = {step.id: step for step in calls.asked}
    for number, event in enumerate(events, 1):
        if not isinstance(event, ProcessEvent):
            continue
        found = [*started(event, calls.words(event.step), calls)]
        if event.step in steps and _has_ended(event):
            found += _followed(steps[event.step], event, events[number:], judging)
        for what in found:
            yield Problem(file, f"line {number}", what, _REMEDY)
    yield from (Problem(file, "", what, _REMEDY) for what in _together(attempt, events, calls))


def started(event: ProcessEvent, words: tuple[str, ...] | None, calls: Calls) -> Iterator[str]:
    """What of a process is not as the plan starts it, with these words; None where it starts none so called."""
    if words is None:
        yield f"is of a step {event.step}, which starts no process in the plan"
        return
    env = tuple(sorted(item.name for item in calls.design.variables))
    if (event.cwd, event.env, event.clock_shift_seconds, event.instance) != (_FOLDER, env, 0, 0):
        yield f"starts {event.step} in another folder, with other variables or at another time than the plan"
    if not fits(list(event.argv), list(words)):
        yield f"starts {event.step} with other words than the plan"


def _followed(
    step: CallStep | AskStep,
    event: ProcessEvent,
    after: Sequence[Event],
    judging: type[JudgedEvent] | type[MutantJudgedEvent],
) -> Iterator[str]:
    """What of the judgements right after a call is not what the call gives."""
    again = dict(_judged_again(step, event))
    found = after[: len(again)]
    names = [item.criterion for item in found if isinstance(item, judging) and item.step == step.id]
    if names != list(again):
        yield f"is a call of {step.id}, and what follows does not judge {', '.join(again)}"
        return
    for item in found:
        assert isinstance(item, JudgedEvent | MutantJudgedEvent)  # noqa: S101 -- by the names above
        said = again[item.criterion]
        yield from () if said is None else differences(item, said)


def _judged_again(step: CallStep | AskStep, event: ProcessEvent) -> Iterator[tuple[str, Judgement | None]]:
    """Every criterion of a call with its judgement; None where the sealed text does not suffice."""
    text = is_verbatim(event.stdout), is_verbatim(event.stderr)
    known = {
        f"{step.id}.exit": True,
        f"{step.id}.records": text[0]
        or not is_whole(event.stdout),  # a cut output is no list of records, whatever it says
        f"{step.id}.holds": all(text),
    }
    for criterion, said in judge_call(step, finished(event)):
        yield criterion, said if known[criterion] else None
    if step.keeps_state:
        yield f"{step.id}.state-kept", None


def _together(attempt: Attempt, events: Sequence[Event], calls: Calls) -> Iterator[str]:
    """What no single event is wrong in: order, repetition, counts."""
    processes = [event for event in events if isinstance(event, ProcessEvent)]
    asked = [step.id for step in calls.asked]
    made = [event.step for event in processes if event.step in asked]
    places = [calls.order.index(event.step) for event in processes if event.step in calls.order]
    if made != asked[: len(made)] or places != sorted(set(places)):
        yield "does not make the calls of the scenario once each and in their order"
    judged = [event for event in events if isinstance(event, JudgedEvent | MutantJudgedEvent)]
    for kind in (JudgedEvent, MutantJudgedEvent):
        if again := twice(event.criterion for event in judged if isinstance(event, kind)):
            yield f"judges {', '.join(again)} twice"
    steps = {step.id: step for step in calls.asked}
    borne_out = {
        criterion
        for event in processes
        if event.step in steps and _has_ended(event)
        for criterion, _ in _judged_again(steps[event.step], event)
    }
    if idle := sorted({event.criterion for event in judged if event.step in steps} - borne_out):
        yield f"judges {', '.join(idle)}, and no such call ended before"
    what = attempt.detail.what if attempt.detail.kind == "parity" else None
    if isinstance(what, VariantDetail):
        restarts = {step.id for step in calls.scenario.steps if isinstance(step, RestartStep)}
        asks = {step.id for step in calls.asked if isinstance(step, AskStep)}
        counted = (
            sum(not isinstance(event.end, NotSpawned) for event in processes),
            sum(event.step in asks and _has_ended(event) for event in processes),
            sum(event.criterion == f"{step}.stopped" for event in judged for step in restarts),
        )
        if (stated := (what.calls, what.asked, what.restarts)) != counted:
            yield f"tells of calls, requests and restarts {counted}, attempts.jsonl states {stated}"


def _has_ended(event: ProcessEvent) -> bool:
    return not isinstance(event.end, NotSpawned | CappedByClock)
