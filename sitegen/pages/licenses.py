"""The license matrix: three facts a row, and the state that they allow."""

from dataclasses import dataclass
from typing import assert_never

from runner.contract.license import (
    Concluded,
    Declared,
    LicenseRow,
    LicenseState,
    NotConcluded,
    NothingDeclared,
    TextAbsent,
    TextFound,
)
from sitegen.catalog import word_key
from sitegen.pages import marks, place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link, PageView


@dataclass(frozen=True, slots=True)
class Said:
    """One fact of a row: what it says, where it was read, and its digest where there is one."""

    words: str
    where: str
    digest: str = ""


@dataclass(frozen=True, slots=True)
class RowView:
    """One upstream artifact."""

    id: str
    name: str
    version: str
    use: str
    declared: Said
    text: Said
    concluded: Said
    mark: Mark


@dataclass(frozen=True, slots=True)
class MatrixView:
    """All rows of one study."""

    study: Link
    anchor: str
    rows: tuple[RowView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LicensePage(PageView):
    """The matrices of all studies."""

    matrices: tuple[MatrixView, ...]
    legend: tuple[tuple[Mark, str], ...]


def license_page(edition: Edition) -> LicensePage:
    """The license matrix of every study."""
    return LicensePage(
        frame=edition.frame,
        path=place.LICENSES,
        template="licenses.html",
        title=edition.say("licenses.title"),
        description=edition.say("licenses.description"),
        section="licenses",
        trail=edition.trail("licenses")[:1],
        matrices=tuple(
            MatrixView(
                study=edition.link(edition.words(source.frozen.study.title), place.study(source.id)),
                anchor=source.id,
                rows=tuple(_row(edition, row) for row in source.frozen.licenses.rows),
            )
            for source in edition.site.studies
        ),
        legend=tuple(
            (marks.license_state(state, edition.catalog), edition.say(f"{word_key(state)}.meaning"))
            for state in LicenseState
        ),
    )


def _row(edition: Edition, row: LicenseRow) -> RowView:
    return RowView(
        id=row.id,
        name=row.name,
        version=row.version,
        use=edition.words(row.use),
        declared=_declared(edition, row.declared),
        text=_text(edition, row.detected),
        concluded=_concluded(edition, row.concluded),
        mark=marks.license_state(row.state, edition.catalog),
    )


def _declared(edition: Edition, fact: Declared | NothingDeclared) -> Said:
    match fact:
        case Declared():
            return Said(fact.expression, fact.where)
        case NothingDeclared():
            return Said(edition.say("license.nothing-declared"), fact.looked_at)
        case _:
            assert_never(fact)


def _text(edition: Edition, fact: TextFound | TextAbsent) -> Said:
    match fact:
        case TextFound():
            where = edition.say("license.text-where", path=fact.path, artifact=fact.artifact, detector=fact.detector)
            return Said(edition.say("license.text-reads-as", name=fact.reads_as), where, fact.sha256)
        case TextAbsent():
            where = edition.say("license.looked-for", names=", ".join(fact.looked_for), artifact=fact.artifact)
            return Said(edition.say("license.text-absent"), where)
        case _:
            assert_never(fact)


def _concluded(edition: Edition, fact: Concluded | NotConcluded) -> Said:
    match fact:
        case Concluded():
            where = edition.say("license.concluded-by", by=fact.by, on=fact.on, why=edition.words(fact.why))
            return Said(fact.expression, where)
        case NotConcluded():
            return Said(edition.say("license.not-concluded"), "")
        case _:
            assert_never(fact)
