"""Pages of two runs of one study side by side: what changed from one to the next, row by row. Nothing is averaged.

Each run is held against the one before it in time. What the later one came to changes nothing about the earlier one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise

from runner.contract.attempt import Outcome, ReasonCode
from runner.contract.evidence import CommittedSource
from sitegen import figures
from sitegen.pages import marks, place
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.attempt_table import attempt_table
from sitegen.pages.counts import Part, tally_view
from sitegen.pages.decided import disposition_mark
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.matrix import Heads, heads
from sitegen.pages.page import Link, PageView
from sitegen.pages.parity.gate_pairs import GatePair, gate_pairs
from sitegen.pages.parity.made_with import are_of_parity, made_with, repetition
from sitegen.pages.planned import task_words
from sitegen.pages.quotes import Bound
from sitegen.pages.run_order import in_time
from sitegen.pages.wording import system_words
from sitegen.sources import RunSource

SHOWN = 500
"""Rows that changed. The tables of both runs have all of them."""

Slot = tuple[str, str, int]
"""Arm, task and trial."""
Ends = Mapping[Slot, tuple[Outcome, str, str]]
"""How planned slots ended: outcome, code of the reason, and the attempt that counts; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs."""

    run: Link
    when: str
    publication: Mark
    disposition: Mark
    bound: Bound


@dataclass(frozen=True, slots=True)
class FactPair:
    """One thing that the runs were made with or on."""

    name: str
    older: str
    """Empty where it is not known; `newer` likewise."""
    newer: str
    digests: bool
    """Whether both are digests."""

    @property
    def same(self) -> bool:
        """Whether it is the same in both."""
        return self.older == self.newer


@dataclass(frozen=True, slots=True)
class CountPair:
    """One outcome in both runs."""

    mark: Mark
    older: Bound
    newer: Bound


@dataclass(frozen=True, slots=True)
class End:
    """How a slot ended in one run."""

    mark: Mark
    reason: str
    attempt: Link | None
    """None where none began, or none was planned."""


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """A slot that did not end alike in both."""

    arm: str
    task: str
    trial: int
    older: End
    newer: End


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRunsPage(PageView):
    """A run beside the one before it."""

    study: Link
    older: Side
    newer: Side
    facts: tuple[FactPair, ...]
    repetition: str
    """Of a parity study: whether both runs measured the same files."""
    planned: tuple[Bound, Bound]
    counts: tuple[CountPair, ...]
    heads: Heads
    rows: tuple[ChangedRow, ...]
    changed: int
    all: int
    """Slots of either run."""
    gates: tuple[GatePair, ...]
    """Of a parity study."""


def two_runs_pages(edition: Edition) -> Iterator[PageView]:
    """One page for each run that another of its study is before."""
    for source in edition.site.studies:
        for older, newer in pairwise(in_time(source)):
            yield _page(edition, older, newer)


def _page(edition: Edition, older: RunSource, newer: RunSource) -> TwoRunsPage:
    study = newer.sealed.plan.study
    ends = _ends(older), _ends(newer)
    changed = list(_changed(*ends))
    return TwoRunsPage(
        frame=edition.frame,
        path=place.two_runs(study.id, older.id, newer.id),
        template="two-runs.html",
        title=edition.say("two-runs.title", study=edition.words(study.title)),
        description=edition.say("two-runs.description", older=older.id, newer=newer.id),
        section="results",
        trail=edition.trail("results"),
        beside=edition.run_neighbours(newer),
        study=edition.link(edition.words(study.title), place.study(study.id)),
        older=_side(edition, older),
        newer=_side(edition, newer),
        facts=tuple(_facts(edition, older, newer)),
        repetition=repetition(edition, older, newer) if are_of_parity(older, newer) else "",
        planned=(edition.quotes(older).at("/tally/planned"), edition.quotes(newer).at("/tally/planned")),
        counts=_counts(edition, older, newer),
        heads=heads(edition, newer),
        rows=tuple(_row(edition, (older, newer), ends, slot) for slot in islice(changed, SHOWN)),
        changed=len(changed),
        all=len(ends[0].keys() | ends[1].keys()),
        gates=gate_pairs(edition, older, newer),
    )


def _side(edition: Edition, run: RunSource) -> Side:
    return Side(
        run=edition.link(run.id, edition.run_page(run)),
        when=figures.instant(run.sealed.run.started_at),
        publication=edition.publication(run),
        disposition=disposition_mark(edition, run),
        bound=edition.quotes(run).at("/analysis/disposition"),
    )


def _facts(edition: Edition, older: RunSource, newer: RunSource) -> Iterator[FactPair]:
    for name, digests, (left, right) in (
        ("fact.commit", True, map(_commit, (older, newer))),
        ("holds.plan", True, (older.sealed.run.plan_sha256, newer.sealed.run.plan_sha256)),
        ("fact.runner", True, (older.sealed.run.runner.sha256, newer.sealed.run.runner.sha256)),
        ("band.protocol", False, map(_protocol, (older, newer))),
        ("band.selection", False, (edition.catalog.word(run.sealed.run.selection) for run in (older, newer))),
        ("fact.tier", False, (edition.catalog.word(run.sealed.run.tier) for run in (older, newer))),
        ("fact.python", False, (run.sealed.run.environment.python for run in (older, newer))),
        ("fact.system", False, (system_words(run.sealed.run.environment) for run in (older, newer))),
        ("fact.cpus", False, (str(run.sealed.run.environment.cpus) for run in (older, newer))),
    ):
        yield FactPair(edition.say(name), left, right, digests)
    if are_of_parity(older, newer):
        for title, left, right in made_with(edition, older, newer):
            yield FactPair(title, left, right, digests=True)


def _commit(run: RunSource) -> str:
    source = run.sealed.run.source
    return source.commit if isinstance(source, CommittedSource) else ""


def _protocol(run: RunSource) -> str:
    protocol = run.sealed.plan.study.protocol
    return f"{protocol.id} {protocol.version}"


def _counts(edition: Edition, older: RunSource, newer: RunSource) -> tuple[CountPair, ...]:
    parts: list[tuple[Part, ...]] = [
        tally_view(run.sealed.run.tally, "/tally", edition.quotes(run), edition.catalog).parts for run in (older, newer)
    ]
    return tuple(CountPair(one.mark, one.count, other.count) for one, other in zip(*parts, strict=True))


def _ends(run: RunSource) -> Ends:
    ends = {(slot.arm, slot.task, slot.trial): (Outcome.not_started, "", "") for slot in run.sealed.plan.slots}
    table, counting = attempt_table(run), run.sealed.current
    chosen = {column.key: column for column in table.choices}
    outcomes, reasons = chosen["outcome"], chosen["reason"]
    for row, name in enumerate(table.names.names):
        if name in counting:
            arm, task, trial, *_ = name.split(".")
            outcome, reason = outcomes.values[outcomes.codes[row]], reasons.values[reasons.codes[row]]
            ends[arm, task, int(trial)] = Outcome(outcome), reason, name
    return ends


def _changed(before: Ends, after: Ends) -> Iterator[Slot]:
    """Every slot that ended otherwise, or that one of them did not plan: in the order of the newer plan."""
    for slot in (*after, *(slot for slot in before if slot not in after)):
        one, other = before.get(slot), after.get(slot)
        if one is None or other is None or one[:2] != other[:2]:
            yield slot


def _row(edition: Edition, runs: tuple[RunSource, RunSource], ends: tuple[Ends, Ends], slot: Slot) -> ChangedRow:
    arm, task, trial = slot
    planned = runs[slot in ends[1]].sealed.plan  # the newer one's, if it has the slot
    older, newer = (_end(edition, run, found.get(slot)) for run, found in zip(runs, ends, strict=True))
    return ChangedRow(edition.arms(planned)[arm], task_words(edition, planned, arm, task), trial, older, newer)


def _end(edition: Edition, run: RunSource, found: tuple[Outcome, str, str] | None) -> End:
    if found is None:
        return End(marks.named("cell", "not planned", edition.catalog), "", None)
    outcome, reason, name = found
    return End(
        marks.outcome(outcome, edition.catalog),
        edition.catalog.word(ReasonCode(reason)) if reason else "",
        edition.link(name, attempt_place(run, name)) if name else None,
    )
