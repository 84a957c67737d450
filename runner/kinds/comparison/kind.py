"""The study kind as `execute` knows it. It holds what the command asked for, and nothing of a run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from runner.backends.backend import Backend, Brief, Commission
from runner.backends.find import maker
from runner.contract.comparison.design import ComparisonDesign
from runner.contract.comparison.detail import Library, ProbeAbsent, ProbeFound, nothing_acted
from runner.contract.comparison.tasks import FIXTURE_BACKEND, Asked, ComparisonTasks, PatchDrift
from runner.contract.evidence import ComparisonFacts, Facts
from runner.contract.plan import Plan, Selection, Slot, as_comparison
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.contract.values import FileDigest, NoModelUsage, UnknownUsage
from runner.errors import PreparationError, UsageError
from runner.kinds.comparison.perform import perform
from runner.kinds.comparison.plan import plan
from runner.kinds.comparison.scripts import probe_binary
from runner.kinds.kind import Bench, Performed, Unperformed
from runner.reading.files import measure, said
from runner.reading.manifest import FrozenStudy


@dataclass(frozen=True)
class Comparison:
    """Tasks, lanes and trials, one agent an attempt."""

    asked: Asked = field(default_factory=Asked)
    backend: str = FIXTURE_BACKEND
    configuration: Path | None = None
    """What the backend is set up by."""
    probes: Mapping[str, Path] = field(default_factory=dict)
    """Binaries of independent tools, by tool, as the command gave them."""
    jobs: int = 1
    """How many attempts are performed side by side."""

    @property
    def tiers(self) -> frozenset[Tier]:
        """An agent program needs a jail; a script and an endpoint start no process, and the judge's own do without."""
        return frozenset({Tier.bwrap} if self.backend == "agent" else {Tier.process, Tier.bwrap})

    def plan(self, study: FrozenStudy, selection: Selection) -> Plan:
        """Every attempt in counterbalanced order, or those asked for. Raises `UsageError`."""
        maker(self.backend, where=study.study.id)
        return plan(study, selection, self.asked, self.backend)

    def check(self, plan: Plan) -> None:
        """Raise `RunnerError` if the backend may not act under this plan, for every attempt of it."""
        if self.backend != FIXTURE_BACKEND:
            for slot in plan.slots:
                self._backend_for(plan, slot)

    def preview(self, plan: Plan, slot: Slot) -> Mapping[str, Any]:
        """What the backend would send first in an attempt. Nothing is sent. Raises as the backend does."""
        design, tasks = as_comparison(plan)
        task, lane = tasks.check(slot.arm, slot.task), next(item for item in design.available if item.id == slot.arm)
        nowhere = Path("candidate")
        brief = Brief(task.prompt, task.setup, lane.instructions, nowhere, nowhere, plan.study.caps.attempt_seconds)
        return self._made(design, tasks, slot.arm, slot.task, slot.trial).preview(brief)

    def room(self, slot: Slot, retry: int) -> str:
        """Each attempt has one of its own."""
        return slot.attempt_id(retry)

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        """Perform one planned attempt."""
        return perform(plan, slot, bench, self._backend_for, self.probes)

    def unperformed(self, plan: Plan, facts: Facts) -> Unperformed:
        """Nobody acted as far as is known; what a model spent on it nobody knows, and a fixture's has none."""
        del plan
        assert isinstance(facts, ComparisonFacts)  # noqa: S101 -- the run's own
        why = "the attempt was not performed to its end"
        usage = NoModelUsage() if facts.backend == FIXTURE_BACKEND else UnknownUsage(reason=why)
        return Unperformed(nothing_acted(facts.backend, fixture=facts.fixture, reason=why), usage)

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
        design, tasks = as_comparison(study)
        tools = dict.fromkeys(task.probe.tool for task in tasks.tasks if task.probe)
        if unknown := sorted(self.probes.keys() - tools.keys()):
            named = ", ".join(tools) or "none"
            raise UsageError(f"no task asks a probe {unknown[0]!r}", f"there are: {named}", where=study.study.id)
        backend = self._made(design, tasks, design.available[0].id, tasks.tasks[0].id, 1)
        return ComparisonFacts(
            backend=self.backend,
            jobs=self.jobs,
            fixture=backend.fixture,
            inputs=(*self._configured(), *backend.inputs),
            library=Library(name="rope", version=version("rope")),
            probes=tuple(
                ProbeFound(tool=tool, file=probe_binary(tool, self.probes[tool]))
                if tool in self.probes
                else ProbeAbsent(tool=tool)
                for tool in tools
            ),
        )

    def _configured(self) -> tuple[FileDigest, ...]:
        """The configuration as it is now. Raises `UsageError` if it cannot be read."""
        if self.configuration is None:
            return ()
        try:
            return (measure(self.configuration, "configuration"),)
        except OSError as error:
            raise UsageError(said(error), "name one with --config", where=str(self.configuration)) from error

    def _backend_for(self, plan: Plan, slot: Slot) -> Backend:
        backend = self._made(*as_comparison(plan), slot.arm, slot.task, slot.trial)
        if self.backend != FIXTURE_BACKEND:
            backend.ready(digest(plan.canonical()))
        return backend

    def _made(self, design: ComparisonDesign, tasks: ComparisonTasks, lane: str, task: str, trial: int) -> Backend:
        commission = Commission(
            task=task,
            lane=lane,
            trial=trial,
            interface=next(item.interface for item in design.available if item.id == lane),
            drifts=isinstance(tasks.check(lane, task).drift, PatchDrift),
            transcript=tasks.transcript(lane, task),
            configuration=self.configuration,
        )
        return maker(self.backend)(commission)
