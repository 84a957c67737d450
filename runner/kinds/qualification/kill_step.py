"""The step `kill`, and the end of everything that an attempt has left running."""

from typing import Literal

from runner.contract.attempt import ReasonCode, Verdict
from runner.contract.events import KilledEvent, NotSpawned, Signalled, StoppedEvent
from runner.contract.qualification.judge import Judgement, ending
from runner.contract.qualification.steps import KillStep
from runner.kinds.classify import Halt
from runner.kinds.qualification.context import Context
from runner.sandbox.process import Finished
from runner.sandbox.process_table import look

SIGKILL = 9


def perform_kill(context: Context, step: KillStep) -> Halt | None:
    """SIGKILL the process that `target` started. Its own children, if any, are not touched."""
    launch = context.left_running.pop(step.target)
    assert not isinstance(launch.process, NotSpawned)  # noqa: S101 -- a halt came before
    criterion = f"{step.id}.gone"
    before = launch.process.finished
    finished = before or launch.process.kill()
    killed = before is None and finished.end == Signalled(signal=SIGKILL)
    if killed:
        context.kills += 1
        gone = look(launch.process.pid) is None  # it was waited for, so its entry is gone as well
        context.journal.note(KilledEvent(step=step.id, target=step.target, gone=gone))
    _note_stop(context, step.target, "kill" if killed else "itself", finished)
    said = Judgement(met=killed, expected="SIGKILL ends it", observed=ending(finished.end))
    context.judged(step.id, criterion, Verdict.met if killed else Verdict.not_reached, said)
    # A victim that had ended by itself was not killed at its boundary: the crash did not happen.
    return None if killed else Halt(ReasonCode.boundary_not_reached, criterion)


def stop_what_is_left_running(context: Context) -> None:
    """End the processes of `start` and `service` steps, with all that still hangs below them."""
    for step, launch in context.left_running.items():
        if isinstance(launch.process, NotSpawned):
            continue
        before = launch.process.finished
        if before is None:
            context.custody.stop(launch.process)
        finished = launch.process.kill()
        _note_stop(context, step, "itself" if before else "attempt-end", finished)
    context.left_running.clear()


def _note_stop(context: Context, step: str, by: Literal["itself", "kill", "attempt-end"], finished: Finished) -> None:
    context.journal.note(
        StoppedEvent(
            step=step,
            by=by,
            end=finished.end,
            stdout=context.journal.output(finished.stdout),
            stderr=context.journal.output(finished.stderr),
        )
    )
