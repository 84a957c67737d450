"""Performs one planned attempt: its steps in order, until one of them halts it."""

from typing import assert_never

from runner.contract.attempt import QualificationDetail, ReasonCode, Verdict
from runner.contract.events import LeftoverEvent
from runner.contract.plan import Plan, Slot, as_qualification
from runner.contract.qualification.design import InstalledSubject
from runner.contract.qualification.judge import Judgement
from runner.contract.qualification.sequence import placeholders
from runner.contract.qualification.steps import KillStep, RaceStep, RunStep, ServiceStep, StartStep, Step, WaitStep
from runner.contract.qualification.tasks import NO_LEFTOVERS, Check
from runner.contract.study import Tier
from runner.contract.values import NoModelUsage
from runner.errors import SandboxError
from runner.kinds.classify import Classified, Halt, classify
from runner.kinds.journal import Journal
from runner.kinds.kind import Bench, Performed
from runner.kinds.qualification.context import Context
from runner.kinds.qualification.installed import Installed
from runner.kinds.qualification.kill_step import perform_kill, stop_what_is_left_running
from runner.kinds.qualification.race_step import perform_race
from runner.kinds.qualification.run_step import perform_run
from runner.kinds.qualification.start_step import perform_service, perform_start
from runner.kinds.qualification.wait_step import perform_wait
from runner.sandbox.custody import Custody
from runner.sandbox.redact import Redactor, machine_names, machine_places
from runner.sandbox.source import copy_tree
from runner.sandbox.workspace import Workspace


def perform(plan: Plan, slot: Slot, bench: Bench) -> Performed:
    """Perform one attempt and leave no process behind.

    Whatever the subject does is a value; whether the tier suffices was decided before. Raises
    `SandboxError` if the runner cannot keep the attempt apart or cannot end its processes.
    """
    _, planned = as_qualification(plan)
    check = planned.check(slot.arm, slot.task)
    if bench.tier is not Tier.process:
        what = f"a qualification is performed at tier {Tier.process.value}, not at {bench.tier.value}"
        raise SandboxError(what, f"use tier {Tier.process.value}")
    context = _furnish(plan, slot, check, bench)
    halt: Halt | None = None
    over_cap = True
    try:
        for step in check.steps:
            context.steps_performed += 1
            if (halt := _perform(context, step)) is not None:
                break
        over_cap = context.seconds_left < 0
        stop_what_is_left_running(context)
    finally:
        leftovers = context.custody.clear()
    for leftover in leftovers:
        context.journal.note(LeftoverEvent(program=context.journal.text(leftover.program)))
    if leftovers or halt is None or halt.code is ReasonCode.criterion_not_met:
        said = Judgement(not leftovers, "no process outlives the attempt", f"{len(leftovers)} did")
        verdict = Verdict.not_met if leftovers else Verdict.met
        context.judged(check.steps[context.steps_performed - 1].id, NO_LEFTOVERS, verdict, said)
    return _performed(context, halt, over_cap=over_cap, leftovers=len(leftovers))


def _perform(context: Context, step: Step) -> Halt | None:
    match step:
        case RunStep():
            return perform_run(context, step)
        case RaceStep():
            return perform_race(context, step)
        case StartStep():
            return perform_start(context, step)
        case ServiceStep():
            return perform_service(context, step)
        case KillStep():
            return perform_kill(context, step)
        case WaitStep():
            return perform_wait(context, step)
        case _:
            assert_never(step)


def _furnish(plan: Plan, slot: Slot, check: Check, bench: Bench) -> Context:
    subject = next(
        item for item in plan.study.design.arms if item.id == slot.arm and isinstance(item, InstalledSubject)
    )
    installed = Installed.of(bench.prepared, subject)
    workspace = Workspace.furnish(bench.folder)
    source = workspace.folder / "source"
    if any("source" in placeholders(step) for step in check.steps):
        # A copy for each attempt: no test run may change what the next one reads.
        copy_tree(installed.source, source)
    places = {
        workspace.work: "work",
        workspace.state: "state",
        workspace.home: "home",
        workspace.tmp: "tmp",
        workspace.control: "control",
        source: "source",
        workspace.folder: "attempt",
        installed.env: "env",
        bench.prepared: "prepared",
        **machine_places(),
    }
    return Context(
        check=check,
        caps=plan.study.caps,
        bench=bench,
        workspace=workspace,
        programs=installed.programs,
        custody=Custody(workspace.folder),
        journal=Journal(Redactor(places, machine_names()), bench.now_ns),
        values={
            "command": str(installed.command),
            "python": str(installed.python),
            "work": str(workspace.work),
            "state": str(workspace.state),
            "source": str(source),
        },
        started_ns=bench.now_ns(),
    )


def _performed(context: Context, halt: Halt | None, *, over_cap: bool, leftovers: int) -> Performed:
    verdicts = tuple(context.criteria())
    classified: Classified = classify(verdicts, halt, over_cap=over_cap)
    return Performed(
        outcome=classified.outcome,
        reason=classified.reason,
        passed_after_cap=classified.passed_after_cap,
        criteria=verdicts,
        usage=NoModelUsage(),
        detail=QualificationDetail(
            steps_performed=context.steps_performed,
            processes_started=context.processes_started,
            clock_shifts=context.clock_shifts,
            kills=context.kills,
            leftovers=leftovers,
        ),
        events=context.journal.events,
        event_ns=context.journal.instants,
        replaced=context.journal.replaced,
        artifacts=context.artifacts,
        private=context.workspace.left_behind(),
    )
