"""What was changed between two consecutive versions of a protocol, in one language, as a page to read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark, named
from sitegen.pages.page import Link, PageView
from sitegen.pages.versions import VersionLine, difference_link, following, previous, version_line
from sitegen.prose.revision import Passage, Piece, Revision, revision, words
from sitegen.sources import Protocol


@dataclass(frozen=True, slots=True)
class Folded:
    """Passages that did not change, told by their number of lines."""

    lines: int
    passages: tuple[str, ...]
    """What they say, for a reader who unfolds them."""
    titles: tuple[str, ...] = ()
    """The parts they are, where they are whole parts."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One passage that did change."""

    mark: Mark
    kind: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class PartView:
    """The part of a document below one heading."""

    title: str
    anchor: str
    mark: Mark | None
    """None where nothing of it changed."""
    was: str
    """Its earlier title where it was renamed."""
    lines: int
    """Of the source, the heading included."""
    items: tuple[Folded | Shown, ...]


@dataclass(frozen=True, slots=True)
class FieldView:
    """A field of the front matter that differs."""

    name: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionPage(PageView):
    """The difference between two versions."""

    old: VersionLine
    new: VersionLine
    same: bool
    """Whether the text of this language is the same in both."""
    fields: tuple[FieldView, ...]
    summary: tuple[PartView, ...]
    """The parts that were added, removed or changed."""
    parts: tuple[PartView | Folded, ...]
    """Every part in order; those without a change in one line."""
    key: tuple[Mark, Mark]
    """How words are marked that were added and removed."""
    earlier: Link | None
    """The difference before this one."""
    later: Link | None


def revision_pages(edition: Edition) -> Iterator[RevisionPage]:
    """One page for each version that has an earlier one."""
    for protocol in edition.site.protocols:
        before = previous(edition.site, protocol)
        if before is not None:
            yield _page(edition, before, protocol)


def _page(edition: Edition, old: Protocol, new: Protocol) -> RevisionPage:
    site, title = edition.site, new.documents[edition.language].title
    made = revision(old.documents[edition.language].body, new.documents[edition.language].body)
    before, after = previous(site, old), following(site, new)
    parts = tuple(_parts(edition, made))
    told = edition.say("revision.title", title=title, old=old.version, new=new.version)
    return RevisionPage(
        frame=edition.frame,
        path=place.protocol_difference(new.id, old.version, new.version),
        template="revision.html",
        title=told,
        description=edition.say("revision.description", name=new.id, old=old.version, new=new.version),
        section="protocols",
        trail=edition.trail("protocols", edition.link(title, place.protocol(new.id, new.version))),
        old=version_line(edition, old),
        new=version_line(edition, new),
        same=made.empty,
        fields=_fields(edition, old, new),
        summary=tuple(part for part in parts if part.mark),
        parts=tuple(_folded(parts)),
        key=(named("revision", "added", edition.catalog), named("revision", "removed", edition.catalog)),
        earlier=difference_link(edition, before, old) if before else None,
        later=difference_link(edition, new, after) if after else None,
    )


def _fields(edition: Edition, old: Protocol, new: Protocol) -> tuple[FieldView, ...]:
    before, after = old.documents[edition.language], new.documents[edition.language]
    named_fields = (
        ("revision.field-title", before.title, after.title),
        ("revision.field-summary", before.summary, after.summary),
    )
    return tuple(FieldView(edition.say(key), words(was, now)) for key, was, now in named_fields if was != now)


def _parts(edition: Edition, made: Revision) -> Iterator[PartView]:
    """Each part in the order in which its first passage stands."""
    for number, section in enumerate(made.sections):
        mine = [passage for passage in made.passages if passage.section == number]
        if not mine:
            continue
        yield PartView(
            title=section.title or edition.say("revision.opening"),
            anchor=f"part.{number}",
            mark=None if section.change == "same" else named("revision", section.change, edition.catalog),
            was=section.was,
            lines=sum(passage.block.lines for passage in mine),
            items=tuple(_items(edition, [passage for passage in mine if not _headed(passage)])),
        )


def _headed(passage: Passage) -> bool:
    """Whether a passage is a heading that the page's own heading shows; one that was renamed shows its words."""
    return passage.block.kind == "heading" and passage.change != "changed"


def _items(edition: Edition, passages: Sequence[Passage]) -> Iterator[Folded | Shown]:
    for same, run in groupby(passages, key=lambda passage: passage.change == "same"):
        if same:
            yield _fold(tuple(run))
        else:
            for passage in run:
                mark = named("revision", passage.change, edition.catalog)
                yield Shown(mark, passage.block.kind, passage.pieces)


def _fold(passages: Sequence[Passage]) -> Folded:
    return Folded(sum(item.block.lines for item in passages), tuple(item.block.text for item in passages))


def _folded(parts: Sequence[PartView]) -> Iterator[PartView | Folded]:
    """Parts without a change that follow each other as one line; the others as they are."""
    for changed, run in groupby(parts, key=lambda part: part.mark is not None):
        if changed:
            yield from run
            continue
        whole = tuple(run)
        folds = [item for part in whole for item in part.items if isinstance(item, Folded)]
        texts = tuple(text for fold in folds for text in fold.passages)
        yield Folded(sum(part.lines for part in whole), texts, tuple(part.title for part in whole))
