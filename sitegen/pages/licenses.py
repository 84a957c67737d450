"""The license matrix: three facts a row, and the state that they allow."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

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
from sitegen.pages.wording import weave


@dataclass(frozen=True, slots=True)
class Foreign:
    """Words as somebody else wrote them. `lang` is theirs where it is not the page's, else empty."""

    text: str
    lang: str


Saying: TypeAlias = tuple[str | Foreign, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One fact of a row: what it says, where it was read, and its digest where there is one."""

    words: Saying
    where: Saying
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
    counts: tuple[tuple[Mark, int], ...]
    """The rows of all studies by state, states without a row included."""
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
        counts=tuple(
            (
                marks.license_state(state, edition.catalog),
                sum(row.state is state for source in edition.site.studies for row in source.frozen.licenses.rows),
            )
            for state in LicenseState
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
            return Said((_as_written(edition, fact.expression),), (_as_written(edition, fact.where),))
        case NothingDeclared():
            return Said((edition.say("license.nothing-declared"),), (_as_written(edition, fact.looked_at),))
        case _:
            assert_never(fact)


def _text(edition: Edition, fact: TextFound | TextAbsent) -> Said:
    match fact:
        case TextFound():
            found = _woven(edition, "license.text-reads-as", name=fact.reads_as)
            where = _woven(
                edition, "license.text-where", path=fact.path, artifact=fact.artifact, detector=fact.detector
            )
            return Said(found, where, fact.sha256)
        case TextAbsent():
            names = ", ".join(fact.looked_for)
            where = _woven(edition, "license.looked-for", names=names, artifact=fact.artifact)
            return Said((edition.say("license.text-absent"),), where)
        case _:
            assert_never(fact)


def _concluded(edition: Edition, fact: Concluded | NotConcluded) -> Said:
    match fact:
        case Concluded():
            where = edition.say("license.concluded-by", by=fact.by, on=fact.on, why=edition.words(fact.why))
            return Said((_as_written(edition, fact.expression),), (where,))
        case NotConcluded():
            return Said((edition.say("license.not-concluded"),), ())
        case _:
            assert_never(fact)


def _as_written(edition: Edition, text: str) -> Foreign:
    """A fact of licenses.toml that is kept in English alone."""
    return Foreign(text, "" if edition.language == "en" else "en")


def _woven(edition: Edition, key: str, **facts: str) -> Saying:
    """The message `key` with facts as they were written in the places of its values."""
    return weave(edition.catalog, key, {name: _as_written(edition, fact) for name, fact in facts.items()})
