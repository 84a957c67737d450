"""Uses the tools that a model calls: reads of the workspace here, operations through the runner.

An operation on a file that the model has read carries the digest of what it read, so that one on a file which changed
since is turned down as stale until it is read again. What the model's own operations change does not make stale.
"""

from collections.abc import Generator

from runner.backends.backend import Reply, ToolUse
from runner.backends.conversation import Called
from runner.backends.tools import ListFiles, Operate, ReadFile, ReportStale, WrongCall, meaning
from runner.contract.comparison.actions import (
    Action,
    FailedAttemptAction,
    InspectionAction,
    StaleFailureAction,
    StaleRecoveryAction,
    ToolCallAction,
)
from runner.contract.comparison.design import Interface
from runner.contract.seal import digest
from runner.sandbox.containment import Contained, Refused
from runner.sandbox.snapshot import What, snapshot

_MOST_BYTES = 1024 * 1024
Using = Generator[Action | ToolUse, Reply, str]
"""Yields what happens, is sent what became of it, and returns what the model is told."""


class Hands:
    """What one conversation can do to one workspace."""

    def __init__(self, interface: Interface, files: Contained, *, marks_inspection: bool) -> None:
        """`marks_inspection` is whether the runner wants to know of the first file that was read."""
        self._interface = interface
        self._files = files
        self._marks_inspection = marks_inspection
        self._seen: dict[str, str] = {}
        self._reported = False

    def use(self, called: Called) -> Using:
        """Use one tool."""
        wanted = meaning(called.name, called.arguments, self._interface, self._seen)
        sent = len(called.arguments.encode("utf-8", "backslashreplace"))
        if isinstance(wanted, Operate):
            return (yield from self._operate(wanted, _slug(called.name), sent))
        told, failed = self._look(wanted)
        tool = "wrong-call" if isinstance(wanted, WrongCall) else _slug(called.name)
        yield ToolCallAction(tool=tool, request_bytes=sent, response_bytes=len(told.encode()))
        if isinstance(wanted, ReportStale):
            self._reported = True
            yield StaleFailureAction()
        if failed:
            yield FailedAttemptAction()
        elif isinstance(wanted, ReadFile) and self._marks_inspection:
            self._marks_inspection = False
            yield InspectionAction()
        return told

    def _operate(self, wanted: Operate, tool: str, sent: int) -> Using:
        action = ToolCallAction(tool=tool, request_bytes=sent, response_bytes=0, operation=wanted.operation)
        known = [path for path, seen in self._seen.items() if self._digest(path) == seen]
        reply = yield ToolUse(action, _answered)
        if reply.done:
            self._seen |= {path: self._digest(path) for path in known}
            if self._reported:
                self._reported = False
                yield StaleRecoveryAction()
        return _answered(reply)

    def _digest(self, path: str) -> str:
        """Of the file as it is now; of no bytes where it cannot be read: no operation on it is done then either."""
        data = self._files.read(path, _MOST_BYTES)
        return digest(b"" if isinstance(data, Refused) else data)

    def _look(self, wanted: ListFiles | ReadFile | ReportStale | WrongCall) -> tuple[str, bool]:
        """What the model is told of a call that changes nothing, and whether the call failed."""
        match wanted:
            case ListFiles():
                files = (seen.path for seen in snapshot(self._files).entries if seen.what is What.file)
                return "\n".join(files), False
            case ReadFile(path=path):
                data = self._files.read(path, _MOST_BYTES)
                if isinstance(data, Refused):
                    return f"not read: {data.why.value}", True
                self._seen[path] = digest(data)
                return data.decode("utf-8", "backslashreplace"), False
            case ReportStale():
                return "noted", False
            case WrongCall(why=why):
                return f"not done: {why}", True


def _answered(reply: Reply) -> str:
    return "done" if reply.done else f"not done: {reply.said}"


def _slug(name: str) -> str:
    return name.replace("_", "-")
