"""How the entries of two attempts differ, and which declared rule explains each difference."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from runner.contract.parity.inventory import ABSENT, EntryPath, Form, Inventory
from runner.contract.parity.rules import Rule, Side, covers_entry, explains
from runner.contract.values import AttemptId, Count, Record, Slug

COMPARISON_FILE = "comparison.json"
_REPLACED = re.compile(r"\{[a-z0-9-]+\}")
"""What stands in a published text for a place, a name or a key: two that differ may look alike then."""
Spelled = Annotated[str, Field(max_length=4000)]


class Leaf(Record):
    """One place at which two JSON values differ."""

    pointer: Annotated[str, Field(max_length=4000)]
    left: Spelled | None
    """JSON text; a long one is `"sha256:…"` of it. None where that side has no such member."""
    right: Spelled | None
    rule: Slug | None
    """What explains it. None for a finding."""


class ValuesDiffer(Record):
    """Both are JSON, and their values differ."""

    difference: Literal["values"] = "values"
    path: EntryPath
    leaves: Annotated[tuple[Leaf, ...], Field(min_length=1)]


class WholeDiffers(Record):
    """Both are there and may differ as a whole, by a rule for the entry."""

    difference: Literal["whole"] = "whole"
    path: EntryPath
    rule: Slug


class SpellingDiffers(Record):
    """The same JSON value in other bytes: another order of keys, other blanks. It is no equality of bytes."""

    difference: Literal["spelling"] = "spelling"
    path: EntryPath


class BytesDiffer(Record):
    """At least one of them is no JSON, and the bytes differ."""

    difference: Literal["bytes"] = "bytes"
    path: EntryPath


class ContainerDiffers(Record):
    """The bytes of a database differ; its rows are compared one by one."""

    difference: Literal["container"] = "container"
    path: EntryPath


class OnOneSide(Record):
    """Only one attempt has such an entry."""

    difference: Literal["one-side"] = "one-side"
    path: EntryPath
    side: Literal["left", "right"]


Difference = Annotated[
    ValuesDiffer | WholeDiffers | SpellingDiffers | BytesDiffer | ContainerDiffers | OnOneSide,
    Field(discriminator="difference"),
]


class Compared(Record):
    """All entries of two attempts held against each other."""

    format: Literal["sealbook.parity-comparison/1"] = "sealbook.parity-comparison/1"
    left: AttemptId
    """The attempt of the variant that this one is held against."""
    right: AttemptId
    entries: Count
    """How many paths there are on either side together."""
    equal: Count
    """How many of them are equal, byte for byte."""
    differences: tuple[Difference, ...]
    """Of all others, sorted by path."""

    @property
    def unexplained(self) -> tuple[str, ...]:
        """The paths at which something differs for no declared reason."""
        return tuple(item.path for item in self.differences if not is_explained(item))

    @property
    def explained(self) -> Mapping[str, int]:
        """At how many places each rule explains a difference, by its id."""
        found: Counter[str] = Counter()
        for item in self.differences:
            if isinstance(item, WholeDiffers):
                found[item.rule] += 1
            elif isinstance(item, ValuesDiffer):
                found.update(leaf.rule for leaf in item.leaves if leaf.rule is not None)
        return found


def is_explained(difference: Difference) -> bool:
    """Whether a difference is no finding. Another spelling of the same value is recorded and is none."""
    if isinstance(difference, ValuesDiffer):
        return all(leaf.rule is not None for leaf in difference.leaves)
    return isinstance(difference, WholeDiffers | SpellingDiffers | ContainerDiffers)


def differing(left: Inventory, right: Inventory, rules: Sequence[Rule]) -> Iterator[tuple[str, str]]:
    """Every path at which the bytes of two attempts differ, with the kind of difference that it is by its digests."""
    mine, other = left.by_path, right.by_path
    whole = [rule for rule in rules if rule.form == "whole-entry"]
    for path in sorted(mine.keys() | other.keys()):
        one, two = mine.get(path), other.get(path)
        if one is None or two is None:
            yield path, "one-side"
        elif one.sha256 == two.sha256 and one.form is two.form:
            continue
        elif one.form is two.form is Form.container:
            yield path, "container"
        elif one.value_sha256 is not None and one.value_sha256 == two.value_sha256 and one.form is two.form:
            yield path, "spelling"
        elif any(covers_entry(rule, path) for rule in whole):
            yield path, "whole"
        elif one.value_sha256 is not None and one.form is two.form:
            yield path, "values"
        else:
            yield path, "bytes"


def first_whole(rules: Iterable[Rule], path: str) -> str:
    """The rule that covers an entry as a whole. Raises StopIteration if there is none."""
    return next(rule.id for rule in rules if rule.form == "whole-entry" and covers_entry(rule, path))


def explanation(
    rules: Iterable[Rule], path: str, pointer: str, texts: tuple[str | None, str | None], sides: tuple[Side, Side]
) -> str | None:
    """The first rule that explains a leaf, from what is published of it."""
    left, right = (ABSENT if text is None else json.loads(text) for text in texts)
    return next((rule.id for rule in rules if explains(rule, path, pointer, left, right, sides)), None)


def disagreements(
    stated: Compared, left: Inventory, right: Inventory, rules: Sequence[Rule], sides: tuple[Side, Side]
) -> Iterator[str]:
    """Where a published comparison is not what both inventories and the rules give, in words."""
    found = dict(differing(left, right, rules))
    paths = len(left.by_path.keys() | right.by_path.keys())
    if (stated.entries, stated.equal) != (paths, paths - len(found)):
        counted = f"{paths - len(found)} of {paths}"
        yield f"counts {stated.equal} of {stated.entries} entries as equal, the inventories give {counted}"
    if [(item.path, item.difference) for item in stated.differences] != list(found.items()):
        yield "does not name the entries that differ by their digests, each as what it is, in order"
        return
    for item in stated.differences:
        if isinstance(item, WholeDiffers) and item.rule != first_whole(rules, item.path):
            yield f"{item.path}: {item.rule} is not the rule that covers it"
        if isinstance(item, OnOneSide) and (item.side == "left") != (item.path in left.by_path):
            yield f"{item.path}: names the wrong side"
        if isinstance(item, ValuesDiffer):
            for leaf in item.leaves:
                texts = (leaf.left, leaf.right)
                if leaf.left == leaf.right and not _REPLACED.search(leaf.left or ""):
                    yield f"{item.path} at {leaf.pointer}: both sides are the same"
                elif leaf.rule != explanation(rules, item.path, leaf.pointer, texts, sides):
                    yield f"{item.path} at {leaf.pointer}: {leaf.rule} is not the first rule that explains it"
