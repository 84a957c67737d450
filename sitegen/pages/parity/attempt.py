"""What an attempt of a parity study shows beside what every attempt does: its entries, and how they differ."""

from dataclasses import dataclass
from itertools import islice

from runner.contract.attempt import Attempt
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.detail import HeldAgainst, MeasurementDetail, MutantDetail, ParityDetail, VariantDetail
from runner.contract.parity.difference import COMPARISON_FILE
from runner.contract.parity.documents import read_compared, read_inventory
from runner.contract.parity.inventory import INVENTORY_FILE
from sitegen import figures
from sitegen.pages.attempt_parts import Line, Number, SealedFile, sealed_file
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.edition import Edition
from sitegen.pages.page import Link
from sitegen.pages.parity.differences import DifferencesView, differences_view
from sitegen.pages.parity.timings import row_anchor
from sitegen.sources import RunSource

SHOWN_ENTRIES = 200
"""The sealed inventory has them all."""


@dataclass(frozen=True, slots=True)
class EntryView:
    """One stream, file or row of a database."""

    path: str
    form: str
    size: str
    digest: str


@dataclass(frozen=True, slots=True)
class InventoryView:
    """All that one attempt put out and kept, by its digests."""

    file: SealedFile
    fingerprint: str
    count: str
    processes: str
    entries: tuple[EntryView, ...]
    further: int


@dataclass(frozen=True, slots=True)
class ComparedView:
    """The entries held against those of another variant."""

    file: SealedFile
    against: Link
    counts: tuple[Number, ...]
    differences: DifferencesView


@dataclass(frozen=True, slots=True)
class MutantView:
    """The changed copy of this attempt."""

    file: str
    matches: Number
    original: str
    mutant: str
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SamplesView:
    """How many samples of a measure and variant were taken."""

    measure: str
    variant: str
    taken: str
    planned: str


@dataclass(frozen=True, slots=True)
class ParityAttempt:
    """One attempt of a parity study."""

    inventory: InventoryView | None
    compared: ComparedView | None
    mutant: MutantView | None
    samples: tuple[SamplesView, ...]
    line: Line
    """Where its counts stand."""
    report: Link | None
    """Where the run's page shows the measurement; None for other attempts."""


def parity_attempt(edition: Edition, run: RunSource, attempt: Attempt, line: Line) -> ParityAttempt | None:
    """What is shown of an attempt; `line` is that of attempts.jsonl. None for another study kind."""
    design = run.sealed.plan.study.design
    if not isinstance(design, ParityDesign) or not isinstance(attempt.detail, ParityDetail):
        return None
    did, names = attempt.detail.what, edition.subjects(run)
    comparison = did.comparison if isinstance(did, VariantDetail) else None
    mutant = None
    if isinstance(did, MutantDetail):
        matches = Number(edition.say("mutant.matches"), figures.count(did.matches, edition.catalog), line)
        mutant = MutantView(did.file, matches, did.original_sha256, did.mutant_sha256, did.failed)
    counts = did.samples if isinstance(did, MeasurementDetail) else ()
    return ParityAttempt(
        inventory=_inventory(edition, run, attempt),
        compared=(
            _compared(edition, run, design, attempt, comparison, line) if isinstance(comparison, HeldAgainst) else None
        ),
        mutant=mutant,
        samples=tuple(
            SamplesView(
                edition.catalog.word(item.measure),
                names[item.variant],
                figures.count(item.taken, edition.catalog),
                figures.count(item.planned, edition.catalog),
            )
            for item in counts
        ),
        line=line,
        report=(
            edition.link(edition.say("measured.on-page"), f"{edition.run_page(run)}#{row_anchor(attempt.task)}")
            if counts
            else None
        ),
    )


def _inventory(edition: Edition, run: RunSource, attempt: Attempt) -> InventoryView | None:
    path = f"artifacts/{attempt.attempt}/{INVENTORY_FILE}"
    if path not in attempt.artifacts:
        return None
    found = read_inventory(run.sealed.data, path)
    return InventoryView(
        file=sealed_file(edition, run, run.sealed.file(path)),
        fingerprint=found.fingerprint,
        count=figures.count(len(found.entries), edition.catalog),
        processes=edition.say("list.comma").join(str(process) for process in found.processes),
        entries=tuple(
            EntryView(
                entry.path, edition.catalog.word(entry.form), figures.size(entry.bytes, edition.catalog), entry.sha256
            )
            for entry in islice(found.entries, SHOWN_ENTRIES)
        ),
        further=max(0, len(found.entries) - SHOWN_ENTRIES),
    )


def _compared(
    edition: Edition, run: RunSource, design: ParityDesign, attempt: Attempt, stated: HeldAgainst, line: Line
) -> ComparedView | None:
    path = f"artifacts/{attempt.attempt}/{COMPARISON_FILE}"
    if path not in attempt.artifacts:
        return None
    found = read_compared(run.sealed.data, path)
    return ComparedView(
        file=sealed_file(edition, run, run.sealed.file(path)),
        against=edition.link(found.left, attempt_place(run, found.left)),
        counts=tuple(
            Number(edition.say(f"difference.count-{name}"), figures.count(value, edition.catalog), line)
            for name, value in (
                ("entries", stated.entries),
                ("equal", stated.equal),
                ("spelling", stated.spelling),
                ("unexplained", stated.unexplained),
            )
        ),
        differences=differences_view(edition, design, found.differences),
    )
