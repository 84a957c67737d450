"""The report of one sealed run: what was found, in which denominators, and on what it ran.

A dated result page and the page of a run without a result show the same report.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from runner.contract.analysis.comparison import ComparisonAnalysis
from runner.contract.analysis.parity import ParityAnalysis
from runner.contract.analysis.qualification import QualificationAnalysis
from runner.contract.attempt import Outcome, Verdict
from runner.contract.plan import Selection
from runner.contract.seal import PLAN_FILE, RUN_FILE, SEAL_FILE
from sitegen import figures
from sitegen.pages import place
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.counts import TallyView, tally_view
from sitegen.pages.decided import disposition_mark
from sitegen.pages.edition import Edition
from sitegen.pages.happenings import Versus, judged
from sitegen.pages.marks import Mark
from sitegen.pages.matrix import Matrix, matrix, of_kind
from sitegen.pages.page import Link
from sitegen.pages.planned import statement_words, task_words
from sitegen.pages.surroundings import Fact, facts
from sitegen.pages.wording import Phrase, weave
from sitegen.sources import RunSource

OPTIONS = {
    Selection.quick: " --quick",
    Selection.correctness_only: " --correctness-only",
    Selection.reduced_timings: " --reduced-timings",
}
"""What asks for a run that leaves the same out."""
SHOWN_FINDINGS = 50
"""A page of ten thousand findings is read by nobody; the table has them all."""


@dataclass(frozen=True, slots=True)
class Seal:
    """One of the three seals of a run: a digest with its file and its instant."""

    name: str
    what: str
    file: str
    target: str
    digest: str
    when: str
    rows: tuple[str, ...]
    """The first sixteen digits in fours, as the impression shows them."""


@dataclass(frozen=True, slots=True)
class CountRow:
    """One named denominator: the whole run or one subject."""

    name: str
    counts: TallyView
    whole: bool


@dataclass(frozen=True, slots=True)
class FindingView:
    """An attempt that a subject failed."""

    attempt: Link
    subject: str
    title: str
    statement: str
    versus: tuple[Versus, ...]


@dataclass(frozen=True, slots=True)
class Further:
    """What a list leaves out, and where all of it stands."""

    said: str
    every: Link


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a page says about one sealed run."""

    study: Link
    run: str
    publication: Mark
    published: bool
    selection: str
    disposition: Mark
    found: Phrase
    tally: TallyView
    seals: tuple[Seal, ...]
    matrix: Matrix
    counts: tuple[CountRow, ...]
    findings: tuple[FindingView, ...]
    further: Further | None
    """The findings beyond those shown."""
    facts: tuple[Fact, ...]
    claims: tuple[str, ...]
    limits: tuple[str, ...]
    standing: tuple[str, ...]
    """What no run of this study kind establishes, whatever its study says."""
    not_established: str
    commands: tuple[str, ...]
    attempts: Link
    evidence: Link
    before: tuple[Link, ...]
    """The page that shows the run beside the one before it, if there is one."""
    digest: str
    """SHA-256 of run.json, which all numbers come from."""


def report(edition: Edition, run: RunSource) -> Report:
    """The report of `run`."""
    sealed, quotes = run.sealed, edition.quotes(run)
    study = sealed.plan.study
    names = edition.subjects(run)
    whole, *arms = count_rows(edition, run)
    pieces = {"accepted": whole.counts.accepted, "planned": whole.counts.planned, "rejected": whole.counts.rejected}
    disposition = sealed.run.analysis.disposition
    findings = sealed.run.analysis.findings
    return Report(
        study=edition.link(edition.words(study.title), place.study(study.id)),
        run=run.id,
        publication=edition.publication(run),
        published=run.published,
        selection=edition.catalog.word(sealed.run.selection),
        disposition=disposition_mark(edition, run),
        found=weave(edition.catalog, f"found.{disposition}{of_kind(run)}", pieces),
        tally=whole.counts,
        seals=seals(edition, run),
        matrix=matrix(edition, run),
        counts=(whole, *arms),
        findings=tuple(_finding(edition, run, names, item.attempt) for item in findings[:SHOWN_FINDINGS]),
        further=_further(edition, run, len(findings) - SHOWN_FINDINGS),
        facts=facts(edition, run, quotes),
        claims=tuple(edition.words(claim.text) for claim in study.claims),
        limits=tuple(edition.words(limit.text) for limit in study.limits),
        standing=standing(edition, run),
        not_established=edition.say(f"report.not-established-text{of_kind(run)}"),
        commands=commands(run),
        attempts=edition.link(edition.say("report.all-attempts"), place.attempts(study.id, run.id)),
        evidence=edition.link(edition.say("report.evidence"), place.evidence(study.id, run.id)),
        before=edition.beside_before(run),
        digest=quotes.digest,
    )


