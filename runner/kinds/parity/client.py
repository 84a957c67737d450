"""Many requests to a running daemon over its own socket, each timed by a pinned program that knows how to ask it."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from runner.contract.events import Exited
from runner.contract.parity.design import Daemon
from runner.contract.parity.samples import Failed, Taken
from runner.contract.values import Count, Nanoseconds, Record, Sha256
from runner.kinds.parity.sampling import Answers
from runner.kinds.parity.stage import Stage

_LINE_BYTES = 2000
"""Above what the client says of one request."""
_SHOWN = 300


class _Process(Record):
    """The daemon's process, as its receipt names it: the first line and the last."""

    pid: Count | None


class _Answer(Record):
    """One request that was answered."""

    ns: Nanoseconds
    sha256: Sha256
    status: Count
    """What the command would have ended with."""


class _Fault(Record):
    """One request that was not."""

    error: str


_LINE: TypeAdapter[_Process | _Answer | _Fault] = TypeAdapter(_Process | _Answer | _Fault)


@dataclass(frozen=True, slots=True)
class Replies:
    """What came of the requests."""

    samples: tuple[Taken | Failed, ...]
    processes: tuple[int, ...]
    """The daemon's process by the receipt, before the first request and after the last; 0 where it named none."""


@dataclass(frozen=True, slots=True)
class Client:
    """The pinned program, laid out."""

    stage: Stage
    daemon: Daemon
    request: tuple[str, ...]
    """What one request asks, as the protocol freezes it."""
    backend: str
    file: Path

    def ask(self, step: str, count: int, answers: Answers) -> Replies:
        """Send so many requests one after the other. Each is a sample, whatever becomes of it, and none is sent again.

        Raises ValueError if the client sends more.
        """
        stage = self.stage
        receipt = str(stage.run / self.daemon.receipt)
        args = (str(self.file), receipt, str(count), "--", *stage.arguments(self.request, self.backend))
        request = stage.request(args, stage.environment(step), (count + 2) * _LINE_BYTES)
        finished = stage.finish(stage.start(request), float(stage.caps.process_seconds * count))
        if finished.end != Exited(code=0):
            stage.record(step, request, finished)
        samples: list[Taken | Failed] = []
        processes: list[int] = []
        for line in finished.stdout.kept.splitlines():
            try:
                told = _LINE.validate_json(line)
            except ValidationError:
                samples.append(Failed(why="the client told it in a form that nobody knows"))
                continue
            match told:
                case _Process(pid=pid):
                    processes.append(pid or 0)
                case _Answer(ns=ns, sha256=sha256, status=status):
                    samples.append(answers.of_answer(ns, status, sha256))
                case _Fault(error=error):
                    samples.append(Failed(why=f"not answered: {stage.journal.text(error)[:_SHOWN]}"))
        if len(samples) > count:
            raise ValueError(f"the client told of {len(samples)} requests, {count} were asked for")
        rest = Failed(why="never sent, or not told of by the client")
        return Replies((*samples, *[rest] * (count - len(samples))), tuple(processes))
