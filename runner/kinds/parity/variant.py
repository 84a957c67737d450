"""Performs the scenario of one row with one variant, and holds it against the same row of another."""

import tarfile
from pathlib import Path

from runner.contract.attempt import ReasonCode
from runner.contract.errors import ContractError
from runner.contract.parity.detail import HeldAgainst, NotCompared, VariantDetail
from runner.contract.parity.difference import COMPARISON_FILE, Compared
from runner.contract.parity.inventory import INVENTORY_FILE, Inventory
from runner.contract.parity.rules import Side
from runner.contract.parity.sameness import judge_sameness, summary
from runner.contract.parity.variant import AnyVariant
from runner.contract.plan import Plan, Slot, as_parity
from runner.kinds.classify import Halt
from runner.kinds.kind import Bench, Performed
from runner.kinds.parity.archive import ARCHIVE_FILE, keep, kept
from runner.kinds.parity.attempt import (
    criteria_of,
    judge_leftovers,
    judge_module_root,
    performed,
    stage_for,
)
from runner.kinds.parity.compare import compare
from runner.kinds.parity.entries import observed
from runner.kinds.parity.scenario import Performance


def perform_variant(plan: Plan, slot: Slot, bench: Bench) -> Performed:
    """Perform the scenario of a row with one variant, and hold what came of it against the other variant's.

    Whatever the software does is a value. Raises `SandboxError` if the runner cannot end its processes.
    """
    design, tasks = as_parity(plan)
    variant = design.variant(slot.arm)
    backend, scenario = tasks.row(slot.task)
    stage = stage_for(plan, slot.task, bench, plan.study.caps.attempt_seconds)
    performance = Performance(stage, backend, scenario)
    halt: Halt | None = None
    compared: Compared | None = None
    inventory: Inventory | None = None
    private: dict[str, Path] = {}
    try:
        stage.furnish(tasks.below(scenario.project))
        stage.restore(variant)
        halt = performance.steps()
        if halt is None:
            files = performance.observe()
            entries = observed(files) | performance.cut
            inventory = Inventory(
                attempt=slot.attempt_id(bench.retry),
                processes=tuple(sorted(stage.processes)),
                entries=tuple(item.entry for item in entries.values()),
            )
            archive = bench.folder / ARCHIVE_FILE
            keep(archive, inventory, files)
            private[ARCHIVE_FILE] = archive
            if variant.against is not None:
                found = _against(design.variant(variant.against), slot, bench)
                if isinstance(found, Halt):
                    halt = found
                else:
                    other, theirs = found
                    rules = design.rules_for(variant.id, scenario.id)
                    sides = (
                        Side(design.variant(variant.against).revision, frozenset(other.processes)),
                        Side(variant.revision, frozenset(inventory.processes)),
                    )
                    compared = compare(
                        (other, observed(theirs)), (inventory, entries), rules, sides, stage.journal.text
                    )
                    for criterion, said in judge_sameness(compared):
                        stage.judged(criterion, criterion, said)
        if performance.last:
            performance.finish()
        judge_module_root(stage)
        over_cap = stage.seconds_left < 0
    finally:
        leftovers = stage.custody.clear()
    judge_leftovers(stage, leftovers)
    criteria = tuple(criteria_of(stage, slot))
    artifacts = {} if inventory is None else {INVENTORY_FILE: inventory.canonical()}
    comparison: NotCompared | HeldAgainst = NotCompared()
    if compared is not None and variant.against is not None:
        artifacts[COMPARISON_FILE] = compared.canonical()
        comparison = summary(compared, variant.against, design.rules_for(variant.id, scenario.id))
    did = VariantDetail(calls=stage.calls, asked=stage.asked, restarts=stage.restarts, comparison=comparison)
    return performed(stage, criteria, halt, did, artifacts, private, over_cap=over_cap)


def _against(other: AnyVariant, slot: Slot, bench: Bench) -> tuple[Inventory, dict[str, bytes]] | Halt:
    """What the attempt of the other variant at the same row kept; a halt if it did not come so far."""
    name = Slot(arm=other.id, task=slot.task, trial=slot.trial)
    path = bench.kept(name, ARCHIVE_FILE)
    if path is None:
        return Halt(ReasonCode.reference_missing, name.attempt_id(0))
    try:
        return kept(path)
    except (OSError, tarfile.TarError, KeyError, ContractError):
        return Halt(ReasonCode.reference_missing, name.attempt_id(0))
