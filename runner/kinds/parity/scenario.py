"""Performs the steps of a scenario with whatever lies on the stage, and judges each as the scenario states."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import assert_never

from runner.contract.attempt import ReasonCode
from runner.contract.events import CappedByClock, NotSpawned
from runner.contract.parity.inventory import Entry, Form
from runner.contract.parity.judge import judge_call
from runner.contract.parity.tasks import (
    DAEMON_STOPPED,
    AskStep,
    CallStep,
    EditStep,
    RestartStep,
    Scenario,
    StopStep,
)
from runner.contract.qualification.judge import Judgement
from runner.contract.seal import tree_digest
from runner.kinds.classify import Halt
from runner.kinds.parity.daemon import stop, witnessed
from runner.kinds.parity.entries import Observed, observed
from runner.kinds.parity.stage import Stage, epoch
from runner.sandbox.process import Finished


@dataclass(slots=True)
class Performance:
    """One scenario as it is performed. Unmet expectations do not halt it: what follows is worth comparing."""

    stage: Stage
    backend: str
    scenario: Scenario
    streams: dict[str, bytes] = field(default_factory=dict)
    """The complete output of every call, by entry path."""
    cut: dict[str, Observed] = field(default_factory=dict)
    """The entries of streams that were longer than what is kept: compared in full all the same, by their digests."""
    last: dict[str, Finished] = field(default_factory=dict)
    """How each call ended, by step."""
    _edits: int = 0
    _answered: int | None = None
    _restarting: str | None = None

    def steps(self) -> Halt | None:
        """Perform every step. Returns why no further one was, or None."""
        for step in self.scenario.steps:
            match step:
                case CallStep() | AskStep():
                    halt = self._call(step)
                    if halt is not None:
                        return halt
                case EditStep():
                    self._edits += 1
                    seconds = epoch(self.stage.design.file_time) + self._edits
                    self.stage.lay(self.stage.tasks.below(step.files), seconds)
                case RestartStep():
                    self.stage.restarts += 1
                    self._stop(step.id)
                    self._restarting = step.id
                case StopStep():
                    self._stop(step.id)
                case _:
                    assert_never(step)
        return None

    def observe(self) -> dict[str, bytes]:
        """Everything that was put out and is kept by now, by entry path."""
        self.stage.look_around()
        return {**self.streams, **_kept_in(self.stage.workspace.state)}

    def finish(self) -> None:
        """Stop the daemon, if the scenario has one, and judge that it has ended."""
        daemon = self.stage.design.daemon
        if daemon is not None and self.scenario.ends_with_daemon:
            said, _ = stop(self.stage, daemon, DAEMON_STOPPED, self.backend)
            self.stage.judged(DAEMON_STOPPED, DAEMON_STOPPED, said)

    def _call(self, step: CallStep | AskStep) -> Halt | None:
        daemon = self.stage.design.daemon
        if isinstance(step, AskStep):
            assert daemon is not None  # noqa: S101 -- the manifest's reader refuses such a scenario
            args = daemon.ask
        else:
            args = step.args
        before = _state(self.stage.workspace.state) if step.keeps_state else ""
        finished = self.stage.call(step.id, self.stage.arguments(args, self.backend))
        self.last[step.id] = finished
        if isinstance(finished.end, NotSpawned):
            return Halt(ReasonCode.process_not_started, step.id)
        if isinstance(finished.end, CappedByClock):
            return Halt(ReasonCode.wall_cap, step.id)
        self._keep(step.id, finished)
        for criterion, said in judge_call(step, finished):
            self.stage.judged(step.id, criterion, said)
        if step.keeps_state:
            same = _state(self.stage.workspace.state) == before
            said = Judgement(same, "the durable state is as before", "it is" if same else "it is not")
            self.stage.judged(step.id, f"{step.id}.state-kept", said)
        if isinstance(step, AskStep):
            self.stage.asked += 1
            self._note_who_answered(step)
        return None

    def _keep(self, step: str, finished: Finished) -> None:
        for name, stream in (("stdout", finished.stdout), ("stderr", finished.stderr)):
            path = f"calls/{step}/{name}"
            self.streams[path] = stream.kept
            if not stream.complete:
                entry = Entry(
                    path=path, form=Form.data, bytes=stream.total_bytes, sha256=stream.sha256, value_sha256=None
                )
                self.cut[path] = Observed(entry, None)

    def _note_who_answered(self, step: AskStep) -> None:
        daemon = self.stage.design.daemon
        assert daemon is not None  # noqa: S101 -- see above
        found = witnessed(self.stage, daemon)
        self.stage.look_around()
        receipt = self.stage.run / daemon.receipt
        if receipt.is_file():
            self.streams[f"calls/{step.id}/receipt"] = receipt.read_bytes()
        if self._restarting is not None:
            now = found.pid if found and found.lives else None
            met = now is not None and now != self._answered and now in self.stage.processes
            seen = f"process {now}" if now is not None else "no daemon of this attempt"
            wanted = f"another process than {self._answered}"
            self.stage.judged(self._restarting, f"{self._restarting}.new-process", Judgement(met, wanted, seen))
            self._restarting = None
        self._answered = found.pid if found and found.lives else None

    def _stop(self, step: str) -> None:
        daemon = self.stage.design.daemon
        assert daemon is not None  # noqa: S101 -- see above
        said, finished = stop(self.stage, daemon, step, self.backend)
        if finished is not None:
            self._keep(step, finished)
        self.stage.judged(step, f"{step}.stopped", said)


def _kept_in(folder: Path) -> dict[str, bytes]:
    """Every regular file of the durable state, by entry path."""
    return {
        f"state/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def _state(folder: Path) -> str:
    """One digest over what is kept: of a database its rows, of every other file its bytes."""
    found = observed(_kept_in(folder))
    return tree_digest(
        (path, item.entry.sha256) for path, item in found.items() if item.entry.form is not Form.container
    )


def digest_of(finished: Finished) -> str:
    """One digest over both streams of a call, in full."""
    return hashlib.sha256(f"{finished.stdout.sha256} {finished.stderr.sha256}".encode()).hexdigest()
