"""Drives one run from its plan to its seal: begins or resumes it, and performs every slot in order."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from runner.contract.attempt import Attempt, Outcome
from runner.contract.evidence import Beginning, Timing
from runner.contract.plan import Plan, Slot
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.errors import RunChangedError, RunStoppedError
from runner.execute.attempt import Surroundings, perform
from runner.execute.folder import RunFolder, new_folder, unfinished
from runner.execute.kept import Kept, parse_all
from runner.execute.order import Order, Watcher
from runner.execute.resume import refuse_if_changed
from runner.execute.seal import check_out, seal
from runner.execute.unperformed import interrupted, refused
from runner.execute.workroom import remove_abandoned
from runner.ledger import Ledger
from runner.reading.sealed import SealedRun
from runner.sandbox.abandoned import end_abandoned
from runner.sandbox.workspace import check_work_root


def execute(order: Order, watcher: Watcher) -> SealedRun:
    """Perform or resume a run and seal it.

    Raises `RunnerError` if that cannot be done. What was acknowledged until then stays, and
    the next call goes on from there.
    """
    end_abandoned()  # a runner that was killed could not end what it had started
    work_root = check_work_root(order.work_root)
    plan = order.kind.plan(order.frozen, order.selection)
    order.kind.check(plan)
    found = None if order.new else unfinished(order.runs)
    check_out(order.out, resumed=found.run if found else None)
    folder = found or _begin(order, plan)
    with Ledger(folder.path) as ledger:
        beginning = folder.beginning()
        prepared = folder.built if folder.built.exists() else order.prepared
        if found:
            _refuse_if_changed(order, plan, folder, prepared)
        done = sum(kept.attempt.outcome is not Outcome.interrupted for kept in _all(ledger))
        watcher.planned(folder.run, len(plan.slots), resumed=found is not None, done=done)
        around = Surroundings(
            kind=order.kind,
            plan=plan,
            folder=folder,
            prepared=prepared,
            work_root=work_root,
            tier=beginning.tier,
            now_ns=order.clock.since(beginning.started_at, _last_ns(ledger)),
            new_salt=order.new_salt,
        )
        try:
            _perform_all(around, ledger, watcher)
        except KeyboardInterrupt as error:
            what = f"stopped on request, {len(ledger.done)} attempts are kept"
            raise RunStoppedError(what, "the same command resumes it", where=folder.run) from error
        sealed = seal(folder, plan, beginning, _in_plan_order(plan, _all(ledger)), order.out)
        folder.finish(sealed.seal_sha256)
        if folder.built.exists():
            shutil.rmtree(folder.built)
    return sealed


def _begin(order: Order, plan: Plan) -> RunFolder:
    """Make a new run's folder. What fails before the run has begun leaves nothing behind."""
    started_at = order.clock.instant()
    folder = new_folder(order.runs, started_at)
    try:
        prepared = order.prepared
        if order.checkout is not None:
            order.kind.build_checkout(order.frozen, order.prepared, order.checkout, folder.built)
            prepared = folder.built
        beginning = Beginning(
            study=plan.study.id,
            run=folder.run,
            selection=plan.selection,
            started_at=started_at,
            source=order.source,
            runner=order.runner,
            environment=order.environment,
            tier=order.tier,
            plan_sha256=digest(plan.canonical()),
            facts=order.kind.facts(order.frozen, prepared),
        )
        folder.begin(plan, beginning)
    except BaseException:
        shutil.rmtree(folder.path)
        raise
    return folder


def _refuse_if_changed(order: Order, plan: Plan, folder: RunFolder, prepared: Path) -> None:
    if order.tier is not (began := folder.beginning().tier):
        what = f"this run is unfinished, and it began at tier {began.value}, not at {order.tier.value}"
        raise RunChangedError(what, "give the same tier, or start a new run with --new", where=folder.run)
    if (order.checkout is not None) != folder.built.exists():
        what = f"this run is unfinished, and it began with{'' if folder.built.exists() else 'out'} --repo"
        raise RunChangedError(what, "give the same options, or start a new run with --new", where=folder.run)
    if order.checkout is not None and not order.kind.is_built_from(order.frozen, order.checkout, folder.built):
        what = "this run is unfinished, and it was built from other source than the checkout holds now"
        raise RunChangedError(what, "restore that to finish it, or start a new run with --new", where=folder.run)
    facts = order.kind.facts(order.frozen, prepared)
    refuse_if_changed(folder.beginning(), folder.plan(), plan, order.source, order.runner, facts)


