"""What a change from one commit to another costs and brings, field by field, as declared and as counted.

The sums are made here from the files that run.json names, and are not sealed themselves. What nobody supplied is said
to be so, and is neither none nor zero.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from runner.contract.parity.design import ParityDesign
from runner.contract.parity.detail import CommitFacts
from runner.contract.parity.economics import Counted, DeclaredChange, NotSupplied, Stated
from runner.contract.parity.numstat import ChangeSums, CountedLines, FileChange, Lines, sums
from runner.contract.parity.variant import AnyVariant, CommitVariant
from runner.contract.plan import as_parity
from sitegen import figures
from sitegen.pages.edition import Edition
from sitegen.pages.parity.overlap import OverlapView, overlap_view
from sitegen.pages.parity.receipts import analysis_of, facts_of
from sitegen.pages.quotes import Bound
from sitegen.sources import RunSource

SHORT = 8
"""Digits of a commit that stand for it where it is whole elsewhere on the page."""
SHOWN_FILES = 300
"""The document for programs has them all."""


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field of the receipt."""

    name: str
    said: str
    """Somebody's statement in the language of the page; empty where there is none."""
    counted: str
    """What was counted, in words; empty where nothing is."""
    paths: tuple[str, ...]
    """Where it is counted."""
    supplied: bool
    bounds: tuple[tuple[str, Bound], ...] = ()
    """What the run says of it: the word, and where it stands."""


@dataclass(frozen=True, slots=True)
class ClassView:
    """What the changed files of one class add up to."""

    name: str
    files: str
    added: str
    """Empty where no file has lines; likewise the next three."""
    deleted: str
    net: str
    gross: str
    binary: str
    """Files without lines."""


@dataclass(frozen=True, slots=True)
class FileView:
    """One changed file."""

    path: str
    path_class: str
    status: str
    added: Bound | None
    """None for a file without lines, of which git counts none."""
    deleted: Bound | None


@dataclass(frozen=True, slots=True)
class ChangeView:
    """The receipt of one change."""

    variant: str
    base: str
    head: str
    """The commits, whole."""
    fields: tuple[FieldView, ...]
    """Eight, in an order that is always the same."""
    classes: tuple[ClassView, ...]
    """The last is their sum; none before a run."""
    files: tuple[FileView, ...]
    further: int
    later: str
    """What of the project is not qualified."""
    overlap: OverlapView


def revision_words(variant: AnyVariant) -> str:
    """A released version as it is, and the beginning of a commit, which the receipt of the change has whole."""
    return variant.commit[:SHORT] if isinstance(variant, CommitVariant) else variant.revision


def declared_changes(edition: Edition, design: ParityDesign) -> tuple[ChangeView, ...]:
    """What is frozen of every change before a run counts anything."""
    commits = design.commits
    return tuple(
        ChangeView(
            variant=edition.words(design.variant(name).title),
            base=commits[design.variant(name).against or ""],
            head=commits[name],
            fields=tuple(_fields(edition, declared, None, ())),
            classes=(),
            files=(),
            further=0,
            later=_later(edition, commits[name]),
            overlap=OverlapView(supplied=declared.overlap is not None),
        )
        for name, declared in design.changes.items()
    )


def counted_changes(edition: Edition, run: RunSource) -> tuple[ChangeView, ...]:
    """The receipt of every change, with what a run found of it."""
    return tuple(_counted(edition, run, index, item) for index, item in change_facts(run))


def change_facts(run: RunSource) -> Iterator[tuple[int, CommitFacts]]:
    """What git said of each change, with its place among the variants of run.json."""
    design, _ = as_parity(run.sealed.plan)
    for index, item in enumerate(facts_of(run).variants):
        if isinstance(item, CommitFacts) and item.variant in design.changes:
            yield index, item


def _counted(edition: Edition, run: RunSource, index: int, found: CommitFacts) -> ChangeView:
    design, tasks = as_parity(run.sealed.plan)
    declared, commits = design.changes[found.variant], design.commits
    added_up = sums(declared, found.changes)
    named = ((edition.catalog.word(name), lines) for name, lines in added_up.by_class)
    return ChangeView(
        variant=edition.words(design.variant(found.variant).title),
        base=commits[found.against or ""],
        head=found.commit,
        fields=tuple(_fields(edition, declared, added_up, tuple(_came_to(edition, run)))),
        classes=(
            *(_class(edition, name, lines) for name, lines in named if lines.files),
            _class(edition, edition.say("change.whole"), added_up.whole),
        ),
        files=tuple(
            _file(edition, run, f"/facts/variants/{index}/changes/{number}", declared, item)
            for number, item in islice(enumerate(found.changes), SHOWN_FILES)
        ),
        further=max(0, len(found.changes) - SHOWN_FILES),
        later=_later(edition, found.commit),
        overlap=overlap_view(edition, tasks, declared, found.changes),
    )


