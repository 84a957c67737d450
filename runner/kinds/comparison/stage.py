"""The workspace of one attempt while an agent acts in it: carries out what is allowed, and applies the drift once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from runner.contract.comparison.actions import (
    Action,
    InspectionAction,
    Operation,
    Performed,
    ReplaceText,
    SymbolOperation,
    ToolCallAction,
    WriteText,
)
from runner.contract.comparison.design import AvailableLane, Interface
from runner.contract.comparison.happenings import DriftedEvent
from runner.contract.comparison.patch import Hunk, parse_hunk
from runner.contract.comparison.tasks import ComparisonTask, ComparisonTasks, PatchDrift
from runner.contract.seal import digest
from runner.errors import SandboxError
from runner.kinds.comparison.symbols import OperationError, refactored
from runner.sandbox.containment import Contained, Refusal, Refused
from runner.sandbox.snapshot import Snapshot, What, name_of, snapshot
from runner.sandbox.workspace import private_child

Result = Literal["noted", "done", "stale", "turned-down", "forbidden"]

MOST_BYTES = 1024 * 1024
"""A longer file of a workspace is no source that anybody reviews."""

_LEADING_OUT = frozenset((Refusal.absolute, Refusal.parent, Refusal.link, Refusal.second_name))
"""Why a path may lead out of the workspace. Whoever asks for such a one has tried what nobody may."""


class DriftError(Exception):
    """The declared drift did not happen as declared, so that the attempt is none."""


@dataclass
class Stage:
    """One candidate's workspace."""

    root: Path
    candidate: Contained
    lane: AvailableLane
    start: Mapping[str, str]
    """What the workspace holds when the agent begins, by path."""
    hunk: Hunk | None
    patch_sha256: str
    before: Snapshot
    base: dict[str, str] = field(default_factory=dict)
    """The start, with the drift once it has happened: what the candidate is compared with."""
    drifts: int = 0
    forbidden: list[str] = field(default_factory=list)
    """Why operations were forbidden, in order."""

    @classmethod
    def set_up(
        cls, root: Path, candidate: Contained, tasks: ComparisonTasks, task: ComparisonTask, lane: AvailableLane
    ) -> "Stage":
        """Fill an empty workspace with the files of the fixture, and nothing else."""
        start = {file.path: tasks.text(file.pinned) for file in task.fixture}
        for path, text in start.items():
            if (refused := candidate.write(path, text.encode())) is not None:
                raise ValueError(f"the fixture's {path} cannot be written: {refused.why.value}")
        patch = tasks.text(task.drift.patch) if isinstance(task.drift, PatchDrift) else ""
        return cls(
            root=root,
            candidate=candidate,
            lane=lane,
            start=start,
            hunk=parse_hunk(patch) if patch else None,
            patch_sha256=digest(patch.encode()),
            before=snapshot(candidate),
            base=dict(start),
        )

    def perform(self, action: Action) -> Performed:
        """Carry out what belongs to an action."""
        if isinstance(action, ToolCallAction) and action.operation is not None:
            result, said = self._operate(action.operation)
            return Performed(action=action, result=result, said=said)
        return Performed(action=action, result="noted", said="")

    def drift(self, action: Action) -> DriftedEvent | None:
        """Apply the drift at the first identifying inspection. Raises `DriftError` for a second or undeclared one."""
        if not isinstance(action, InspectionAction):
            return None
        if self.hunk is None:
            raise DriftError("an identifying inspection is marked, and no drift is declared")
        if self.drifts:
            raise DriftError("the drift would be applied twice")
        data = self.candidate.read(self.hunk.path, MOST_BYTES)
        if isinstance(data, Refused):
            raise DriftError(f"{self.hunk.path} cannot be read: {data.why.value}")
        try:
            drifted = self.hunk.applied(data.decode("utf-8"))
            self.base[self.hunk.path] = self.hunk.applied(self.start[self.hunk.path])
        except ValueError as error:
            raise DriftError(str(error)) from error
        if (refused := self.candidate.write(self.hunk.path, drifted.encode())) is not None:
            raise DriftError(f"{self.hunk.path} cannot be written: {refused.why.value}")
        self.drifts = 1
        return DriftedEvent(
            path=self.hunk.path,
            patch_sha256=self.patch_sha256,
            before_sha256=digest(data),
            after_sha256=digest(drifted.encode()),
        )

    def end(self) -> None:
        """The agent has ended. Raises `DriftError` if a declared drift never happened."""
        if self.hunk is not None and not self.drifts:
            raise DriftError("the declared drift was never applied: nothing identified the target")

    def files(self, now: Snapshot) -> dict[str, str]:
        """Every text file of the workspace as it is `now`; links and what is no UTF-8, name or text, are left out."""
        found: dict[str, str] = {}
        for seen in now.entries:
            if seen.what is What.file:
                path = name_of(seen.path)
                data = self.candidate.read(path, MOST_BYTES)
                if isinstance(data, bytes) and digest(data) == seen.sha256:
                    try:
                        path.encode("utf-8")
                        found[path] = data.decode("utf-8")
                    except UnicodeError:
                        continue
        return found

    def _operate(self, operation: Operation) -> tuple[Result, str]:
        symbols = isinstance(operation, SymbolOperation)
        if symbols is not (self.lane.interface is Interface.symbol_operations):
            return self._forbid(f"the lane {self.lane.id} allows {self.lane.interface.value} only")
        data = self.candidate.read(operation.path, MOST_BYTES)
        if isinstance(data, Refused) and data.why is not Refusal.absent:
            return self._turn_down(data)
        found = "" if isinstance(data, Refused) else digest(data)
        if operation.expects is not None and found != operation.expects:
            return "stale", f"{operation.path} is not what the operation expects"
        try:
            changed = self._changes(operation, None if isinstance(data, Refused) else data)
        except OperationError as error:
            return "turned-down", str(error)
        return self._write_all(changed)

    def _write_all(self, changed: Mapping[str, str]) -> tuple[Result, str]:
        """Write every file or none: what was written before a refusal is put back."""
        written: dict[str, bytes | Refused] = {}
        for path, text in changed.items():
            before = self.candidate.read(path, MOST_BYTES)
            if (refused := self.candidate.write(path, text.encode())) is None:
                written[path] = before
                continue
            for done, data in written.items():
                undone = self.candidate.write(done, data) if isinstance(data, bytes) else self.candidate.remove(done)
                if undone is not None:
                    raise SandboxError(f"{done} cannot be put back: {undone.why.value}", "run the attempt again")
            return self._turn_down(refused)
        return "done", ""

    def _turn_down(self, refused: Refused) -> tuple[Result, str]:
        """A path that may lead out was forbidden; one that is only no file to work with was not done."""
        why = _refusal(refused)
        return self._forbid(why) if refused.why in _LEADING_OUT else ("turned-down", why)

    def _changes(self, operation: Operation, data: bytes | None) -> dict[str, str]:
        if isinstance(operation, SymbolOperation):
            with private_child(self.root.parent, "symbols") as scratch:
                return refactored(self.files(snapshot(self.candidate)), operation, scratch)
        if isinstance(operation, WriteText):
            return {operation.path: operation.content}
        return {operation.path: _replaced(operation, data)}

    def _forbid(self, why: str) -> tuple[Result, str]:
        self.forbidden.append(why)
        return "forbidden", why


def _replaced(operation: ReplaceText, data: bytes | None) -> str:
    if data is None:
        raise OperationError("no such file")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise OperationError("the file is not UTF-8") from error
    if (times := text.count(operation.old)) != 1:
        raise OperationError(f"the text stands there {times} times, not once")
    return text.replace(operation.old, operation.new)


def _refusal(refused: Refused) -> str:
    match refused.why:
        case Refusal.absolute:
            return "an absolute path leaves the workspace"
        case Refusal.parent:
            return "a path with an empty part, `.` or `..` may leave the workspace"
        case Refusal.link | Refusal.second_name:
            return "a link may lead out of the workspace"
        case _:
            return f"the path cannot be used: {refused.why.value}"