def _perform_all(around: Surroundings, ledger: Ledger, watcher: Watcher) -> None:
    """Every slot that has no outcome yet, in plan order; interrupted ones once more."""
    slot_of = {(slot.arm, slot.task, slot.trial): slot for slot in around.plan.slots}
    retries: dict[Slot, int] = {}
    settled: set[Slot] = set()
    if ledger.interrupted is not None:
        _keep_interrupted(around, ledger, ledger.interrupted.attempt)
    for kept in _all(ledger):
        slot = slot_of[kept.attempt.arm, kept.attempt.task, kept.attempt.trial]
        if kept.attempt.outcome is Outcome.interrupted:
            retries[slot] = max(retries.get(slot, 0), kept.attempt.retry + 1)
        else:
            settled.add(slot)
    for slot in around.plan.slots:
        if slot in settled:
            continue
        name = slot.attempt_id(retries.get(slot, 0))
        watcher.started(name)
        kept = _perform_one(around, ledger, slot, retries.get(slot, 0))
        watcher.ended(kept.attempt)


def _perform_one(around: Surroundings, ledger: Ledger, slot: Slot, retry: int) -> Kept:
    name = slot.attempt_id(retry)
    started_ns = around.now_ns()
    ledger.start(name, started_ns)
    tiers = list(Tier)
    if tiers.index(around.tier) < tiers.index(around.plan.study.tier):
        attempt = refused(around.plan, slot, retry, around.tier)
        kept = _without_files(attempt, started_ns, around.now_ns())
    else:
        kept = perform(around, slot, retry, started_ns)
    ledger.keep(name, kept.canonical(), kept.timing.ended_ns)
    return kept


def _keep_interrupted(around: Surroundings, ledger: Ledger, name: str) -> None:
    """Turn a start without an attempt file into an attempt that says so."""
    arm, task, trial, *again = name.split(".")  # neither an arm's name nor a task's holds a full stop
    retry = int(again[0].removeprefix("r")) if again else 0
    slot = next(slot for slot in around.plan.slots if (slot.arm, slot.task, str(slot.trial)) == (arm, task, trial))
    remove_abandoned(around.folder, name)
    around.folder.set_aside(name)
    assert ledger.interrupted is not None  # noqa: S101
    attempt = interrupted(around.plan, slot, retry, around.tier)
    # When the runner ended is not known; that it had started by then is.
    kept = _without_files(attempt, ledger.interrupted.at_ns, ledger.interrupted.at_ns)
    ledger.keep(name, kept.canonical(), around.now_ns())


def _without_files(attempt: Attempt, started_ns: int, ended_ns: int) -> Kept:
    timing = Timing(attempt=attempt.attempt, started_ns=started_ns, ended_ns=ended_ns, event_ns=())
    return Kept(attempt=attempt, timing=timing, commitments=(), files=(), replaced=0)


def _all(ledger: Ledger) -> list[Kept]:
    return parse_all((f"attempts/{name}.json", ledger.read(name)) for name in ledger.done)


def _last_ns(ledger: Ledger) -> int:
    """The latest instant that the run knows of, so that its stopwatch never runs backwards."""
    known = [kept.timing.ended_ns for kept in _all(ledger)]
    return max([*known, ledger.interrupted.at_ns if ledger.interrupted else 0])


def _in_plan_order(plan: Plan, kept: Sequence[Kept]) -> list[Kept]:
    position = {(slot.arm, slot.task, slot.trial): n for n, slot in enumerate(plan.slots)}

    def place(item: Kept) -> tuple[int, int]:
        attempt = item.attempt
        return position[attempt.arm, attempt.task, attempt.trial], attempt.retry

    return sorted(kept, key=place)
