"""Performs one measurement: base and head beside each other in one attempt, all samples of one backend and scenario."""

from runner.contract.attempt import ReasonCode
from runner.contract.parity.detail import MeasurementDetail
from runner.contract.parity.measurement import counts, judge_samples
from runner.contract.parity.reduction import timing_for
from runner.contract.parity.samples import SAMPLES_FILE, DaemonSamples, Samples
from runner.contract.parity.tasks import SAMPLES_TAKEN, CallStep, Scenario
from runner.contract.parity.timing import AnyTiming, TimingProtocol
from runner.contract.plan import Plan, Slot, as_parity
from runner.host import HostWatch
from runner.kinds.classify import Halt
from runner.kinds.kind import Bench, Performed
from runner.kinds.parity.attempt import criteria_of, judge_leftovers, judge_module_root, performed, stage_for
from runner.kinds.parity.calls import cold_starts, pairs
from runner.kinds.parity.exchange import Exchange
from runner.kinds.parity.requests import requests
from runner.kinds.parity.row import DaemonRow, Row
from runner.kinds.parity.seeding import asked_cold, seed
from runner.kinds.parity.stage import Stage
from runner.sandbox.orders import compile_hook

_PROJECT = "_project"
"""Under which the untouched project is kept. No variant can be called so."""


def perform_measurement(plan: Plan, slot: Slot, bench: Bench) -> Performed:
    """Seed both variants, take every sample, and leave no process behind.

    Raises `SandboxError` if the runner cannot end a process, and ValueError if the client sends more than it was asked.
    """
    design, tasks = as_parity(plan)
    protocol = timing_for(design.timing, plan.selection)
    backend, scenario = tasks.row(slot.task)
    stage = stage_for(plan, slot.task, bench, protocol.seconds)
    row = _row(stage, protocol, backend, scenario)
    samples: Samples | None = None
    measured = _with_daemon(row, scenario)
    compile_hook()
    try:
        halt = _seed(row, scenario)
        if halt is None:
            samples = _samples(row, measured, slot.attempt_id(bench.retry))
            halt = _judge(stage, protocol, samples)
        judge_module_root(stage)
        over_cap = stage.seconds_left < 0
    finally:
        leftovers = stage.custody.clear()
    judge_leftovers(stage, (*row.leftovers, *leftovers))
    detail = MeasurementDetail(samples=counts(protocol, samples))
    artifacts = {SAMPLES_FILE: samples.canonical()} if samples else {}
    return performed(stage, tuple(criteria_of(stage, slot)), halt, detail, artifacts, {}, over_cap=over_cap)


def _row(stage: Stage, protocol: AnyTiming, backend: str, scenario: Scenario) -> Row:
    design = stage.design
    command = scenario.step(protocol.command)
    assert isinstance(command, CallStep)  # noqa: S101 -- the manifest's reader refuses a timed row without a command
    return Row(
        stage=stage,
        protocol=protocol,
        exchange=Exchange(stage),
        backend=backend,
        base=design.variant(protocol.base),
        head=design.variant(protocol.head),
        command=command,
    )


def _with_daemon(row: Row, scenario: Scenario) -> DaemonRow | None:
    """What is measured of the row's daemon; None where the protocol times the command alone."""
    design = row.stage.design
    if not isinstance(row.protocol, TimingProtocol):
        return None
    assert design.daemon is not None  # noqa: S101 -- the design's own rule
    return DaemonRow(row=row, timing=row.protocol, daemon=design.daemon, ask=asked_cold(scenario))


def _seed(row: Row, scenario: Scenario) -> Halt | None:
    """Prepare both variants, each from the same untouched project. Why there is nothing to measure, or None."""
    stage, exchange = row.stage, row.exchange
    stage.furnish(stage.tasks.below(scenario.project))
    exchange.keep(_PROJECT)
    for variant in row.variants:
        exchange.restore(_PROJECT)
        exchange.take(variant)
        halt = seed(stage, variant, row.backend, scenario, row.command.id)
        row.end()
        if halt is not None:
            return halt
        exchange.keep(variant.id)
    return None


def _samples(row: Row, measured: DaemonRow | None, attempt: str) -> Samples:
    watch = HostWatch()
    commands = pairs(row)
    daemons = _daemons(measured) if measured else ()
    return Samples(
        attempt=attempt,
        base=row.base.id,
        head=row.head.id,
        pairs=commands,
        daemons=daemons,
        around=watch.end(),
    )


def _daemons(measured: DaemonRow) -> tuple[DaemonSamples, ...]:
    row, stage = measured.row, measured.row.stage
    client = stage.workspace.folder / "client.py"
    client.write_text(stage.tasks.text(measured.timing.client), encoding="utf-8", newline="")
    cold = cold_starts(measured)
    return tuple(requests(measured, variant, client, cold[variant.id]) for variant in row.variants)


def _judge(stage: Stage, protocol: AnyTiming, samples: Samples) -> Halt | None:
    """Judge what was taken; a halt where the wall clock ran out before everything was."""
    found = dict(judge_samples(protocol, samples))
    for criterion, said in found.items():
        stage.decided(criterion, criterion, said)
    late = not found[SAMPLES_TAKEN].met and stage.seconds_left <= 0
    return Halt(ReasonCode.wall_cap, SAMPLES_TAKEN) if late else None
