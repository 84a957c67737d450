"""What the steps of one attempt share: its rooms, its processes, its values, its clock, its verdicts."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from runner.contract.attempt import Criterion, ReasonCode, Verdict
from runner.contract.events import FaultEvent, JudgedEvent, NotSpawned, ProcessEvent
from runner.contract.qualification.judge import Judgement
from runner.contract.qualification.sequence import expand
from runner.contract.qualification.steps import AtStatement, ProcessStep
from runner.contract.qualification.tasks import Check, criteria
from runner.contract.study import Caps
from runner.kinds.classify import Halt
from runner.kinds.journal import Journal
from runner.kinds.kind import Bench
from runner.sandbox.allowlist import allow_list
from runner.sandbox.custody import Custody
from runner.sandbox.gate import Gate
from runner.sandbox.orders import Orders
from runner.sandbox.process import Finished, ProcessRequest, Running, start
from runner.sandbox.programs import find_program
from runner.sandbox.workspace import Workspace

NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Launch:
    """A process that a step has asked for: running, or the reason why it is not."""

    argv: tuple[str, ...]
    orders: Orders
    process: Running | NotSpawned


@dataclass(slots=True)
class Context:
    """The changing state of one attempt. Steps change it and decide nothing beyond their own."""

    check: Check
    caps: Caps
    bench: Bench
    workspace: Workspace
    programs: Path
    """The folder of the subject's private commands."""
    custody: Custody
    journal: Journal
    values: dict[str, str]
    """What placeholders stand for."""
    started_ns: int
    left_running: dict[str, Launch] = field(default_factory=dict)
    """Processes of `start` and `service` steps that nobody has ended yet, by step."""
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    artifacts: dict[str, bytes] = field(default_factory=dict)
    steps_performed: int = 0
    processes_started: int = 0
    clock_shifts: int = 0
    kills: int = 0

    @property
    def cap_seconds(self) -> int:
        """The wall clock of this attempt."""
        return self.check.seconds or self.caps.attempt_seconds

    @property
    def seconds_left(self) -> float:
        """How much of it is left; negative when it has run out."""
        return self.cap_seconds - (self.bench.now_ns() - self.started_ns) / NANOSECONDS

    def seconds_for(self, step: ProcessStep) -> float:
        """How long a process of `step` may still take."""
        return min(float(step.seconds or self.caps.process_seconds), self.seconds_left)

    def launch(self, step: ProcessStep, number: int, *, gate: Gate | None = None) -> Launch:
        """Start a process of `step`; `number` is its repetition or contender, from 1."""
        values = {**self.values, "i": str(number)}
        argv = tuple(expand(word, values) for word in step.argv)
        added = {name: expand(text, values) for name, text in step.env.items()}
        boundary = getattr(step, "boundary", None)
        orders = Orders(
            marks=self.workspace.control / f"{step.id}-{number}",
            clock_shift_seconds=step.clock_shift_seconds,
            hold=boundary if isinstance(boundary, AtStatement) else None,
        )
        name, token = self.custody.marker
        added = {**added, **orders.variables(added), name: token}
        env = allow_list(self.workspace, (self.programs,), added)
        cwd = self.workspace.work / step.cwd
        process: Running | NotSpawned
        if not self.workspace.make_room(cwd):  # the subject has put something else there
            return Launch(argv, orders, NotSpawned(why="its working folder cannot be made"))
        if gate is not None and not find_program(argv[0], cwd, env["PATH"]):
            return Launch(argv, orders, NotSpawned(why="no such program"))
        request = ProcessRequest(
            argv=gate.before(argv) if gate else argv,
            cwd=cwd,
            env=env,
            output_bytes=self.caps.output_bytes,
            stdin=expand(getattr(step, "stdin", ""), values).encode(),
        )
        process = start(request)
        if isinstance(process, Running):
            self.custody.adopt(process)
            self.processes_started += 1
            self.clock_shifts += step.clock_shift_seconds != 0
        return Launch(argv, orders, process)

    def note_process(self, step: ProcessStep, instance: int, launch: Launch, finished: Finished) -> None:
        """Record a process that ran to its end."""
        self.journal.note(
            ProcessEvent(
                step=step.id,
                instance=instance,
                argv=self.journal.texts(launch.argv),
                cwd=step.cwd,
                env=tuple(sorted(step.env)),
                clock_shift_seconds=step.clock_shift_seconds,
                end=self.journal.end(finished.end),
                stdout=self.journal.output(finished.stdout),
                stderr=self.journal.output(finished.stderr),
            )
        )

    def unheard(self, step: ProcessStep, launch: Launch) -> Halt | None:
        """A declared clock shift that did not come into force is no shift; the attempt ends."""
        if step.clock_shift_seconds == 0 or launch.orders.armed:
            return None
        message = f"step {step.id}: the declared clock shift did not come into force; is it a Python program?"
        self.journal.note(FaultEvent(message=message))
        return Halt(ReasonCode.runner_fault, step.id)

    def judged(self, step: str, criterion: str, verdict: Verdict, said: Judgement, *, instance: int = 0) -> None:
        """Record a judgement. A criterion that was once not met stays so."""
        self.journal.note(
            JudgedEvent(
                step=step,
                criterion=criterion,
                instance=instance,
                expected=self.journal.text(said.expected),
                observed=self.journal.text(said.observed),
                verdict=verdict,
            )
        )
        if self.verdicts.get(criterion) is not Verdict.not_met:
            self.verdicts[criterion] = verdict

    def criteria(self) -> Iterable[Criterion]:
        """Every criterion of the check with its verdict; what was not judged was not reached."""
        for name in criteria(self.check):
            yield Criterion(id=name, verdict=self.verdicts.get(name, Verdict.not_reached))


def failure(step: ProcessStep, criterion: str) -> Halt:
    """What a criterion that is not met means for the attempt."""
    if step.setup:
        return Halt(ReasonCode.setup_step_failed, step.id)
    return Halt(ReasonCode.criterion_not_met, criterion)
