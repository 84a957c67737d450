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
    Event,
    JudgedEvent,
    NotSpawned,
    ProcessEvent,
    RacedEvent,
    StartedEvent,
    StoppedEvent,
)
from runner.contract.plan import Plan
from runner.contract.qualification.judge import Judgement, ending, judge
from runner.contract.qualification.sequence import NUMBER, PLACEHOLDER, expand, placeholders
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
from runner.reading.checks.published import fits, is_verbatim
from runner.reading.checks.replayed import UNREAD, Finished, differences, finished

_REMEDY = "do not rely on this run"
_ROOMS = {name: f"{{{name}}}" for name in ("work", "state", "source")}
"""Placeholders that are published as what they are."""
_KILLED = "signal 9"


class StepsCheck:
    """Holds the events of a run's attempts against its plan. What many attempts share is looked up once."""

    def __init__(self, plan: Plan, data: Callable[[str], bytes]) -> None:
        """`data` reads a sealed file."""
        self._tasks = plan.tasks
        self._data = data
        self._known: dict[tuple[str, str], Mapping[str, _Known]] = {}

    def problems(self, attempt: Attempt, events: Sequence[Event], present: Callable[[str], bool]) -> Iterator[Problem]:
        """Problems between an attempt's events and the steps of its check; what is not `present` is told elsewhere."""
        known = self._steps(attempt.arm, attempt.task)
        if known is None:
            return
        again = _Again(known)
        for number, event in enumerate(events, 1):
            for what in again.see(event):
                yield Problem(attempt.events or "attempts.jsonl", f"line {number}", what, _REMEDY)
        for step in (entry.step for entry in known.values()):
            path = (
                f"artifacts/{attempt.attempt}/{step.publish}.txt" if isinstance(step, RunStep) and step.publish else ""
            )
            if present(path) and self._data(path) != again.printed(step.id).encode():
                yield Problem(path, "", f"is not what the last process of {step.id} printed", _REMEDY)

    def _steps(self, arm: str, task: str) -> Mapping[str, "_Known"] | None:
        """Every step of a check by its id; None where there is none such, which the check of the attempts says."""
        if not isinstance(self._tasks, QualificationTasks):
            return None
        if (arm, task) not in self._known:
            try:
                check = self._tasks.check(arm, task)
            except KeyError:
                return None
            self._known[arm, task] = {step.id: _Known.of(step) for step in check.steps}
        return self._known[arm, task]


@dataclass(frozen=True, slots=True)
class _Asked:
    """One expectation, and the placeholders in it."""

    expectation: Expectation
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Known:
    """One step of the plan, with what follows from it alone."""

    step: Step
    started: tuple[str, tuple[str, ...], int] | None
    """Folder, names of variables and clock shift of its processes; None if it starts none."""
    words: tuple[tuple[str, frozenset[str]], ...]
    """Those of its processes, each with its placeholders."""
    asked: Mapping[str, _Asked]
    """By criterion."""
    wins: tuple[_Asked, ...]

    @classmethod
    def of(cls, step: Step) -> "_Known":
        expectations = step.expect if isinstance(step, RunStep) else ()
        winner = step.winner if isinstance(step, RaceStep) else ()
        return cls(
            step=step,
            started=(step.cwd, tuple(sorted(step.env)), step.clock_shift_seconds)
            if isinstance(step, ProcessStep)
            else None,
            words=tuple((word, frozenset(PLACEHOLDER.findall(word))) for word in step.argv)
            if isinstance(step, ProcessStep)
            else (),
            asked={f"{step.id}.{number}": _asked(item) for number, item in enumerate(expectations, 1)},
            wins=tuple(map(_asked, winner)),
        )


def _asked(expectation: Expectation) -> _Asked:
    return _Asked(expectation, frozenset(placeholders(expectation)))


class _Again:
    """Follows the events of an attempt, and holds each against what came before it."""

    def __init__(self, steps: Mapping[str, _Known]) -> None:
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

    def printed(self, step: str) -> str:
        """The kept output of the step's process that ended last."""
        return self._last[step].stdout.text if step in self._last else ""

    def _process(self, event: ProcessEvent | StartedEvent) -> Iterator[str]:
        known = self._steps.get(event.step)
        if known is None or known.started is None:
            yield f"is of a step {event.step}, which starts no process in the plan"
            return
        instance = 0
        if isinstance(event, ProcessEvent):
            instance = event.instance
            self._last[event.step] = event
            self._contenders.setdefault(event.step, []).append(event)
        if (event.cwd, event.env, event.clock_shift_seconds) != known.started:
            yield f"starts {event.step} in another folder, with other variables or at another time than the plan"
        values = self._with_number(instance)
        if len(known.words) != len(event.argv) or not all(
            not needs <= values.keys() or fits(found, expand(word, values))
            for found, (word, needs) in zip(event.argv, known.words, strict=True)
        ):
            yield f"starts {event.step} with other words than the plan"

    def _judged(self, event: JudgedEvent) -> Iterator[str]:
        known, ended = self._steps.get(event.step), self._last.get(event.step)
        if known is None:
            return
        if (asked := known.asked.get(event.criterion)) is not None:
            if isinstance(ended, ProcessEvent):
                said = self._judgement(asked, ended)
                yield from () if said is None else differences(event, said)
            else:
                yield f"judges {event.criterion}, and no process of {event.step} ended before"
        elif isinstance(known.step, KillStep) and event.criterion == f"{event.step}.gone":
            target = known.step.target
            how = ending(self._last[target].end) if target in self._last else "nothing"
            if event.observed != how or (event.verdict is Verdict.met and how != _KILLED):
                yield f"{event.criterion} observed {event.observed}, and the end of {target} was {how}"

    def _race(self, event: RacedEvent) -> Iterator[str]:
        known = self._steps.get(event.step)
        step = known.step if known else None
        if known is None or not isinstance(step, RaceStep):
            yield f"is a race of {event.step}, which is none in the plan"
            return
        ended = self._contenders.get(event.step, [])
        stated = (event.contenders, event.expected_winners, len(ended))
        if stated != (step.contenders, step.winners, step.contenders):
            yield f"is a race of {event.step} with other contenders than the plan"
            return
        judged = [[self._judgement(item, one) for item in known.wins] for one in ended]
        sure = sum(all(said is not None and said.met for said in one) for one in judged)
        lost = sum(any(said is not None and not said.met for said in one) for one in judged)
        if not sure <= event.winners <= step.contenders - lost:
            yield f"tells of {event.winners} winners, what the contenders wrote says otherwise"

    def _judgement(self, asked: _Asked, ended: ProcessEvent) -> Judgement | None:
        """The expectation judged again; None where the sealed text does not suffice."""
        values = self._with_number(ended.instance)
        if isinstance(ended.end, NotSpawned | CappedByClock) or not asked.needs <= values.keys():
            return None
        if isinstance(asked.expectation, ExitCode | ExitNonzero):
            return judge(asked.expectation, Finished(ended.end, UNREAD, UNREAD), values)
        if not (is_verbatim(ended.stdout) and is_verbatim(ended.stderr)):
            return None
        return judge(asked.expectation, finished(ended), values)

    def _with_number(self, instance: int) -> Mapping[str, str]:
        self._values[NUMBER] = str(instance or 1)
        return self._values
