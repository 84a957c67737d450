"""The study kind as `execute` knows it. It holds what the command asked for, and nothing of a run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from runner.backends.backend import Backend
from runner.backends.fixture import FixtureBackend
from runner.contract.comparison.detail import Library, ProbeAbsent, ProbeFound
from runner.contract.comparison.tasks import FIXTURE_BACKEND, Asked
from runner.contract.evidence import ComparisonFacts
from runner.contract.plan import Plan, Selection, Slot, as_comparison
from runner.contract.study import Tier
from runner.errors import PreparationError, UsageError
from runner.kinds.comparison.perform import perform
from runner.kinds.comparison.plan import plan
from runner.kinds.comparison.scripts import probe_binary
from runner.kinds.kind import Bench, Performed
from runner.reading.manifest import FrozenStudy

BACKENDS = (FIXTURE_BACKEND,)


@dataclass(frozen=True)
class Comparison:
    """Tasks, lanes and trials, one agent an attempt."""

    asked: Asked = field(default_factory=Asked)
    backend: str = FIXTURE_BACKEND
    probes: Mapping[str, Path] = field(default_factory=dict)
    """Binaries of independent tools, by tool, as the command gave them."""

    tiers = frozenset({Tier.process})
    """A script needs no jail: it starts no process, and the judge's own run at this tier."""

    def plan(self, study: FrozenStudy, selection: Selection) -> Plan:
        """Every attempt in counterbalanced order, or those asked for. Raises `UsageError`."""
        if self.backend not in BACKENDS:
            raise UsageError(f"no backend {self.backend!r}", f"there are: {', '.join(BACKENDS)}", where=study.study.id)
        return plan(study, selection, self.asked, self.backend)

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        """Perform one planned attempt."""
        return perform(plan, slot, bench, self._backend_for, self.probes)

    def prepare(self, study: FrozenStudy, folder: Path, say: Callable[[str], None]) -> None:
        """Nothing is fetched: all that an attempt needs is pinned in the manifest."""
        del folder
        say(f"{study.study.id}: needs nothing beside its manifest")

    def is_prepared(self, study: FrozenStudy, folder: Path) -> bool:
        """It always is."""
        del study, folder
        return True

    def build_checkout(self, study: FrozenStudy, prepared: Path, checkout: Path, folder: Path) -> None:
        """There is no subject to build. Raises `PreparationError`."""
        del prepared, checkout, folder
        what = "a comparison has no subject that could be built from a checkout"
        raise PreparationError(what, "leave --repo out", where=study.study.id)

    def is_built_from(self, study: FrozenStudy, checkout: Path, folder: Path) -> bool:
        """It never is."""
        del study, checkout, folder
        return False

    def facts(self, study: FrozenStudy, prepared: Path) -> ComparisonFacts:
        """Backend, refactoring library and probes. Raises `UsageError` for a probe that is none."""
        del prepared
        _, tasks = as_comparison(study)
        tools = dict.fromkeys(task.probe.tool for task in tasks.tasks if task.probe)
        if unknown := sorted(self.probes.keys() - tools.keys()):
            named = ", ".join(tools) or "none"
            raise UsageError(f"no task asks a probe {unknown[0]!r}", f"there are: {named}", where=study.study.id)
        return ComparisonFacts(
            backend=self.backend,
            fixture=self.backend == FIXTURE_BACKEND,
            library=Library(name="rope", version=version("rope")),
            probes=tuple(
                ProbeFound(tool=tool, file=probe_binary(tool, self.probes[tool]))
                if tool in self.probes
                else ProbeAbsent(tool=tool)
                for tool in tools
            ),
        )

    def _backend_for(self, plan: Plan, slot: Slot) -> Backend:
        _, tasks = as_comparison(plan)
        transcript = tasks.transcript(slot.arm, slot.task)
        if transcript is None:
            raise UsageError(f"no transcript for {slot.task} in {slot.arm}", "pin one", where=plan.study.id)
        return FixtureBackend(transcript)
