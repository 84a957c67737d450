"""One timed call of the software, and what makes it a sample."""

import gc
from dataclasses import dataclass, replace

from runner.contract.events import CappedByClock, Exited, NotSpawned, Signalled
from runner.contract.parity.samples import Failed, Taken
from runner.kinds.parity.scenario import digest_of
from runner.kinds.parity.stage import Stage
from runner.sandbox.process import Finished, ProcessRequest


@dataclass(frozen=True, slots=True)
class TimedCall:
    """A call that has ended."""

    ns: int
    """From right before its start until its end was seen, by a monotonic clock; 0 for one that could not be started."""
    finished: Finished


def time_call(stage: Stage, request: ProcessRequest) -> TimedCall:
    """Start the software and wait for its end. What lasts too long is ended, with all that it started."""
    seconds = min(float(stage.caps.process_seconds), stage.seconds_left)
    # No collection of ours falls into the time of the software.
    gc.disable()
    try:
        process = stage.start(request)
        if isinstance(process, NotSpawned):
            return TimedCall(0, Finished(process))
        finished = process.wait(seconds)
    finally:
        gc.enable()
    if finished is None:
        stage.custody.stop(process)
        finished = replace(process.kill(), end=CappedByClock())
    return TimedCall(process.lasted_ns or 0, finished)


@dataclass(slots=True)
class Answers:
    """Makes samples of what one variant answers to one measure: it ends as expected, and always says the same."""

    status: int
    """The expected exit status."""
    _first: str = ""

    def of_call(self, call: TimedCall) -> Taken | Failed:
        """The sample that a call is."""
        match call.finished.end:
            case Exited(code=code):
                return self.of_answer(call.ns, code, digest_of(call.finished))
            case Signalled(signal=number):
                return Failed(why=f"ended by signal {number}, expected is exit {self.status}")
            case CappedByClock():
                return Failed(why="ended by the clock: it took longer than it may")
            case NotSpawned(why=why):
                return Failed(why=f"could not be started: {why}")

    def of_answer(self, ns: int, status: int, sha256: str) -> Taken | Failed:
        """The sample that an answer is, whichever way it came."""
        if status != self.status:
            return Failed(why=f"exit {status}, expected is exit {self.status}")
        self._first = self._first or sha256
        return Taken(ns=ns, sha256=sha256) if sha256 == self._first else Failed(why="answered otherwise than the first")
