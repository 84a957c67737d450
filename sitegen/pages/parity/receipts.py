"""What each variant of each row came to, from its sealed documents, in no language: the receipts of a parity run."""

from collections.abc import Mapping
from dataclasses import dataclass

from runner.contract.analysis.parity import ParityAnalysis
from runner.contract.attempt import Attempt, Outcome, Verdict
from runner.contract.events import Exited
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.detail import HeldAgainst, ParityDetail, ParityFacts, VariantDetail
from runner.contract.parity.documents import read_inventory
from runner.contract.parity.inventory import INVENTORY_FILE
from runner.contract.parity.tasks import AskStep, CallStep, ParityTasks, RestartStep, Scenario, StopStep
from runner.contract.plan import Slot, as_parity
from sitegen.pages.attempt_place import counting
from sitegen.pages.parity.made_calls import MadeCall, made_calls
from sitegen.sources import RunSource, once_a_run


@dataclass(frozen=True, slots=True)
class Receipt:
    """One variant in one row."""

    arm: str
    attempt: str | None
    """The attempt that counts; None where none began."""
    line: int | None
    """Of attempts.jsonl."""
    outcome: Outcome
    calls: tuple[MadeCall, ...]
    """Every one that the harness made, in order."""
    called: MadeCall | None
    """The last call of the row's command; None where it did not come so far."""
    fingerprint: str | None
    """Over all entries of its inventory; None where it has none."""
    inventory: str | None
    """Where that is sealed."""
    entries: int | None
    comparison: HeldAgainst | None
    """None for a variant that is held against no other, or was not."""
    restarted: Verdict | None
    """Whether each restart and stop of the daemon was proved; None where the scenario has none."""


@dataclass(frozen=True, slots=True)
class RowReceipts:
    """One backend and scenario, in all variants."""

    index: int
    """In the analysis, from 0."""
    row: str
    backend: str
    scenario: str
    command: str
    """The step that its exit statuses are those of."""
    variants: tuple[Receipt, ...]


@once_a_run
def row_receipts(run: RunSource) -> tuple[RowReceipts, ...]:
    """The receipts of every row, in the order of the analysis. Raises ValueError for another study kind.

    Raises `SealMismatchError` for a document that is no longer as it was sealed.
    """
    design, tasks = as_parity(run.sealed.plan)
    return tuple(_row(run, design, tasks, index, row) for index, row in enumerate(tasks.rows))


def analysis_of(run: RunSource) -> ParityAnalysis:
    """What the run comes to. Raises ValueError for another study kind."""
    analysis = run.sealed.run.analysis
    if not isinstance(analysis, ParityAnalysis):
        raise ValueError(f"{run.sealed.run.study} is a {analysis.kind} and no parity study")  # noqa: TRY004
    return analysis


def facts_of(run: RunSource) -> ParityFacts:
    """What the run ran on. Raises ValueError for another study kind."""
    facts = run.sealed.run.facts
    if not isinstance(facts, ParityFacts):
        raise ValueError(f"{run.sealed.run.study} is a {facts.kind} and no parity study")  # noqa: TRY004
    return facts


def command_of(design: ParityDesign, scenario: Scenario) -> str:
    """The step that stands for a scenario: the one that is timed, or else its last call."""
    calls = [step.id for step in scenario.steps if isinstance(step, CallStep)]
    asks = [step.id for step in scenario.steps if isinstance(step, AskStep)]
    if design.timing.command in calls:
        return design.timing.command
    return (calls or asks or [""])[-1]


def current(run: RunSource, arm: str, row: str) -> Attempt | None:
    """The attempt of an arm at a row that counts; None if none began."""
    name = counting(run, Slot(arm=arm, task=row, trial=1))
    return run.sealed.attempt(name) if name else None


def _row(run: RunSource, design: ParityDesign, tasks: ParityTasks, index: int, row: str) -> RowReceipts:
    backend, scenario = tasks.row(row)
    command = command_of(design, scenario)
    variants = tuple(_receipt(run, scenario, command, variant.id, row) for variant in design.variants)
    return RowReceipts(index, row, backend, scenario.id, command, variants)


def _receipt(run: RunSource, scenario: Scenario, command: str, arm: str, row: str) -> Receipt:
    attempt = current(run, arm, row)
    if attempt is None:
        return Receipt(arm, None, None, Outcome.not_started, (), None, None, None, None, None, None)
    path = f"artifacts/{attempt.attempt}/{INVENTORY_FILE}"
    sealed = path in attempt.artifacts
    inventory = read_inventory(run.sealed.data, path) if sealed else None
    detail = attempt.detail
    did = detail.what if isinstance(detail, ParityDetail) else None
    comparison = did.comparison if isinstance(did, VariantDetail) else None
    calls = tuple(made_calls(scenario, run.sealed.events_in(attempt.events))) if attempt.events else ()
    return Receipt(
        arm=arm,
        attempt=attempt.attempt,
        line=run.sealed.line_of(attempt.attempt),
        outcome=attempt.outcome,
        calls=calls,
        called=next((item for item in reversed(calls) if item.step == command), None),
        fingerprint=inventory.fingerprint if inventory else None,
        inventory=path if inventory else None,
        entries=len(inventory.entries) if inventory else None,
        comparison=comparison if isinstance(comparison, HeldAgainst) else None,
        restarted=_restarted(scenario, {item.id: item.verdict for item in attempt.criteria}),
    )


def exit_of(call: MadeCall) -> int | None:
    """The exit status; None for a call that ended otherwise."""
    return call.end.code if isinstance(call.end, Exited) else None


def _restarted(scenario: Scenario, verdicts: Mapping[str, Verdict]) -> Verdict | None:
    """The worst of what was judged of restarts and stops."""
    steps = [step.id for step in scenario.steps if isinstance(step, RestartStep | StopStep)]
    found = {verdict for name, verdict in verdicts.items() if name.partition(".")[0] in steps}
    return next((one for one in (Verdict.not_met, Verdict.not_reached, Verdict.met) if one in found), None)
