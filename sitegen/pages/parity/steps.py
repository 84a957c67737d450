"""The steps of a scenario in words, as its file freezes them: the same for every variant."""

from collections.abc import Iterator
from typing import assert_never

from runner.contract.canonical import encode
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.tasks import AskStep, CallStep, EditStep, RestartStep, Step, StopStep
from sitegen.pages.edition import Edition
from sitegen.pages.steps import StepView
from sitegen.pages.wording import command

INTERPRETER = ("python", "-P")
"""What every call of the software begins with."""


def parity_step(edition: Edition, design: ParityDesign, step: Step) -> StepView:
    """The step in the edition's words."""
    say = edition.say
    match step:
        case CallStep():
            argv, told = command((*INTERPRETER, *step.args)), _expected(edition, step)
            return StepView(step.id, say("parity.step-call"), argv, (), tuple(told))
        case AskStep():
            argv = command((*INTERPRETER, *design.daemon.ask)) if design.daemon else ""
            return StepView(step.id, say("parity.step-ask"), argv, (), tuple(_expected(edition, step)))
        case EditStep():
            return StepView(step.id, say("parity.step-edit", folder=step.files), "", (), ())
        case RestartStep() | StopStep():
            argv = command((*INTERPRETER, *design.daemon.stop)) if design.daemon else ""
            another = (say("parity.expect-new-process"),) if isinstance(step, RestartStep) else ()
            return StepView(
                step.id, say(f"parity.step-{step.step}"), argv, (), (say("parity.expect-stopped"), *another)
            )
        case _:
            assert_never(step)


def _expected(edition: Edition, step: CallStep | AskStep) -> Iterator[str]:
    say, expect = edition.say, step.expect
    yield say("expect.exit", code=expect.exit)
    if expect.records is not None:
        yield say("parity.expect-records", n=len(expect.records))
        for members in expect.records:
            yield encode(members).decode()
    for text in expect.holds:
        yield say("expect.holds", stream=say("stream.either"), text=text)
    if step.keeps_state:
        yield say("parity.expect-state-kept")