def seals(edition: Edition, run: RunSource) -> tuple[Seal, ...]:
    """The seals over the plan, the run and the whole folder."""
    sealed = run.sealed
    stated = (
        ("plan", PLAN_FILE, sealed.run.plan_sha256, sealed.run.started_at),
        ("run", RUN_FILE, edition.quotes(run).digest, sealed.run.ended_at),
        ("result", SEAL_FILE, sealed.seal_sha256, sealed.run.ended_at),
    )
    return tuple(
        Seal(
            name=edition.say(f"seal.{name}"),
            what=edition.say(f"seal.{name}.what"),
            file=file,
            target=place.sealed_file(sealed.run.study, run.id, file),
            digest=digest,
            when=figures.instant(when),
            rows=tuple(digest[start : start + 4] for start in range(0, 16, 4)),
        )
        for name, file, digest, when in stated
    )


def commands(run: RunSource) -> tuple[str, ...]:
    """What a reader types to check this run and to make one of their own."""
    study, name = run.sealed.run.study, run.id
    folder = f"manifests/{study}/evidence/{name}" if run.published else f".sealbook/runs/{study}/{name}/sealed"
    option = OPTIONS.get(run.sealed.run.selection, "")
    return (
        f"cd {folder} && sha256sum --strict -c {SEAL_FILE}",
        f"sealbook verify {folder}",
        f"sealbook prepare {study}\nsealbook run {study}{option}",
    )


def count_rows(edition: Edition, run: RunSource) -> tuple[CountRow, ...]:
    """The outcomes of the whole run, and then of each subject."""
    record, quotes = run.sealed.run, edition.quotes(run)
    titles = edition.subjects(run)
    whole = tally_view(record.tally, "/tally", quotes, edition.catalog)
    arms = (
        (titles[arm.arm], tally_view(arm.tally, f"/analysis/arms/{index}/tally", quotes, edition.catalog))
        for index, arm in enumerate(record.analysis.arms)
    )
    return (
        CountRow(edition.say("counts.whole"), whole, whole=True),
        *(CountRow(title, counts, whole=False) for title, counts in arms),
    )


def standing(edition: Edition, run: RunSource) -> tuple[str, ...]:
    """What no run of this study kind establishes."""
    analysis = run.sealed.run.analysis
    match analysis:
        case ComparisonAnalysis():
            replayed = ("fixture", "replayed") if analysis.fixture else ()
            keys: tuple[str, ...] = ("compared", *replayed, "scope-compared", "not-ranked")
        case ParityAnalysis():
            keys = ("parity", "scope-parity", "later-parity", "timings-parity")
        case QualificationAnalysis():
            keys = ("qualification", "recovery", "scope", "hosts", "commands", "not-offered")
        case _:
            assert_never(analysis)
    return tuple(edition.say(f"standing.{key}") for key in keys)


def _further(edition: Edition, run: RunSource, number: int) -> Further | None:
    if number <= 0:
        return None
    table = f"{place.attempts(run.sealed.run.study, run.id)}?outcome={Outcome.rejected.value}"
    every = edition.link(edition.say("report.every-finding"), table)
    return Further(edition.say("report.further-findings", n=number), every)


def _finding(edition: Edition, run: RunSource, names: Mapping[str, str], attempt_id: str) -> FindingView:
    sealed = run.sealed
    attempt = sealed.attempt(attempt_id)
    return FindingView(
        attempt=edition.link(attempt_id, attempt_place(run, attempt_id)),
        subject=names[attempt.arm],
        title=task_words(edition, sealed.plan, attempt.arm, attempt.task),
        statement=statement_words(edition, sealed.plan, attempt.arm, attempt.task),
        versus=judged(sealed.events(attempt_id), edition.catalog, only=frozenset({Verdict.not_met})),
    )
