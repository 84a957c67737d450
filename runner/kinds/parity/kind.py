"""The study kind as `execute` knows it: one object that plans, prepares and performs."""

import sys
from collections.abc import Callable
from pathlib import Path

from runner.contract.evidence import Facts
from runner.contract.parity.design import MEASUREMENT, MUTANT
from runner.contract.parity.detail import NothingDetail, ParityDetail, ParityFacts
from runner.contract.plan import Plan, Selection, Slot, as_parity
from runner.contract.seal import tree_digest
from runner.contract.study import Tier
from runner.contract.values import NoModelUsage
from runner.errors import PreparationError
from runner.kinds.kind import Bench, Performed, Unperformed
from runner.kinds.parity.attempt import room
from runner.kinds.parity.commits import kept_changes
from runner.kinds.parity.measure import perform_measurement
from runner.kinds.parity.mutant import perform_mutant
from runner.kinds.parity.plan import plan
from runner.kinds.parity.prepare import is_prepared, prepare
from runner.kinds.parity.trees import Trees, facts_of
from runner.kinds.parity.variant import perform_variant
from runner.reading.manifest import FrozenStudy
from runner.sandbox.source import files_below


class Parity:
    """Variants of one piece of software, held against each other. Stateless."""

    tiers = frozenset({Tier.process})
    """A daemon outlives the call that starts it, and the next call must find it: one jail a call would part them."""

    jobs = 1
    """Variants of a row are run at one path, and what is timed is timed alone."""

    def plan(self, study: FrozenStudy, selection: Selection) -> Plan:
        """Every attempt and every exclusion. Raises `UsageError` for a selection that this kind has not."""
        return plan(study, selection)

    def check(self, plan: Plan) -> None:
        """Nothing stands in the way: variants are prepared before."""

    def room(self, slot: Slot, retry: int) -> str:
        """One room for all variants of a row: equal paths."""
        del retry
        return room(slot.task)

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        """Perform one planned attempt: a variant's scenario, the mutant, or a measurement."""
        if slot.arm == MUTANT:
            return perform_mutant(plan, slot, bench)
        if slot.arm == MEASUREMENT:
            return perform_measurement(plan, slot, bench)
        return perform_variant(plan, slot, bench)

    def unperformed(self, plan: Plan, facts: Facts) -> Unperformed:
        """Nothing was done, and no model takes part."""
        del plan, facts
        return Unperformed(ParityDetail(what=NothingDetail()), NoModelUsage())

    def prepare(self, study: FrozenStudy, folder: Path, say: Callable[[str], None]) -> None:
        """Fetch and make every variant that the study pins, in `folder`."""
        prepare(study, folder, say)

    def is_prepared(self, study: FrozenStudy, folder: Path) -> bool:
        """Whether `folder` holds exactly what the manifest pins."""
        return is_prepared(study, folder)

    def build_checkout(self, study: FrozenStudy, prepared: Path, checkout: Path, folder: Path) -> None:
        """A variant is what the manifest pins. Raises `PreparationError`."""
        del prepared, checkout, folder
        what = "a parity study compares pinned variants, and none is built from a checkout"
        raise PreparationError(what, "leave --repo out, or pin another variant", where=study.study.id)

    def is_built_from(self, study: FrozenStudy, checkout: Path, folder: Path) -> bool:
        """It never is."""
        del study, checkout, folder
        return False

    def facts(self, study: FrozenStudy, prepared: Path) -> ParityFacts:
        """What every variant was made of, and which of its files are those of the one it is held against."""
        design, _ = as_parity(study)
        trees = Trees(prepared)
        changes = kept_changes(trees) if design.commits else {}
        return ParityFacts(
            python=sys.version.split()[0],
            harness=harness(),
            variants=tuple(facts_of(trees, design, changes)),
        )


def harness() -> str:
    """The digest of the files that perform this kind; what judges it is covered by the digest of the whole runner."""
    here = Path(__file__).parent
    return tree_digest((item.path, item.sha256) for item in files_below(here))
