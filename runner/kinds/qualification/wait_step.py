"""The step `wait`: the attempt waits in real time, and no longer than its cap."""

import time

from runner.contract.attempt import ReasonCode
from runner.contract.events import WaitedEvent
from runner.contract.qualification.steps import WaitStep
from runner.kinds.classify import Halt
from runner.kinds.qualification.context import Context


def perform_wait(context: Context, step: WaitStep) -> Halt | None:
    """Wait as long as the step says, or until the attempt's clock runs out."""
    left = max(0, int(context.seconds_left * 1000))
    milliseconds = min(step.milliseconds, left)
    time.sleep(milliseconds / 1000)
    context.journal.note(WaitedEvent(step=step.id, milliseconds=milliseconds))
    return Halt(ReasonCode.wall_cap, step.id) if milliseconds < step.milliseconds else None
