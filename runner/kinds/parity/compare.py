"""Holds the entries of an attempt against those of another variant, and finds what explains each difference."""

import hashlib
from collections.abc import Callable, Mapping, Sequence

from runner.contract.parity.difference import (
    BytesDiffer,
    Compared,
    ContainerDiffers,
    Difference,
    Leaf,
    OnOneSide,
    SpellingDiffers,
    ValuesDiffer,
    WholeDiffers,
    differing,
    explanation,
    first_whole,
)
from runner.contract.parity.inventory import ABSENT, Inventory, leaves, spelled
from runner.contract.parity.rules import Rule, Side
from runner.kinds.parity.entries import Observed

_LONGEST = 1000
"""Characters of a value that are published of a leaf; of a longer one the digest is."""


def compare(
    left: tuple[Inventory, Mapping[str, Observed]],
    right: tuple[Inventory, Mapping[str, Observed]],
    rules: Sequence[Rule],
    sides: tuple[Side, Side],
    publish: Callable[[str], str],
) -> Compared:
    """Every difference of two attempts. `publish` makes a text fit to be published."""
    (mine, ours), (other, theirs) = left, right
    found: list[Difference] = []
    for path, kind in differing(mine, other, rules):
        match kind:
            case "one-side":
                found.append(OnOneSide(path=path, side="left" if path in ours else "right"))
            case "container":
                found.append(ContainerDiffers(path=path))
            case "spelling":
                found.append(SpellingDiffers(path=path))
            case "whole":
                found.append(WholeDiffers(path=path, rule=first_whole(rules, path)))
            case "values":
                values = leaves(ours[path].value, theirs[path].value)
                found.append(
                    ValuesDiffer(
                        path=path,
                        leaves=tuple(
                            _leaf(path, publish(pointer), (_text(one, publish), _text(two, publish)), rules, sides)
                            for pointer, one, two in values
                        ),
                    )
                )
            case _:
                found.append(BytesDiffer(path=path))
    entries = len(ours.keys() | theirs.keys())
    return Compared(
        left=mine.attempt,
        right=other.attempt,
        entries=entries,
        equal=entries - len(found),
        differences=tuple(found),
    )


def _leaf(
    path: str, pointer: str, texts: tuple[str | None, str | None], rules: Sequence[Rule], sides: tuple[Side, Side]
) -> Leaf:
    # By what is published alone, so that whoever reads it finds the same rule.
    at = pointer[:_LONGEST]
    return Leaf(pointer=at, left=texts[0], right=texts[1], rule=explanation(rules, path, at, texts, sides))


def _text(value: object, publish: Callable[[str], str]) -> str | None:
    if value is ABSENT:
        return None
    text = spelled(value)
    if len(text) > _LONGEST:
        return f'"sha256:{hashlib.sha256(text.encode()).hexdigest()}"'
    return publish(text)
