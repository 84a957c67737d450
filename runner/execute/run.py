"""Drives one run from its plan to its seal: begins or resumes it, has every slot performed, and seals it."""

import shutil
from pathlib import Path

from runner.contract.evidence import Beginning
from runner.contract.plan import Plan
from runner.contract.seal import digest
from runner.errors import RunChangedError, RunStoppedError
from runner.execute.attempt import Surroundings
from runner.execute.folder import RunFolder, new_folder, unfinished
from runner.execute.order import Order, Watcher
from runner.execute.resume import refuse_if_changed
from runner.execute.seal import check_out, seal
from runner.execute.standing import Standing, each
from runner.execute.turns import perform_all
from runner.execute.workroom import remove_interrupted
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
        standing = Standing.of(plan, ledger)
        watcher.planned(folder.run, len(plan.slots), resumed=found is not None, done=len(standing.settled))
        around = Surroundings(
            kind=order.kind,
            plan=plan,
            folder=folder,
            prepared=prepared,
            work_root=work_root,
            tier=beginning.tier,
            facts=beginning.facts,
            now_ns=order.clock.since(beginning.started_at, standing.last_ns),
            new_salt=order.new_salt,
        )
        try:
            perform_all(around, ledger, standing, watcher)
        except KeyboardInterrupt as error:
            remove_interrupted(folder)
            what = f"stopped on request, {len(ledger.done)} attempts are kept"
            raise RunStoppedError(what, "the same command resumes it", where=folder.run) from error
        sealed = seal(folder, plan, beginning, each(ledger, standing.names()), order.out)
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
