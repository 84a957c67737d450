"""The study kind as `execute` knows it: one object that plans, prepares and performs."""

from collections.abc import Callable
from pathlib import Path

from runner.contract.attempt import QualificationDetail
from runner.contract.evidence import Facts, QualificationFacts
from runner.contract.plan import Plan, Selection, Slot
from runner.contract.study import Tier
from runner.contract.values import NoModelUsage
from runner.kinds.kind import Bench, Performed, Unperformed
from runner.kinds.qualification.checkout import build_checkout, is_built_from
from runner.kinds.qualification.facts import facts
from runner.kinds.qualification.perform import perform
from runner.kinds.qualification.plan import plan
from runner.kinds.qualification.prepare import is_prepared, prepare
from runner.reading.manifest import FrozenStudy


class Qualification:
    """Checks on real command-line tools, under scripted crashes. Stateless."""

    tiers = frozenset({Tier.process})
    """Its steps share processes, services and boundaries, which jails of their own would keep from each other."""

    jobs = 1
    """It measures how long subjects take and which of them wins a race: nothing else may be at work."""

    def plan(self, study: FrozenStudy, selection: Selection) -> Plan:
        """Every attempt and every exclusion, in the order of the manifest."""
        return plan(study, selection)

    def check(self, plan: Plan) -> None:
        """Nothing stands in the way: subjects are prepared before."""

    def room(self, slot: Slot, retry: int) -> str:
        """Each attempt has one of its own."""
        return slot.attempt_id(retry)

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        """Perform one planned attempt."""
        return perform(plan, slot, bench)

    def unperformed(self, plan: Plan, facts: Facts) -> Unperformed:
        """Nothing was done, and no model takes part."""
        del plan, facts
        nothing = QualificationDetail(steps_performed=0, processes_started=0, clock_shifts=0, kills=0, leftovers=0)
        return Unperformed(nothing, NoModelUsage())

    def prepare(self, study: FrozenStudy, folder: Path, say: Callable[[str], None]) -> None:
        """Fetch and install what the study pins into `folder`."""
        prepare(study, folder, say)

    def is_prepared(self, study: FrozenStudy, folder: Path) -> bool:
        """Whether `folder` holds exactly what the manifest pins."""
        return is_prepared(study, folder)

    def build_checkout(self, study: FrozenStudy, prepared: Path, checkout: Path, folder: Path) -> None:
        """Build one subject from a source checkout, offline, into `folder`."""
        build_checkout(study, prepared, checkout, folder)

    def is_built_from(self, study: FrozenStudy, checkout: Path, folder: Path) -> bool:
        """Whether the checkout still holds the source that `folder` was built from."""
        return is_built_from(study, checkout, folder)

    def facts(self, study: FrozenStudy, prepared: Path) -> QualificationFacts:
        """What the study is about to run on."""
        return facts(study, prepared)
