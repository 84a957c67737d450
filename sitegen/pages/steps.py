"""A check's steps in words, as its task file freezes them."""

from dataclasses import dataclass
from typing import assert_never

from runner.contract.canonical import encode
from runner.contract.qualification.steps import (
    AtFile,
    AtOutput,
    AtStatement,
    Boundary,
    ExitCode,
    ExitNonzero,
    Expectation,
    JsonAbsent,
    JsonCount,
    JsonDiffers,
    JsonEquals,
    KillStep,
    OutputHolds,
    OutputLacks,
    ProcessStep,
    RaceStep,
    RunStep,
    Scalar,
    ServiceStep,
    StartStep,
    Step,
    WaitStep,
)
from sitegen import figures
from sitegen.pages.edition import Edition
from sitegen.pages.wording import command


@dataclass(frozen=True, slots=True)
class StepView:
    """One step: what is done, the command, and what is expected of it."""

    id: str
    title: str
    argv: str
    notes: tuple[str, ...]
    expectations: tuple[str, ...]


def step_view(step: Step, edition: Edition) -> StepView:
    """The step in the edition's words."""
    say = edition.say
    match step:
        case RunStep():
            title = say("step.run-many", times=step.repeat) if step.repeat > 1 else say("step.run")
            notes = list(_surroundings(step, edition))
            notes += [say("step.captures", name=item.name, at=item.at or "/") for item in step.capture]
            if step.publish:
                notes.append(say("step.publishes", name=step.publish))
            expected = tuple(_expectation(item, edition) for item in step.expect)
            return StepView(step.id, title, command(step.argv), tuple(notes), expected)
        case RaceStep():
            title = say("step.race", contenders=step.contenders, winners=step.winners)
            winner = tuple(say("step.winner", what=_expectation(item, edition)) for item in step.winner)
            return StepView(step.id, title, command(step.argv), _surroundings(step, edition), winner)
        case StartStep():
            title = say("step.start", boundary=_boundary(step.boundary, edition))
            return StepView(step.id, title, command(step.argv), _surroundings(step, edition), ())
        case ServiceStep():
            title = say("step.service", port=step.port)
            return StepView(step.id, title, command(step.argv), _surroundings(step, edition), ())
        case KillStep():
            return StepView(step.id, say("step.kill", target=step.target), "", (), ())
        case WaitStep():
            span = figures.duration(step.milliseconds * 1_000_000, edition.catalog)
            return StepView(step.id, say("step.wait", span=span), "", (edition.words(step.why),), ())
        case _:
            assert_never(step)


def _surroundings(step: ProcessStep, edition: Edition) -> tuple[str, ...]:
    notes = []
    if step.setup:
        notes.append(edition.say("step.setup"))
    if step.cwd != ".":
        notes.append(edition.say("event.cwd", cwd=step.cwd))
    if step.env:
        notes.append(edition.say("event.env", names=", ".join(f"{name}={value}" for name, value in step.env.items())))
    if step.clock_shift_seconds:
        notes.append(edition.say("event.clock-shift", seconds=f"{step.clock_shift_seconds:+d}"))
    if step.seconds is not None:
        span = figures.duration(step.seconds * 1_000_000_000, edition.catalog)
        notes.append(edition.say("step.own-cap", span=span))
    return tuple(notes)


def _boundary(boundary: Boundary, edition: Edition) -> str:
    match boundary:
        case AtStatement():
            return edition.say(
                f"boundary.{boundary.moment}", statement=boundary.statement, occurrence=boundary.occurrence
            )
        case AtOutput():
            return edition.say("boundary.output", text=boundary.text)
        case AtFile():
            return edition.say("boundary.file", path=boundary.path)
        case _:
            assert_never(boundary)


def _expectation(item: Expectation, edition: Edition) -> str:
    say = edition.say
    match item:
        case ExitCode():
            said = say("expect.exit", code=item.code)
        case ExitNonzero():
            said = say("expect.exit-nonzero")
        case OutputHolds():
            said = say("expect.holds", stream=say(f"stream.{item.stream}"), text=item.text)
        case OutputLacks():
            said = say("expect.lacks", text=item.text)
        case JsonEquals():
            said = say("expect.json", at=item.at or "/", value=_scalar(item.value))
        case JsonDiffers():
            said = say("expect.json-differs", at=item.at or "/", value=_scalar(item.value))
        case JsonAbsent():
            said = say("expect.json-absent", at=item.at or "/")
        case JsonCount():
            where = ", ".join(f"{at} = {_scalar(value)}" for at, value in item.where.items())
            key = "expect.json-count-where" if where else "expect.json-count"
            values = {"where": where} if where else {}
            said = say(key, at=item.at or "/", count=item.count, **values)
        case _:
            assert_never(item)
    return said


def _scalar(value: Scalar) -> str:
    return encode(value).decode()
