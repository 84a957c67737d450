"""Processes of the runner's own that work for it side by side, each on one thing at a time. None outlives it.

They are fresh interpreters: nothing that the runner holds open is open in them. Each ends with the runner, however that
ends, and then the runner's guardian ends what it had started.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from types import FrameType, TracebackType
from typing import Generic, Self, TypeVar

from runner.errors import RunnerError, SandboxError

Task = TypeVar("Task")
Made = TypeVar("Made")

_PR_SET_PDEATHSIG = 1
_TIDY_SECONDS = 30.0
"""As long a process that is told to stop may take to end what it has started."""
_NEW = multiprocessing.get_context("spawn")


class Crew(Generic[Task, Made]):
    """So many processes, each of which does what `make(*given)` returns to one task after the other.

    What goes in and comes out is pickled. A `RunnerError` that a task raises is raised by `next`.
    """

    def __init__(self, number: int, make: Callable[..., Callable[[Task], Made]], *given: object) -> None:
        self._members: dict[Connection, multiprocessing.process.BaseProcess] = {}
        self._busy: list[Connection] = []
        try:
            for _ in range(number):
                ours, theirs = _NEW.Pipe()
                member = _NEW.Process(target=_serve, args=(theirs, os.getpid(), make, given), daemon=True)
                self._members[ours] = member
                member.start()
                theirs.close()  # so that the end of the process is the end of the pipe
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def free(self) -> int:
        """How many have nothing to do."""
        return len(self._members) - len(self._busy)

    @property
    def busy(self) -> int:
        """How many are at work."""
        return len(self._busy)

    def give(self, task: Task) -> None:
        """Have one that is free begin with a task. Raises ValueError if none is, `SandboxError` if it has gone."""
        pipe = next((pipe for pipe in self._members if pipe not in self._busy), None)
        if pipe is None:
            raise ValueError("all are busy")
        self._busy.append(pipe)
        try:
            pipe.send(task)
        except OSError as error:
            raise _gone(self._members[pipe]) from error

    def next(self) -> Made:
        """What the first to be ready has made. Raises what the task raised, or `SandboxError` if its process ended."""
        if not self._busy:
            raise ValueError("nobody is busy")
        pipe = next(found for found in wait(self._busy) if isinstance(found, Connection))
        self._busy.remove(pipe)
        try:
            made, error = pipe.recv()
        except (EOFError, OSError) as gone:
            raise _gone(self._members[pipe]) from gone
        if error is not None:
            raise error
        result: Made = made
        return result

    def close(self) -> None:
        """End all of them; one that is at work first ends what it has started."""
        for pipe, member in self._members.items():
            if pipe in self._busy and member.pid is not None:
                member.terminate()
            pipe.close()  # whoever has nothing to do ends by that
        for member in self._members.values():
            if member.pid is None:
                continue
            member.join(_TIDY_SECONDS)
            if member.is_alive():
                member.kill()
                member.join()
            member.close()
        self._members.clear()
        self._busy.clear()


def _gone(member: multiprocessing.process.BaseProcess) -> SandboxError:
    member.join(1.0)
    what = f"a process of the runner's own ended by itself (exit status {member.exitcode})"
    return SandboxError(what, "look at memory and at what it said; the same command resumes the run")


def _serve(
    pipe: Connection, runner: int, make: Callable[..., Callable[[Task], Made]], given: tuple[object, ...]
) -> None:
    """Be one of the crew: do what comes through the pipe until nothing more can come."""
    # Ctrl-C on a terminal reaches every process of the group; the runner alone decides what follows from it. What is
    # ignored would stay ignored in all that an attempt starts, which a handler of ours does not.
    signal.signal(signal.SIGINT, _leave_it_to_the_runner)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(EOFError, OSError, KeyboardInterrupt):
        _end_with(runner)
        do = make(*given)
        while True:
            task = pipe.recv()
            try:
                answer: tuple[Made | None, RunnerError | None] = (do(task), None)
            except RunnerError as error:
                answer = (None, error)
            pipe.send(answer)


def _end_with(runner: int) -> None:
    """Have the kernel end this process when the runner's ends."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != runner:  # it had ended before the kernel was asked
        sys.exit(1)


def _leave_it_to_the_runner(number: int, frame: FrameType | None) -> None:
    del number, frame
