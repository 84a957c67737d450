"""The place where every variant of a row is run, one after the other: equal paths, equal times of files, one clock."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from runner.contract.attempt import Verdict
from runner.contract.events import JudgedEvent, NotSpawned, ProcessEvent
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.happenings import MutantJudgedEvent
from runner.contract.parity.tasks import ParityTasks
from runner.contract.parity.variant import AnyVariant
from runner.contract.qualification.judge import Judgement
from runner.contract.study import Caps
from runner.kinds.journal import Journal
from runner.kinds.kind import Bench
from runner.kinds.parity.trees import Trees, set_times
from runner.sandbox.allowlist import allow_list
from runner.sandbox.custody import Custody
from runner.sandbox.orders import Orders
from runner.sandbox.process import Finished, ProcessRequest, Running, start
from runner.sandbox.witness import WitnessedPackage
from runner.sandbox.workspace import Workspace

NANOSECONDS = 1_000_000_000
PROJECT = "project"
RUN = "run"
TREE = "tree"


@dataclass(slots=True)
class Stage:
    """The rooms and the processes of one attempt. It starts and records, and decides nothing."""

    design: ParityDesign
    tasks: ParityTasks
    caps: Caps
    bench: Bench
    trees: Trees
    workspace: Workspace
    custody: Custody
    journal: Journal
    started_ns: int
    seconds: int
    """Wall clock of the attempt."""
    mutated: bool = False
    """Whether a changed copy lies there: what the scenario judges of it is then no verdict on the attempt."""
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    """The criteria of the scenario that a changed copy did not meet, in the order in which they were judged."""
    processes: set[int] = field(default_factory=set)
    """Ids of all processes that were observed."""
    calls: int = 0
    asked: int = 0
    restarts: int = 0

    @property
    def project(self) -> Path:
        """Where the project lies and every call starts."""
        return self.workspace.work / PROJECT

    @property
    def run(self) -> Path:
        """Where a daemon says who it is: `{run}`."""
        return self.workspace.folder / RUN

    @property
    def tree(self) -> Path:
        """Where the variant lies, whichever it is."""
        return self.workspace.folder / TREE

    @property
    def witnesses(self) -> Path:
        """Where processes note from where they imported the package."""
        return self.workspace.control / "imports"

    @property
    def seconds_left(self) -> float:
        """How much of the attempt's wall clock is left; negative when it has run out."""
        return self.seconds - (self.bench.now_ns() - self.started_ns) / NANOSECONDS

    def furnish(self, project: Mapping[str, str]) -> None:
        """Lay out the project, with equal times of all its files."""
        self.run.mkdir(mode=0o700)
        self.witnesses.mkdir(mode=0o700)
        self.lay(project, epoch(self.design.file_time))

    def lay(self, files: Mapping[str, str], seconds: int) -> None:
        """Write files of the project; all of the project gets no later time than `seconds`."""
        for name, text in files.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
            os.utime(path, (seconds, seconds))

    def restore(self, variant: AnyVariant) -> None:
        """Put a variant where every variant lies."""
        if self.tree.exists():
            shutil.rmtree(self.tree)
        shutil.copytree(self.trees.tree(variant), self.tree, symlinks=True)
        # Again, though prepared so: what is prepared is checked by its bytes, and not by its times.
        set_times(self.tree, epoch(self.design.file_time))

    def arguments(self, args: tuple[str, ...], backend: str) -> tuple[str, ...]:
        """The arguments of a call with what their placeholders stand for."""
        found: list[str] = []
        for word in args:
            if word == "{backend}":
                found += self.design.backend(backend).args
            else:
                found.append(word.replace("{state}", str(self.workspace.state)).replace("{run}", str(self.run)))
        return tuple(found)

    def environment(self, name: str) -> dict[str, str]:
        """Every variable of a process. `name` tells the marks of its hook apart."""
        orders = Orders(
            marks=self.workspace.control / name,
            clock_frozen_at=epoch(self.design.clock),
            witness=WitnessedPackage(self.design.package, self.witnesses),
        )
        variables = {item.name: item.value for item in self.design.variables}
        added = {**variables, "PYTHONPATH": str(self.tree)}
        marker, token = self.custody.marker
        return allow_list(self.workspace, (), {**added, **orders.variables(added), marker: token})

    def request(self, args: tuple[str, ...], env: Mapping[str, str], output_bytes: int | None = None) -> ProcessRequest:
        """What starts the interpreter with these arguments."""
        return ProcessRequest(
            argv=(str(self.trees.python), "-P", *args),
            cwd=self.project,
            env=env,
            output_bytes=self.caps.output_bytes if output_bytes is None else output_bytes,
        )

    def start(self, request: ProcessRequest) -> Running | NotSpawned:
        """Start a process of the attempt, and count it."""
        process = start(request)
        if isinstance(process, Running):
            self.custody.adopt(process)
            self.processes.add(process.pid)
            self.calls += 1
        return process

    def call(self, step: str, args: tuple[str, ...]) -> Finished:
        """Run the software to its end, or to the end of the wall clock, and record it."""
        request = self.request(args, self.environment(f"{step}-{self.calls + 1}"))
        finished = self.finish(self.start(request), float(self.caps.process_seconds))
        self.record(step, request, finished)
        return finished

    def finish(self, process: Running | NotSpawned, seconds: float) -> Finished:
        """Wait for a process for so long at most, and never longer than the wall clock of the attempt."""
        if isinstance(process, NotSpawned):
            return Finished(process)
        return process.wait(min(seconds, self.seconds_left)) or process.kill(capped=True)

    def record(self, step: str, request: ProcessRequest, finished: Finished) -> None:
        """Record a process that has ended."""
        self.journal.note(
            ProcessEvent(
                step=step,
                instance=0,
                argv=self.journal.texts(request.argv),
                cwd=PROJECT,
                env=tuple(sorted(item.name for item in self.design.variables)),
                clock_shift_seconds=0,
                end=self.journal.end(finished.end),
                stdout=self.journal.output(finished.stdout),
                stderr=self.journal.output(finished.stderr),
            )
        )

    def judged(self, step: str, criterion: str, said: Judgement) -> None:
        """Record what became of a criterion of the scenario."""
        if not self.mutated:
            self.decided(step, criterion, said)
            return
        self.journal.note(
            MutantJudgedEvent(
                step=step,
                criterion=criterion,
                expected=self.journal.text(said.expected),
                observed=self.journal.text(said.observed),
                met=said.met,
            )
        )
        if not said.met:
            self.failed.append(criterion)

    def decided(self, step: str, criterion: str, said: Judgement) -> None:
        """Record a verdict on the attempt. A criterion that was once not met stays so."""
        verdict = Verdict.met if said.met else Verdict.not_met
        self.journal.note(
            JudgedEvent(
                step=step,
                criterion=criterion,
                instance=0,
                expected=self.journal.text(said.expected),
                observed=self.journal.text(said.observed),
                verdict=verdict,
            )
        )
        if self.verdicts.get(criterion) is not Verdict.not_met:
            self.verdicts[criterion] = verdict

    def look_around(self) -> None:
        """Note the ids of all processes of the attempt that live now."""
        self.processes |= {entry.pid for entry in self.custody.members()}


def epoch(instant: str) -> int:
    """Seconds since 1970 of an RFC 3339 instant in UTC."""
    return int(datetime.strptime(instant, "%Y-%m-%dT%H:%M:%S%z").timestamp())
