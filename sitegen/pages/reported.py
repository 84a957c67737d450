"""Pages of what somebody else published: the list, and one page a record. Nothing on them was run here."""

from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.parity.gate import Held
from runner.contract.reported.recompute import MeasuredResult, RowResult, VersionResult
from runner.contract.reported.record import Reported
from sitegen.pages import marks, place
from sitegen.pages.edition import Edition
from sitegen.pages.gates import VerdictView, gate_words, verdict_view
from sitegen.pages.marks import Mark, named
from sitegen.pages.page import Link, PageView
from sitegen.pages.reported_identity import Quoted, circumstances, identity, quoted
from sitegen.pages.reported_rows import (
    LIST_DECIMALS,
    TABLE_DECIMALS,
    Figure,
    MeasuredView,
    change_words,
    difference_words,
    figure,
    measured_view,
)
from sitegen.sources import ReportedSource

RECORD_FILE = "record.json"
VIEW_FILE = "view.json"
ROWS_FILE = "rows.csv"


@dataclass(frozen=True, slots=True)
class HoldView:
    """One row that is held, with everything that says which version it belongs to."""

    version: Link
    what: str
    """Measure and case."""
    base: Figure
    head: Figure
    difference: str
    change: str
    """To six decimals."""
    rounded: str
    """As lists show it."""
    gate: str
    verdict: VerdictView
    identity: tuple[Quoted, ...]


@dataclass(frozen=True, slots=True)
class VersionView:
    """One version, by its own rows."""

    anchor: str
    name: str
    occasion: str
    disposition: Mark
    identity: tuple[Quoted, ...]
    circumstances: tuple[Quoted, ...]
    measured: tuple[MeasuredView, ...]


@dataclass(frozen=True, slots=True)
class DiffersView:
    """A place where what is published does not follow: both values, and what is said of it."""

    at: str
    what: str
    published: str
    computed: str
    text: str


