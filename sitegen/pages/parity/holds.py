"""The holds of a parity study in time order, over all its sealed runs. No later run and no decision takes one away."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from runner.contract.analysis.parity import ParityAnalysis
from runner.contract.evidence import CommittedSource
from runner.contract.holds import FindingHold, GateHold, holds_of
from runner.contract.parity.design import MEASUREMENT
from runner.contract.parity.disposition import GateDisposition
from runner.contract.parity.gate import Held
from runner.contract.plan import as_parity
from runner.reading.decision import SealedDecision
from sitegen import figures
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.decided import decisions_on
from sitegen.pages.edition import Edition
from sitegen.pages.gates import VerdictView, gate_words, verdict_view
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link
from sitegen.pages.parity.decisions import DecidedView, DecisionView, decided, decision_views
from sitegen.pages.parity.timings import Time, change_words, difference, time
from sitegen.pages.planned import task_words
from sitegen.pages.quotes import Bound
from sitegen.pages.run_order import in_time
from sitegen.sources import RunSource, StudySource

SHOWN_FINDINGS = 50
"""Of one run; its own page leads to all of them."""


@dataclass(frozen=True, slots=True)
class HeldGate:
    """One gate that holds one row."""

    row: str
    title: str
    gate: str
    base: Time
    head: Time
    difference: Bound | None
    change: str
    verdict: VerdictView
    judged: Bound
    admissible: bool
    decided: tuple[DecidedView, ...]


@dataclass(frozen=True, slots=True)
class HeldFinding:
    """One attempt that was judged and rejected."""

    attempt: Link
    arm: str
    row: str
    criteria: tuple[str, ...]
    decided: tuple[DecidedView, ...]


@dataclass(frozen=True, slots=True)
class RunHolds:
    """What one run holds, and everything that says which run it is."""

    run: Link
    when: str
    publication: Mark
    own: bool
    """Whether it is the run of this page."""
    commit: str
    """Empty where it is not known; `unknown` says why."""
    unknown: str
    protocol: str
    plan: str
    receipt: str
    """SHA-256 of run.json."""
    seal: str
    bound: Bound
    gates: tuple[HeldGate, ...]
    findings: tuple[HeldFinding, ...]
    further: int
    """Findings that are not shown."""
    decisions: tuple[DecisionView, ...]
    """What the owner decided on any of these, the earliest first."""


def study_holds(edition: Edition, source: StudySource, own: RunSource | None = None) -> tuple[RunHolds, ...]:
    """Every run of the study that holds something, the earliest first, whatever later ones came to."""
    return tuple(
        _run(edition, run, run.sealed.run.analysis, decisions_on(source, run), own=run is own)
        for run in in_time(source)
        if isinstance(run.sealed.run.analysis, ParityAnalysis)
        and run.sealed.run.analysis.disposition is GateDisposition.owner_review_hold
    )


def _run(
    edition: Edition, run: RunSource, analysis: ParityAnalysis, decisions: Sequence[SealedDecision], *, own: bool
) -> RunHolds:
    record, protocol = run.sealed.run, run.sealed.plan.study.protocol
    quotes = edition.quotes(run)
    known = isinstance(record.source, CommittedSource)
    return RunHolds(
        run=edition.link(run.id, edition.run_page(run)),
        when=figures.instant(record.started_at),
        publication=edition.publication(run),
        own=own,
        commit=record.source.commit if isinstance(record.source, CommittedSource) else "",
        unknown="" if isinstance(record.source, CommittedSource) else record.source.reason,
        protocol=f"{protocol.id} {protocol.version}",
        plan=record.plan_sha256,
        receipt=quotes.digest,
        seal=run.sealed.seal_sha256,
        bound=quotes.at("/source/commit" if known else "/source/reason"),
        gates=tuple(_gates(edition, run, analysis, decisions)),
        findings=tuple(_findings(edition, run, analysis, decisions)),
        further=max(0, len(analysis.findings) - SHOWN_FINDINGS),
        decisions=decision_views(
            edition, decisions, {hold.name: _called(edition, run, hold) for hold in holds_of(analysis)}
        ),
    )


def _called(edition: Edition, run: RunSource, hold: GateHold | FindingHold) -> str:
    """What a hold is called where it is decided on."""
    if isinstance(hold, FindingHold):
        return hold.attempt
    design, _ = as_parity(run.sealed.plan)
    row = task_words(edition, run.sealed.plan, MEASUREMENT, hold.row)
    return f"{row} · {edition.words(design.timing.gates[hold.number].title)}"


def _gates(
    edition: Edition, run: RunSource, analysis: ParityAnalysis, decisions: Sequence[SealedDecision]
) -> Iterator[HeldGate]:
    design, _ = as_parity(run.sealed.plan)
    quotes = edition.quotes(run)
    for place, measured in enumerate(analysis.measurements):
        for number, found in enumerate(measured.gates):
            if isinstance(found.judgement, Held):
                pointer = f"/analysis/measurements/{place}/gates/{number}"
                declared = design.timing.gates[found.gate]
                yield HeldGate(
                    row=task_words(edition, run.sealed.plan, MEASUREMENT, measured.row),
                    title=edition.words(declared.title),
                    gate=gate_words(edition, declared.gate),
                    base=time(edition, quotes, f"{pointer}/base", found.base),
                    head=time(edition, quotes, f"{pointer}/head", found.head),
                    difference=difference(edition, quotes, pointer, found),
                    change=change_words(edition, found),
                    verdict=verdict_view(edition, found.judgement),
                    judged=quotes.at(f"{pointer}/judgement/reason"),
                    admissible=measured.admissible,
                    decided=decided(edition, decisions, GateHold(row=measured.row, number=found.gate).name),
                )


def _findings(
    edition: Edition, run: RunSource, analysis: ParityAnalysis, decisions: Sequence[SealedDecision]
) -> Iterator[HeldFinding]:
    names = edition.subjects(run)
    for item in analysis.findings[:SHOWN_FINDINGS]:
        attempt = run.sealed.attempt(item.attempt)
        yield HeldFinding(
            attempt=edition.link(item.attempt, attempt_place(run, item.attempt)),
            arm=names[attempt.arm],
            row=task_words(edition, run.sealed.plan, attempt.arm, attempt.task),
            criteria=item.criteria,
            decided=decided(edition, decisions, FindingHold(attempt=item.attempt, criteria=item.criteria).name),
        )