def _later(edition: Edition, commit: str) -> str:
    return edition.say("change.later-main", commit=commit[:SHORT])


def _came_to(edition: Edition, run: RunSource) -> Iterator[tuple[str, Bound]]:
    analysis, quotes = analysis_of(run), edition.quotes(run)
    for name, found in (("correctness", analysis.correctness), ("performance", analysis.performance)):
        word = edition.catalog.word(found)
        yield edition.say(f"part.{name}"), replace(quotes.at(f"/analysis/{name}"), text=word)


def _fields(
    edition: Edition, declared: DeclaredChange, added_up: ChangeSums | None, came_to: tuple[tuple[str, Bound], ...]
) -> Iterator[FieldView]:
    yield _declared(edition, "owner", declared.canonical_owner, None)
    yield _declared(edition, "legacy", declared.legacy_deleted, added_up.legacy_deleted if added_up else None)
    yield _declared(edition, "bridge", declared.bridge_added, added_up.bridge_added if added_up else None)
    yield _declared(edition, "calls", declared.cross_runtime_calls, None)
    net = _product(edition, added_up.product) if added_up else edition.say("change.counted-by-run")
    yield FieldView(edition.say("change.product"), "", net, (), supplied=True)
    yield _declared(edition, "scaffolding", declared.scaffolding, added_up.scaffolding if added_up else None)
    yield _declared(edition, "facade", declared.facade_exit, None)
    told = "" if came_to else edition.say("change.told-by-run")
    yield FieldView(edition.say("change.proof"), told, "", (), supplied=True, bounds=came_to)


def _declared(edition: Edition, name: str, field: Stated | Counted | NotSupplied, lines: Lines | None) -> FieldView:
    title = edition.say(f"change.{name}")
    if isinstance(field, NotSupplied):
        return FieldView(title, "", "", (), supplied=False)
    said = edition.words(field.text)
    if isinstance(field, Stated):
        return FieldView(title, said, "", (), supplied=True)
    counted = edition.say("change.counted-by-run") if lines is None else _touched(edition, name, lines)
    return FieldView(title, said, counted, field.paths, supplied=True)


def _touched(edition: Edition, name: str, lines: Lines) -> str:
    """Of legacy code what was deleted, of a bridge and of scaffolding what was added."""
    number = lines.deleted if name == "legacy" else lines.added
    key = "change.lines-deleted" if name == "legacy" else "change.lines-added"
    said = edition.say(key, n=number, files=figures.count(lines.files, edition.catalog))
    return _with_binary(edition, said, lines)


def _product(edition: Edition, lines: Lines) -> str:
    count = edition.catalog
    said = edition.say(
        "change.product-net",
        net=_signed(edition, lines.net),
        added=figures.count(lines.added, count),
        deleted=figures.count(lines.deleted, count),
        gross=figures.count(lines.gross, count),
        n=lines.files,
    )
    return _with_binary(edition, said, lines)


def _with_binary(edition: Edition, said: str, lines: Lines) -> str:
    return f"{said}{edition.say('change.and-binary', n=lines.binary)}" if lines.binary else said


def _signed(edition: Edition, number: int) -> str:
    sign = "+" if number > 0 else "−" if number < 0 else ""
    return f"{sign}{figures.count(abs(number), edition.catalog)}"


def _class(edition: Edition, name: str, lines: Lines) -> ClassView:
    files = figures.count(lines.files, edition.catalog)
    binary = figures.count(lines.binary, edition.catalog)
    if lines.files == lines.binary:
        return ClassView(name, files, "", "", "", "", binary)
    added, deleted, gross = (
        figures.count(number, edition.catalog) for number in (lines.added, lines.deleted, lines.gross)
    )
    return ClassView(name, files, added, deleted, _signed(edition, lines.net), gross, binary)


def _file(edition: Edition, run: RunSource, at: str, declared: DeclaredChange, item: FileChange) -> FileView:
    quotes, found = edition.quotes(run), declared.class_of(item.path)
    has_lines = isinstance(item.change, CountedLines)
    return FileView(
        path=item.path,
        path_class=edition.catalog.word(found) if found else "",
        status=edition.catalog.word(item.status),
        added=quotes.at(f"{at}/change/added") if has_lines else None,
        deleted=quotes.at(f"{at}/change/deleted") if has_lines else None,
    )
