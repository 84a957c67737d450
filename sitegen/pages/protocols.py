"""Protocol pages: the list with every version, and one page a version."""

from collections.abc import Iterator
from dataclasses import dataclass

from sitegen.pages import place
from sitegen.pages.documents import DocumentView, document_view
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link, PageView
from sitegen.pages.planned import NotRun
from sitegen.pages.versions import Translation, VersionLine, newest_after, version_line, versions
from sitegen.sources import Protocol, StudySource


@dataclass(frozen=True, slots=True)
class ProtocolHistory:
    """One protocol with every version, newest first."""

    id: str
    versions: tuple[VersionLine, ...]


@dataclass(frozen=True, slots=True)
class StandingOfStudy:
    """What of a study that follows the protocol is runnable, and what is planned and unrun."""

    study: Link
    runnable: tuple[str, ...]
    unrun: tuple[tuple[str, str], ...]
    """Subject and reason."""
    runs: int
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolListPage(PageView):
    """All protocols and versions."""

    protocols: tuple[ProtocolHistory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolPage(PageView):
    """One version of a protocol."""

    version: str
    date: str
    status: Mark
    summary: str
    prose: DocumentView
    translations: tuple[Translation, ...]
    newer: VersionLine | None
    """The version to read instead of this one."""
    versions: tuple[VersionLine, ...]
    """All versions, this one included; empty where it is the only one."""
    studies: tuple[StandingOfStudy, ...]


def protocol_pages(edition: Edition) -> Iterator[PageView]:
    """The list, then one page a version."""
    yield ProtocolListPage(
        frame=edition.frame,
        path=place.PROTOCOLS,
        template="protocols.html",
        title=edition.say("nav.protocols"),
        description=edition.say("protocols.description"),
        section="protocols",
        trail=edition.trail("protocols")[:1],
        protocols=tuple(
            ProtocolHistory(name, tuple(version_line(edition, item) for item in versions(edition.site, name)))
            for name in dict.fromkeys(item.id for item in edition.site.protocols)
        ),
    )
    for protocol in edition.site.protocols:
        yield _protocol(edition, protocol)


def _protocol(edition: Edition, protocol: Protocol) -> ProtocolPage:
    document = protocol.documents[edition.language]
    path = place.protocol(protocol.id, protocol.version)
    line = version_line(edition, protocol)
    every, newer = versions(edition.site, protocol.id), newest_after(edition.site, protocol)
    return ProtocolPage(
        frame=edition.frame,
        path=path,
        template="protocol.html",
        title=document.title,
        description=document.summary,
        section="protocols",
        trail=edition.trail("protocols"),
        version=protocol.version,
        date=protocol.date,
        status=line.status,
        summary=document.summary,
        prose=document_view(edition, document, path),
        translations=line.translations,
        newer=version_line(edition, newer) if newer else None,
        versions=tuple(version_line(edition, item) for item in every) if len(every) > 1 else (),
        studies=tuple(
            _standing(edition, source)
            for source in edition.site.studies
            if (source.frozen.study.protocol.id, source.frozen.study.protocol.version)
            == (protocol.id, protocol.version)
        ),
    )


def _standing(edition: Edition, source: StudySource) -> StandingOfStudy:
    study = source.frozen.study
    gated = [subject for subject in study.design.arms if isinstance(subject, NotRun)]
    return StandingOfStudy(
        study=edition.link(edition.words(study.title), place.study(study.id)),
        runnable=tuple(
            edition.words(subject.title) for subject in study.design.arms if not isinstance(subject, NotRun)
        ),
        unrun=tuple((edition.words(subject.title), edition.words(subject.reason)) for subject in gated),
        runs=len(source.runs),
        command=f"sealbook prepare {study.id}\nsealbook run {study.id}",
    )