@dataclass(frozen=True, slots=True)
class ReportedLine:
    """How lists show a record."""

    link: Link
    summary: str
    mark: Mark
    disposition: Mark
    counts: str
    holds: tuple[HoldView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedListPage(PageView):
    """All records."""

    records: tuple[ReportedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedPage(PageView):
    """One record."""

    source: ReportedSource
    mark: Mark
    disposition: Mark
    stated: Quoted
    """The disposition of all versions together, as published."""
    found: str
    summary: str
    subject: str
    publication: Link
    """Its words are its address; its target is empty where it is no web address."""
    who: str
    published: Quoted
    transcribed: str
    holds: tuple[HoldView, ...]
    versions: tuple[VersionView, ...]
    said: tuple[str, ...]
    limits: tuple[str, ...]
    differs: tuple[DiffersView, ...]
    data: tuple[Link, ...]
    digest: str
    command: str


def reported_pages(edition: Edition) -> Iterator[PageView]:
    """The list, then one page a record."""
    yield ReportedListPage(
        frame=edition.frame,
        path=place.REPORTED,
        template="reported-list.html",
        title=edition.say("reported.title"),
        description=edition.say("reported.description"),
        section="results",
        trail=edition.trail("results"),
        records=reported_lines(edition),
    )
    for source in edition.site.reported:
        yield _page(edition, source)


def reported_lines(edition: Edition) -> tuple[ReportedLine, ...]:
    """Every record, as lists show it."""
    return tuple(_line(edition, source) for source in edition.site.reported)


def _line(edition: Edition, source: ReportedSource) -> ReportedLine:
    record = source.record
    return ReportedLine(
        link=edition.link(edition.words(record.title), place.reported(record.id)),
        summary=edition.words(record.summary),
        mark=_mark(edition),
        disposition=marks.gate_disposition(source.found.disposition, edition.catalog),
        counts=_found(edition, source),
        holds=_holds(edition, source),
    )


def _page(edition: Edition, source: ReportedSource) -> ReportedPage:
    record, path = source.record, place.reported(source.id)
    return ReportedPage(
        frame=edition.frame,
        path=path,
        template="reported.html",
        title=edition.words(record.title),
        description=edition.words(record.summary),
        section="results",
        trail=edition.trail("results", edition.link(edition.say("reported.title"), place.REPORTED)),
        source=source,
        mark=_mark(edition),
        disposition=marks.gate_disposition(source.found.disposition, edition.catalog),
        stated=quoted(edition, "overall", record.disposition),
        found=_found(edition, source),
        summary=edition.words(record.summary),
        subject=record.subject,
        publication=Link(record.source.url, record.source.url if place.on_the_web(record.source.url) else ""),
        who=edition.words(record.source.who),
        published=quoted(edition, "published", record.source.published),
        transcribed=record.source.transcribed,
        holds=_holds(edition, source),
        versions=tuple(_version(edition, record, version) for version in source.found.versions),
        said=tuple(edition.words(item.text) for item in record.said),
        limits=tuple(edition.words(item.text) for item in record.limits),
        differs=tuple(_differs(edition, source)),
        data=tuple(
            Link(edition.say(f"reported.data-{name.partition('.')[0]}"), place.reported_data(source.id, name))
            for name in (VIEW_FILE, ROWS_FILE, RECORD_FILE)
        ),
        digest=source.sha256,
        command=f"sha256sum {place.reported_data(source.id, RECORD_FILE)}",
    )


def _mark(edition: Edition) -> Mark:
    return named("reported", "not reproduced", edition.catalog)


def _found(edition: Edition, source: ReportedSource) -> str:
    versions = source.found.versions
    return edition.say(
        "reported.found",
        held=sum(len(version.held) for version in versions),
        gated=sum(len(version.gated) for version in versions),
        versions=sum(bool(version.held) for version in versions),
        n=len(versions),
    )


def _holds(edition: Edition, source: ReportedSource) -> tuple[HoldView, ...]:
    """The held rows in order of time, however later versions came out."""
    return tuple(
        _hold(edition, source, version, part, row, row.judgement)
        for version in source.found.versions
        for part in version.measured
        for row in part.rows
        if isinstance(row.judgement, Held)
    )


def _hold(
    edition: Edition, source: ReportedSource, version: VersionResult, part: MeasuredResult, row: RowResult, held: Held
) -> HoldView:
    case = source.record.case(row.row.case)
    page = place.reported(source.id)
    return HoldView(
        version=edition.link(version.version.name, f"{page}#{_anchor(version)}"),
        what=edition.say(
            "reported.row",
            measure=edition.words(part.measure.title),
            case=edition.words(case.title) if case else row.row.case,
            statistic=edition.catalog.word(row.row.statistic),
        ),
        base=figure(edition, row.row.base, part.measure.decimals),
        head=figure(edition, row.row.head, part.measure.decimals),
        difference=difference_words(edition, row, part.measure.decimals),
        change=change_words(edition, row, TABLE_DECIMALS),
        rounded=change_words(edition, row, LIST_DECIMALS),
        gate=gate_words(edition, part.measure.gate) if part.measure.gate else "",
        verdict=verdict_view(edition, held),
        identity=identity(edition, version.version),
    )


def _anchor(version: VersionResult) -> str:
    return f"version.{version.version.id}"


def _version(edition: Edition, record: Reported, found: VersionResult) -> VersionView:
    anchor = _anchor(found)
    return VersionView(
        anchor=anchor,
        name=found.version.name,
        occasion=edition.words(found.version.occasion),
        disposition=marks.gate_disposition(found.disposition, edition.catalog),
        identity=identity(edition, found.version),
        circumstances=circumstances(edition, found.version),
        measured=tuple(measured_view(edition, record, part, f"{anchor}.{part.measure.id}") for part in found.measured),
    )


def _differs(edition: Edition, source: ReportedSource) -> Iterator[DiffersView]:
    told = {finding.at: edition.words(finding.text) for finding in source.record.findings}
    for item in source.found.differs:
        yield DiffersView(
            item.at, edition.catalog.word(item.what), item.published, item.computed, told.get(item.at, "")
        )
