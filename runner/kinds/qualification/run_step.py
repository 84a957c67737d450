"""The step `run`: a process runs to its end and is judged."""

from runner.contract.attempt import ReasonCode, Verdict
from runner.contract.events import CappedByClock, CapturedEvent, NotSpawned
from runner.contract.qualification.judge import judge_all, scalar_text, value_at
from runner.contract.qualification.steps import RunStep
from runner.kinds.classify import Halt
from runner.kinds.qualification.context import Context, failure
from runner.sandbox.process import Finished


def perform_run(context: Context, step: RunStep) -> Halt | None:
    """Run it as often as the step says; all expectations of each repetition are judged."""
    for number in range(1, step.repeat + 1):
        if (halt := _once(context, step, number)) is not None:
            return halt
    return None


def _once(context: Context, step: RunStep, number: int) -> Halt | None:
    seconds = context.seconds_for(step)
    if seconds <= 0:
        return Halt(ReasonCode.wall_cap, step.id)
    launch = context.launch(step, number)
    instance = number if step.repeat > 1 else 0
    if isinstance(launch.process, NotSpawned):
        context.note_process(step, instance, launch, Finished(launch.process))
        return Halt(ReasonCode.process_not_started, step.id)
    finished = launch.process.wait(seconds) or launch.process.kill(capped=True)
    context.note_process(step, instance, launch, finished)
    if isinstance(finished.end, CappedByClock):
        return Halt(ReasonCode.wall_cap, step.id)
    return context.unheard(step, launch) or _judge(context, step, number, finished) or _capture(context, step, finished)


def _judge(context: Context, step: RunStep, number: int, finished: Finished) -> Halt | None:
    halt = None
    instance = number if step.repeat > 1 else 0
    values = {**context.values, "i": str(number)}
    for position, said in enumerate(judge_all(step.expect, finished, values), 1):
        criterion = f"{step.id}.{position}"
        verdict = Verdict.met if said.met else Verdict.not_met
        context.judged(step.id, criterion, verdict, said, instance=instance)
        if not said.met:
            halt = halt or failure(step, criterion)
    if step.publish:
        context.artifacts[f"{step.publish}.txt"] = context.journal.text(finished.stdout.text).encode()
    return halt


def _capture(context: Context, step: RunStep, finished: Finished) -> Halt | None:
    for capture in step.capture:
        value = scalar_text(value_at(finished, capture.at))
        if value is None:
            # No expectation asked for it, so that its absence says nothing about the subject.
            return Halt(ReasonCode.setup_step_failed, step.id)
        context.values[capture.name] = value
        context.journal.note(CapturedEvent(step=step.id, name=capture.name, value=context.journal.text(value)))
    return None
