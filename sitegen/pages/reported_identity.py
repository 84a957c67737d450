"""By what a version of somebody else is known: revisions, digests and a seal, each as published or unknown."""

from dataclasses import dataclass
from typing import assert_never

from runner.contract.reported.record import (
    PublishedCount,
    PublishedDigest,
    PublishedDisposition,
    PublishedInstant,
    PublishedRevision,
    PublishedText,
    Unknown,
    Version,
)
from sitegen import figures
from sitegen.pages import marks
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark


@dataclass(frozen=True, slots=True)
class Quoted:
    """One fact as published. `digits` are shown short and opened by focus; they are bound to nothing here."""

    name: str
    text: str = ""
    digits: str = ""
    mark: Mark | None = None
    unknown: str = ""
    """Why it is unknown; empty where it is not."""


AnyFact = (
    PublishedCount
    | PublishedDigest
    | PublishedDisposition
    | PublishedInstant
    | PublishedRevision
    | PublishedText
    | Unknown
)


def identity(edition: Edition, version: Version) -> tuple[Quoted, ...]:
    """What tells one version from all others."""
    return tuple(
        quoted(edition, name, fact)
        for name, fact in (
            ("base", version.base),
            ("head", version.head),
            ("protocol", version.protocol),
            ("receipt", version.receipt),
            ("seal", version.seal),
        )
    )


def circumstances(edition: Edition, version: Version) -> tuple[Quoted, ...]:
    """What else the publication says of how a version came about."""
    return (
        quoted(edition, "seal-covers", version.seal_covers),
        quoted(edition, "ran", version.ran),
        quoted(edition, "retries", version.retries),
        Quoted(edition.say("quoted.rows"), edition.say(f"quoted.rows-{version.rows_given}")),
        quoted(edition, "disposition", version.disposition),
    )


def quoted(edition: Edition, name: str, fact: AnyFact) -> Quoted:
    """A fact under its name in the edition's language."""
    called = edition.say(f"quoted.{name}")
    match fact:
        case Unknown():
            found = Quoted(called, unknown=edition.words(fact.reason))
        case PublishedDigest():
            found = Quoted(called, digits=fact.sha256)
        case PublishedRevision():
            found = Quoted(called, digits=fact.revision)
        case PublishedCount():
            found = Quoted(called, figures.count(fact.count, edition.catalog))
        case PublishedInstant():
            found = Quoted(called, figures.instant(fact.instant))
        case PublishedText():
            found = Quoted(called, edition.words(fact.text))
        case PublishedDisposition():
            found = Quoted(called, mark=marks.gate_disposition(fact.disposition, edition.catalog))
        case _:
            assert_never(fact)
    return found
