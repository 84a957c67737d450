"""The steps `start` and `service`: a process is started and left running for later steps."""

from collections.abc import Callable
from pathlib import Path
from typing import assert_never

from runner.contract.attempt import ReasonCode, Verdict
from runner.contract.events import NotSpawned, StartedEvent
from runner.contract.qualification.judge import Judgement, ending
from runner.contract.qualification.sequence import expand
from runner.contract.qualification.steps import AtFile, AtOutput, AtStatement, Boundary, ServiceStep, StartStep
from runner.kinds.classify import Halt
from runner.kinds.qualification.context import NANOSECONDS, Context, Launch
from runner.sandbox.ports import Listener, free_loopback_port, listener
from runner.sandbox.process import Finished, Running
from runner.sandbox.process_table import look

_LOOK_EVERY_SECONDS = 0.005


def perform_start(context: Context, step: StartStep) -> Halt | None:
    """Start a process and wait until it has come to its boundary."""
    name = boundary_name(step.boundary)
    return _start(
        context,
        step,
        boundary=name,
        criterion=f"{step.id}.reached",
        arrived=lambda launch: "reached" if _at(context, step.boundary, launch) else None,
    )


def perform_service(context: Context, step: ServiceStep) -> Halt | None:
    """Start a service on a port that this attempt alone knows, and wait until it listens there."""
    port = free_loopback_port()
    context.values[f"port.{step.port}"] = str(port)

    def arrived(launch: Launch) -> str | None:
        del launch
        found = listener(port, (entry.pid for entry in context.custody.members()))
        return found.value if found is not Listener.nobody else None

    return _start(
        context,
        step,
        boundary=f"port {step.port}",
        criterion=f"{step.id}.ready",
        arrived=arrived,
        wanted=Listener.owned.value,
    )


def boundary_name(boundary: Boundary) -> str:
    """A boundary in words."""
    match boundary:
        case AtStatement(moment=moment, statement=statement, occurrence=occurrence):
            return f"{moment} {statement} #{occurrence}"
        case AtOutput(text=text):
            return f"output {text!r}"
        case AtFile(path=path):
            return f"file {path}"
        case _:
            assert_never(boundary)


def _start(
    context: Context,
    step: StartStep | ServiceStep,
    *,
    boundary: str,
    criterion: str,
    arrived: Callable[[Launch], str | None],
    wanted: str = "reached",
) -> Halt | None:
    if context.seconds_left <= 0:
        return Halt(ReasonCode.wall_cap, step.id)
    until = context.bench.now_ns() + int(context.seconds_for(step) * NANOSECONDS)
    launch = context.launch(step, 1)
    if isinstance(launch.process, NotSpawned):
        context.note_process(step, 0, launch, Finished(launch.process))
        return Halt(ReasonCode.process_not_started, step.id)
    context.left_running[step.id] = launch
    found: str | None = None
    while found is None and context.bench.now_ns() < until:
        over = launch.process.wait(_LOOK_EVERY_SECONDS) is not None
        found = arrived(launch)
        if over:
            break
    reached = found == wanted
    context.journal.note(
        StartedEvent(
            step=step.id,
            argv=context.journal.texts(launch.argv),
            cwd=step.cwd,
            env=tuple(sorted(step.env)),
            clock_shift_seconds=step.clock_shift_seconds,
            boundary=context.journal.text(boundary),
            reached=reached,
        )
    )
    observed = found or _why_not(launch.process)
    said = Judgement(met=reached, expected=f"{boundary}: {wanted}", observed=observed)
    if not reached and context.seconds_left <= 0:
        context.judged(step.id, criterion, Verdict.not_reached, said)
        return Halt(ReasonCode.wall_cap, step.id)
    if (halt := context.unheard(step, launch)) is not None:
        return halt
    context.judged(step.id, criterion, Verdict.met if reached else Verdict.not_reached, said)
    return None if reached else Halt(ReasonCode.boundary_not_reached, criterion)


def _at(context: Context, boundary: Boundary, launch: Launch) -> bool:
    process = launch.process
    if isinstance(process, NotSpawned):
        return False
    match boundary:
        case AtStatement():
            entry = look(process.pid)
            return launch.orders.reached and entry is not None and (entry.stopped or entry.zombie)
        case AtOutput(text=text):
            return process.printed(expand(text, context.values).encode())
        case AtFile(path=path):
            return _inside(context.workspace.folder, context.workspace.work / expand(path, context.values))
        case _:
            assert_never(boundary)


def _inside(folder: Path, path: Path) -> bool:
    """Whether a path exists and lies in the attempt's own folder."""
    try:
        return path.exists() and path.resolve().is_relative_to(folder.resolve())
    except OSError:  # such as a loop of links, or a name that is too long
        return False


def _why_not(process: Running) -> str:
    finished = process.finished
    return f"{ending(finished.end)} before it" if finished else "still running without it when its time was over"
