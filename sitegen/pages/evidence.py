"""Evidence pages: every sealed file, what run.json says value by value, and how to check it alone.

The anchors of this page are what numbers elsewhere link to.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import assert_never

from runner.contract.analysis.comparison import CellResult, ComparisonAnalysis
from runner.contract.analysis.parity import ParityAnalysis
from runner.contract.analysis.qualification import FeatureResult, QualificationAnalysis
from runner.contract.canonical import Json
from runner.contract.evidence import Commitment
from runner.contract.seal import COMMITMENTS_FILE, DECISION_FILE, DECISION_FORM, RUN_FILE, SEAL_FILE
from runner.contract.tally import Tally
from runner.contract.values import FileDigest
from runner.reading.decision import SealedDecision
from sitegen import figures
from sitegen.pages import place
from sitegen.pages.attempt_parts import SealedFile, sealed_file
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.attempt_records import commitments, committed
from sitegen.pages.decided import decisions_on
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link, PageView
from sitegen.pages.report import Seal, commands, seals
from sitegen.sources import RunSource

COUNTS = tuple(Tally.model_fields)
SHOWN_FILES = 500
SHOWN_COMMITMENTS = 100


@dataclass(frozen=True, slots=True)
class QuotedCount:
    """One number of a tally, at its anchor."""

    anchor: str
    value: str
    zero: bool


@dataclass(frozen=True, slots=True)
class QuotedTally:
    """One tally of run.json."""

    name: str
    pointer: str
    counts: tuple[QuotedCount, ...]


@dataclass(frozen=True, slots=True)
class QuotedValue:
    """Any other value of run.json."""

    anchor: str
    pointer: str
    value: str


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """How the list shows the evidence of one run."""

    link: Link
    study: Link
    publication: Mark
    files: int
    size: str
    seal: str


@dataclass(frozen=True, slots=True)
class CommitmentGroup:
    """What one attempt left behind and what is not published of it."""

    attempt: Link
    items: tuple[Commitment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceListPage(PageView):
    """The evidence of all runs."""

    runs: tuple[EvidenceLine, ...]
    schemas: Link


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePage(PageView):
    """The evidence of one run."""

    study: Link
    run: str
    publication: Mark
    published: bool
    seals: tuple[Seal, ...]
    seal_file: Link
    run_file: Link
    crate: Link
    """The same files for archives and catalogues, as RO-Crate metadata."""
    run_digest: str
    commands: tuple[str, ...]
    files: tuple[SealedFile, ...]
    """The first ones; SHA256SUMS lists all."""
    count: int
    """Of all files."""
    total: str
    count_names: tuple[str, ...]
    tallies: tuple[QuotedTally, ...]
    values: tuple[QuotedValue, ...]
    decisions: tuple[SealedFile, ...]
    """The records of what the owner decided on its holds: files beside the run, not of it."""
    commitments: tuple[CommitmentGroup, ...]
    """Of the first attempts that have any."""
    commitments_file: Link
    kept_back: int
    """Files of all attempts."""
    further_commitments: int
    """Attempts that have some and are not shown."""


def evidence_pages(edition: Edition) -> Iterator[PageView]:
    """The list, then one page a run."""
    runs = [run for study in edition.site.studies for run in study.runs]
    yield EvidenceListPage(
        frame=edition.frame,
        path=place.EVIDENCE,
        template="evidence-index.html",
        title=edition.say("nav.evidence"),
        description=edition.say("evidence.description"),
        section="evidence",
        trail=edition.trail("evidence")[:1],
        runs=tuple(_line(edition, run) for run in runs),
        schemas=edition.link(edition.say("evidence.schemas"), place.SCHEMAS),
    )
    for run in runs:
        yield _page(edition, run)


def _line(edition: Edition, run: RunSource) -> EvidenceLine:
    sealed = run.sealed
    study = sealed.plan.study
    return EvidenceLine(
        link=edition.link(run.id, place.evidence(study.id, run.id)),
        study=edition.link(edition.words(study.title), place.study(study.id)),
        publication=edition.publication(run),
        files=len(sealed.files),
        size=figures.size(sum(file.bytes for file in sealed.files), edition.catalog),
        seal=sealed.seal_sha256,
    )


def _page(edition: Edition, run: RunSource) -> EvidencePage:
    sealed = run.sealed
    study = sealed.plan.study
    quotes = edition.quotes(run)
    tallies = _tallies(edition, run)
    told = {tally.pointer for tally in tallies}
    kept_back = committed(run)
    return EvidencePage(
        frame=edition.frame,
        path=place.evidence(study.id, run.id),
        template="evidence.html",
        title=edition.say("evidence.title", run=run.id),
        description=edition.words(study.title),
        section="evidence",
        trail=edition.trail("evidence"),
        beside=edition.run_neighbours(run),
        study=edition.link(edition.words(study.title), place.study(study.id)),
        run=run.id,
        publication=edition.publication(run),
        published=run.published,
        seals=seals(edition, run),
        seal_file=Link(SEAL_FILE, place.sealed_file(study.id, run.id, SEAL_FILE)),
        crate=Link("ro-crate-metadata.json", place.crate(study.id, run.id)),
        run_file=Link(RUN_FILE, place.sealed_file(study.id, run.id, RUN_FILE)),
        run_digest=quotes.digest,
        commands=commands(run)[:2],
        files=tuple(sealed_file(edition, run, file) for file in shown_files(sealed.files)),
        count=len(sealed.files),
        total=figures.size(sum(file.bytes for file in sealed.files), edition.catalog),
        count_names=tuple(edition.say(f"count.{name}") for name in COUNTS),
        tallies=tallies,
        values=tuple(_values(quotes.document, "", told)),
        decisions=tuple(_decision(edition, item) for item in decisions_on(edition.site.study(study.id), run)),
        commitments=tuple(_group(edition, run, attempt) for attempt in islice(kept_back, SHOWN_COMMITMENTS)),
        commitments_file=Link(COMMITMENTS_FILE, place.sealed_file(study.id, run.id, COMMITMENTS_FILE)),
        kept_back=len(sealed.commitments),
        further_commitments=max(0, len(kept_back) - SHOWN_COMMITMENTS),
    )


def shown_files(files: Collection[FileDigest]) -> Iterator[FileDigest]:
    """Those that the page lists: what is no attempt's own, and the first ones of attempts."""
    own = 0
    for file in files:
        own += "/" in file.path
        if "/" not in file.path or own <= SHOWN_FILES:
            yield file


