"""Brings project and durable state of one variant to where the timed command begins, outside of all that is timed."""

from typing import assert_never

from runner.contract.attempt import ReasonCode
from runner.contract.events import CappedByClock, NotSpawned
from runner.contract.parity.judge import judge_call
from runner.contract.parity.measurement import step_of
from runner.contract.parity.tasks import AskStep, CallStep, EditStep, RestartStep, Scenario, StopStep
from runner.contract.parity.variant import AnyVariant
from runner.kinds.classify import Halt
from runner.kinds.parity.stage import Stage, epoch


def seed(stage: Stage, variant: AnyVariant, backend: str, scenario: Scenario, command: str) -> Halt | None:
    """Perform the calls and edits before the step `command`, with the variant that lies on the stage.

    No daemon is asked: what one leaves behind is not what is timed. Returns why there is nothing to measure, or None.
    """
    edits = 0
    for step in scenario.steps:
        if step.id == command:
            break
        match step:
            case CallStep():
                finished = stage.call(step_of(variant.id, step.id), stage.arguments(step.args, backend))
                if isinstance(finished.end, NotSpawned):
                    return Halt(ReasonCode.process_not_started, step.id)
                if isinstance(finished.end, CappedByClock):
                    return Halt(ReasonCode.wall_cap, step.id)
                if not all(said.met for _, said in judge_call(step, finished)):
                    return Halt(ReasonCode.setup_step_failed, step.id)
            case EditStep():
                edits += 1
                stage.lay(stage.tasks.below(step.files), epoch(stage.design.file_time) + edits)
            case AskStep() | RestartStep() | StopStep():
                pass
            case _:
                assert_never(step)
    return None


def asked_cold(scenario: Scenario) -> AskStep:
    """The step that states what a freshly started daemon answers. Raises StopIteration where nothing restarts it."""
    restart = max(place for place, step in enumerate(scenario.steps) if isinstance(step, RestartStep))
    return next(step for step in scenario.steps[restart:] if isinstance(step, AskStep))
