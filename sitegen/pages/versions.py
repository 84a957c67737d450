"""The versions of a protocol side by side: which is newer, what each translation is worth, where the difference is."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark, named
from sitegen.pages.page import LANGUAGE_TAGS, LANGUAGES, Language, Link
from sitegen.prose.blocks import blocks
from sitegen.sources import Document, Protocol, Site


@dataclass(frozen=True, slots=True)
class Translation:
    """One language of a version."""

    tag: str
    name: str
    """The language's own name."""
    mark: Mark
    behind: tuple[str, ...]
    """Headings of the parts in which it has fewer passages than the other language."""


@dataclass(frozen=True, slots=True)
class VersionLine:
    """How lists show one version."""

    link: Link
    id: str
    version: str
    date: str
    status: Mark
    summary: str
    translations: tuple[Translation, ...]
    difference: Link | None
    """What it changed of the version before it; None for the first one."""


def version_line(edition: Edition, protocol: Protocol) -> VersionLine:
    """How lists show `protocol`."""
    document = protocol.documents[edition.language]
    before = previous(edition.site, protocol)
    return VersionLine(
        link=edition.link(document.title, place.protocol(protocol.id, protocol.version)),
        id=protocol.id,
        version=protocol.version,
        date=protocol.date,
        status=named("protocol", protocol.status, edition.catalog),
        summary=document.summary,
        translations=translations(edition, protocol),
        difference=difference_link(edition, before, protocol) if before else None,
    )


def versions(site: Site, name: str) -> tuple[Protocol, ...]:
    """Every version of a protocol, newest first."""
    return tuple(protocol for protocol in site.protocols if protocol.id == name)


def previous(site: Site, protocol: Protocol) -> Protocol | None:
    """The version before this one."""
    return _neighbour(site, protocol, 1)


def following(site: Site, protocol: Protocol) -> Protocol | None:
    """The version after this one."""
    return _neighbour(site, protocol, -1)


def newest_after(site: Site, protocol: Protocol) -> Protocol | None:
    """The version to read instead of an older one: the newest that is in force, else the newest of all."""
    every = versions(site, protocol.id)
    newer = every[: every.index(protocol)]
    return next((item for item in newer if item.status == "active"), newer[0] if newer else None)


def difference_link(edition: Edition, old: Protocol, new: Protocol) -> Link:
    """A link to the page that shows what was changed from `old` to `new`."""
    words = edition.say("revision.from-to", old=old.version, new=new.version)
    return edition.link(words, place.protocol_difference(new.id, old.version, new.version))


def translations(edition: Edition, protocol: Protocol) -> tuple[Translation, ...]:
    """What each language of a version is worth, as far as the two files tell.

    A language that is missing, or that differs in version, headings, code or figures, stops the build. What is left
    is a passage that only one language has: the other may be behind.
    """
    counts = {language: _passages(protocol.documents[language]) for language in LANGUAGES}
    titles = _titles(protocol.documents[edition.language])
    return tuple(_translation(edition, language, counts, titles) for language in LANGUAGES)


def _translation(
    edition: Edition, language: Language, counts: Mapping[Language, Counter[int]], titles: Mapping[int, str]
) -> Translation:
    mine = counts[language]
    most = {part: max(each[part] for each in counts.values()) for part in titles}
    behind = tuple(
        title or edition.say("revision.opening") for part, title in titles.items() if mine[part] < most[part]
    )
    mark = named("translation", "stale" if behind else "complete", edition.catalog)
    return Translation(LANGUAGE_TAGS[language], edition.say(f"language.{language}"), mark, behind)


def _passages(document: Document) -> Counter[int]:
    """How many passages stand below each heading, by the heading's number; 0 is before the first."""
    found: Counter[int] = Counter()
    part = 0
    for block in blocks(document.body):
        part += block.kind == "heading"
        found[part] += 1
    return found


def _titles(document: Document) -> Mapping[int, str]:
    headings = [block.title for block in blocks(document.body) if block.kind == "heading"]
    return dict(enumerate(["", *headings]))


def _neighbour(site: Site, protocol: Protocol, step: int) -> Protocol | None:
    every = versions(site, protocol.id)
    at = every.index(protocol) + step
    return every[at] if 0 <= at < len(every) else None
