"""Where the entries of two attempts differ, entry by entry: explained by which declared rule, or a finding."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import assert_never

from runner.contract.parity.design import ParityDesign
from runner.contract.parity.difference import (
    BytesDiffer,
    ContainerDiffers,
    Difference,
    Leaf,
    OnOneSide,
    SpellingDiffers,
    ValuesDiffer,
    WholeDiffers,
    is_explained,
)
from sitegen.pages.edition import Edition

SHOWN = 200
"""Entries of each kind, and places of each entry. The sealed document has them all."""
LONGEST = 300
"""Characters of a value that stand on a page."""


@dataclass(frozen=True, slots=True)
class PlaceView:
    """One place in two JSON values."""

    pointer: str
    left: str
    right: str
    rule: str
    """What explains it; empty for a finding."""


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """One entry."""

    path: str
    what: str
    rule: str
    """What explains the whole entry; empty where its places say so, or nothing does."""
    places: tuple[PlaceView, ...]
    further: int
    """Places that are not shown."""


@dataclass(frozen=True, slots=True)
class DifferencesView:
    """What differs, findings apart from what a rule explains."""

    findings: tuple[DifferenceView, ...]
    explained: tuple[DifferenceView, ...]
    further: int
    """Entries that are not shown."""


def differences_view(edition: Edition, design: ParityDesign, found: Sequence[Difference]) -> DifferencesView:
    """All differences of a comparison, those that are findings first, up to `SHOWN` of each."""
    rules = {rule.id: edition.words(rule.title) for rule in design.rules}
    findings = [item for item in found if not is_explained(item)]
    explained = [item for item in found if is_explained(item)]
    shown = [tuple(_view(edition, rules, item) for item in islice(items, SHOWN)) for items in (findings, explained)]
    return DifferencesView(shown[0], shown[1], len(found) - sum(map(len, shown)))


def _view(edition: Edition, rules: Mapping[str, str], item: Difference) -> DifferenceView:
    key = f"difference.{item.difference}"
    match item:
        case ValuesDiffer(path=path, leaves=leaves):
            # What nothing explains is shown before what a rule does.
            ordered = sorted(leaves, key=lambda leaf: leaf.rule is not None)
            places = tuple(_places(edition, rules, ordered[:SHOWN]))
            return DifferenceView(path, edition.say(key), "", places, len(leaves) - len(places))
        case WholeDiffers(path=path, rule=rule):
            return DifferenceView(path, edition.say(key), rules.get(rule, rule), (), 0)
        case OnOneSide(path=path, side=side):
            return DifferenceView(path, edition.say(f"{key}-{side}"), "", (), 0)
        case SpellingDiffers(path=path) | BytesDiffer(path=path) | ContainerDiffers(path=path):
            return DifferenceView(path, edition.say(key), "", (), 0)
        case _:
            assert_never(item)


def _places(edition: Edition, rules: Mapping[str, str], leaves: Sequence[Leaf]) -> Iterator[PlaceView]:
    for leaf in leaves:
        left, right = (
            edition.say("difference.absent") if text is None else _cut(text) for text in (leaf.left, leaf.right)
        )
        yield PlaceView(leaf.pointer or "/", left, right, rules.get(leaf.rule, leaf.rule) if leaf.rule else "")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
