"""The receipts of a parity run as its page shows them, what they all rest on, and which rules were used."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from runner.contract.attempt import Verdict
from runner.contract.comparison.tasks import PinnedText
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.detail import CommitFacts
from runner.contract.parity.tasks import CallStep, ParityTasks
from runner.contract.plan import as_parity
from runner.contract.seal import tree_digest
from sitegen import figures
from sitegen.pages import marks, place
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.edition import Edition
from sitegen.pages.happenings import ending
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link
from sitegen.pages.parity.change import revision_words
from sitegen.pages.parity.made_calls import counted
from sitegen.pages.parity.receipts import Receipt, RowReceipts, analysis_of, facts_of, row_receipts
from sitegen.pages.parity.steps import INTERPRETER
from sitegen.pages.planned import task_words
from sitegen.pages.quotes import Bound
from sitegen.pages.wording import command
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """One variant of a row."""

    variant: str
    attempt: Link | None
    mark: Mark
    ended: str
    """How the row's command ended; empty where it was not reached."""
    output: str
    """SHA-256 of its standard output; empty likewise."""
    fingerprint: str
    """Over all outputs and all durable state; empty where there is none."""
    inventory: Link | None
    compared: str
    """How many entries are the same bytes as those of which variant; empty where nothing was compared."""
    restart: Mark | None
    calls: str
    """How many calls were made of each operation; empty where no attempt began."""


@dataclass(frozen=True, slots=True)
class RowView:
    """One backend and scenario."""

    title: str
    mark: Mark
    state: Bound
    command: str
    variants: tuple[ReceiptView, ...]


@dataclass(frozen=True, slots=True)
class Ground:
    """What the receipts rest on: a name, words, and a digest that stands in run.json or in the plan."""

    name: str
    said: str
    digest: str
    bound: Bound | None
    """None where it was computed here from pinned digests."""


def row_views(edition: Edition, run: RunSource) -> tuple[RowView, ...]:
    """Every row with the receipts of all variants."""
    names = edition.subjects(run)
    return tuple(_row(edition, run, names, row) for row in row_receipts(run))


def grounds(edition: Edition, run: RunSource) -> tuple[Ground, ...]:
    """What all receipts of the run have in common: variants, fixture, harness, entry point."""
    return tuple(_grounds(edition, run))


def fixture_files(design: ParityDesign, tasks: ParityTasks) -> tuple[PinnedText, ...]:
    """Every pinned file that attempts are given; what lists other open changes is none."""
    return tuple(file for file in tasks.files if file.path not in design.overlaps.values())


def fixture_digest(design: ParityDesign, tasks: ParityTasks) -> str:
    """One digest over every pinned file that attempts are given: the SHA-256 of their sorted `sha256sum` lines."""
    return tree_digest((file.path, file.sha256) for file in fixture_files(design, tasks))


def entry_point(design: ParityDesign, tasks: ParityTasks) -> str:
    """The command that is timed, as the scenarios freeze it."""
    for scenario in tasks.scenarios:
        for step in scenario.steps:
            if step.id == design.timing.command and isinstance(step, CallStep):
                return command((*INTERPRETER, *step.args))
    return command(INTERPRETER)


def _row(edition: Edition, run: RunSource, names: Mapping[str, str], row: RowReceipts) -> RowView:
    called = next((item.called for item in row.variants if item.called), None)
    return RowView(
        title=task_words(edition, run.sealed.plan, row.variants[0].arm, row.row),
        mark=marks.of_parity(analysis_of(run).rows[row.index].state, edition.catalog),
        state=edition.quotes(run).at(f"/analysis/rows/{row.index}/state"),
        command=command(called.argv) if called else "",
        variants=tuple(_receipt(edition, run, names, item) for item in row.variants),
    )


def _receipt(edition: Edition, run: RunSource, names: Mapping[str, str], item: Receipt) -> ReceiptView:
    catalog, study = edition.catalog, run.sealed.run.study
    return ReceiptView(
        variant=names[item.arm],
        attempt=edition.link(item.attempt, attempt_place(run, item.attempt)) if item.attempt else None,
        mark=marks.outcome(item.outcome, catalog),
        ended=ending(item.called.end, catalog) if item.called else "",
        output=item.called.stdout_sha256 if item.called else "",
        fingerprint=item.fingerprint or "",
        inventory=(
            Link(item.inventory.rpartition("/")[2], place.sealed_file(study, run.id, item.inventory))
            if item.inventory
            else None
        ),
        compared=_compared(edition, names, item),
        restart=_restart(edition, item.restarted),
        calls=_calls(edition, run, item),
    )


def _calls(edition: Edition, run: RunSource, item: Receipt) -> str:
    """How many calls an attempt made, and where there is a daemon, of each operation; empty without an attempt."""
    if not item.attempt:
        return ""
    if as_parity(run.sealed.plan)[0].daemon is None:
        return figures.count(len(item.calls), edition.catalog)
    return edition.say("receipt.calls-made", all=len(item.calls), **counted(item.calls))


def _compared(edition: Edition, names: Mapping[str, str], item: Receipt) -> str:
    found = item.comparison
    if found is None:
        return ""
    counts = {"equal": found.equal, "entries": found.entries, "unexplained": found.unexplained}
    return edition.say("receipt.compared", against=names[found.against], **counts)


def _restart(edition: Edition, verdict: Verdict | None) -> Mark | None:
    return None if verdict is None else marks.verdict(verdict, edition.catalog)


def _grounds(edition: Edition, run: RunSource) -> Iterator[Ground]:
    say, quotes = edition.say, edition.quotes(run)
    design, tasks = as_parity(run.sealed.plan)
    facts = facts_of(run)
    for index, item in enumerate(facts.variants):
        variant = design.variant(item.variant)
        pointer, built = f"/facts/variants/{index}", edition.catalog.word(variant.build)
        if isinstance(item, CommitFacts):
            said, digest, bound = f"{revision_words(variant)} · {built}", item.tree, quotes.at(f"{pointer}/tree")
        else:
            said, digest = f"{variant.revision} · {built} · {item.artifact.path}", item.artifact.sha256
            bound = quotes.at(f"{pointer}/artifact/sha256")
        yield Ground(edition.words(variant.title), said, digest, bound)
    files = say("receipt.fixture-files", n=len(fixture_files(design, tasks)))
    yield Ground(say("receipt.fixture"), files, fixture_digest(design, tasks), None)
    yield Ground(say("fact.harness"), "", facts.harness, quotes.at("/facts/harness"))
    yield Ground(say("receipt.entry-point"), entry_point(design, tasks), "", None)
    clock = figures.instant(design.clock)
    yield Ground(say("receipt.comparison"), say("receipt.comparison-text", clock=clock), "", None)
