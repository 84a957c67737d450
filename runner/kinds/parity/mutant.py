"""Runs a changed copy through the same scenario. It must fail, and for the reason that the manifest states."""

import os
import shutil
from pathlib import Path

from runner.contract.parity.design import MUTANT
from runner.contract.parity.detail import MutantDetail
from runner.contract.parity.mutant import is_mutated, judge_mutant, judge_original
from runner.contract.parity.mutation import Mutation
from runner.contract.plan import Plan, Slot, as_parity
from runner.contract.seal import digest
from runner.kinds.classify import Halt
from runner.kinds.kind import Bench, Performed
from runner.kinds.parity.attempt import criteria_of, judge_leftovers, judge_module_root, performed, stage_for
from runner.kinds.parity.scenario import Performance


def perform_mutant(plan: Plan, slot: Slot, bench: Bench) -> Performed:
    """Mutate a private copy, perform the scenario with it, and see whether it is rejected as stated."""
    design, tasks = as_parity(plan)
    mutation = design.mutation
    variant = design.variant(mutation.variant)
    backend, scenario = tasks.row(slot.task)
    stage = stage_for(plan, slot.task, bench, plan.study.caps.attempt_seconds)
    stage.mutated = True
    performance = Performance(stage, backend, scenario)
    halt: Halt | None = None
    try:
        stage.furnish(tasks.below(scenario.project))
        stage.restore(variant)
        changed = mutate(stage.tree / mutation.file, mutation)
        if is_mutated(mutation, changed):
            halt = performance.steps()
            performance.finish()
            judge_module_root(stage)
        over_cap = stage.seconds_left < 0
    finally:
        leftovers = stage.custody.clear()
    judge_leftovers(stage, leftovers)
    detail = changed.model_copy(update={"failed": tuple(stage.failed)})
    judged = performance.last.get(mutation.call)
    original = digest((stage.trees.tree(variant) / mutation.file).read_bytes())
    verdicts = judge_mutant(mutation, detail, judged.end if judged else None)
    for criterion, said in (*verdicts, *judge_original(mutation, original)):
        stage.decided(MUTANT, criterion, said)
    return performed(stage, tuple(criteria_of(stage, slot)), halt, detail, {}, {}, over_cap=over_cap)


def mutate(path: Path, mutation: Mutation) -> MutantDetail:
    """Replace the declared text in one file, if it is there exactly once; say what was there and what is now."""
    original = path.read_bytes()
    find, replace = mutation.find.encode(), mutation.replace.encode()
    matches = original.count(find)
    mutant = original.replace(find, replace) if matches == 1 else original
    if mutant != original:
        times = path.stat()
        path.write_bytes(mutant)
        shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)  # compiled from the original, and not looked at
        os.utime(path, ns=(times.st_mtime_ns, times.st_mtime_ns))
    return MutantDetail(
        file=mutation.file,
        matches=matches,
        original_sha256=digest(original),
        mutant_sha256=digest(mutant),
        failed=(),
    )