def _decision(edition: Edition, item: SealedDecision) -> SealedFile:
    name = item.decision.decision
    link = Link(
        f"{DECISION_FORM.place}/{name}/{DECISION_FILE}", place.decision_file(item.decision.study, name, DECISION_FILE)
    )
    file = item.sealed.files[DECISION_FILE]
    return SealedFile(link, figures.size(file.bytes, edition.catalog), file.sha256)


def _group(edition: Edition, run: RunSource, attempt: str) -> CommitmentGroup:
    return CommitmentGroup(edition.link(attempt, attempt_place(run, attempt)), commitments(run, attempt))


def _tallies(edition: Edition, run: RunSource) -> tuple[QuotedTally, ...]:
    record, tasks = run.sealed.run, run.sealed.plan.tasks
    names = edition.subjects(run)
    found = [_tally(edition, edition.say("counts.whole"), "/tally", record.tally)]
    found += [
        _tally(edition, names[arm.arm], f"/analysis/arms/{index}/tally", arm.tally)
        for index, arm in enumerate(record.analysis.arms)
    ]
    parts: list[tuple[str, str, CellResult | FeatureResult]] = []
    match record.analysis:
        case ComparisonAnalysis():
            parts += [
                ("cells", edition.words(tasks.check(item.arm, item.task).title), item) for item in record.analysis.cells
            ]
        case QualificationAnalysis():
            parts += [("features", edition.catalog.word(item.feature), item) for item in record.analysis.features]
        case ParityAnalysis():
            pass  # a row is one attempt a variant
        case _:
            assert_never(record.analysis)
    found += [
        _tally(edition, f"{names[item.arm]} · {words}", f"/analysis/{part}/{index}/tally", item.tally)
        for index, (part, words, item) in enumerate(parts)
    ]
    return tuple(found)


def _tally(edition: Edition, name: str, pointer: str, counts: Tally) -> QuotedTally:
    numbers = {field: getattr(counts, field) for field in COUNTS}
    return QuotedTally(
        name=name,
        pointer=pointer,
        counts=tuple(
            QuotedCount(
                anchor=place.anchor(RUN_FILE, f"{pointer}/{field}"),
                value=figures.count(number, edition.catalog),
                zero=number == 0,
            )
            for field, number in numbers.items()
        ),
    )


def _values(value: Json, pointer: str, told: set[str]) -> Iterator[QuotedValue]:
    """Every value outside the tallies; a list has an anchor of its own, for its length."""
    if pointer in told:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _values(item, f"{pointer}/{key}", told)
    elif isinstance(value, list):
        yield QuotedValue(place.anchor(RUN_FILE, pointer), pointer, f"[{len(value)}]")
        for index, item in enumerate(value):
            yield from _values(item, f"{pointer}/{index}", told)
    else:
        words = value if isinstance(value, str) else "null" if value is None else str(value)
        yield QuotedValue(place.anchor(RUN_FILE, pointer), pointer, words)
