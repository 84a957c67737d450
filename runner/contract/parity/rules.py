"""What may differ between two variants, declared before the run. Nothing is removed: it is found, then explained.

A *normalisation* covers what no program can repeat (a time stamp of the file system, a process id, a temporary name). A
*declared* difference is one that the two variants are known to have. Each rule says where it applies and what must be
true of both sides; what no rule explains is a finding.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, assert_never

from pydantic import Field, StringConstraints

from runner.contract.parity.pattern import matches
from runner.contract.values import Record, Slug, Text

Pattern = Annotated[str, StringConstraints(pattern=r"^[^\s]+$", max_length=200)]
"""Names an entry or a place in it, segment by segment: `*` within a segment, `**` for any number of them."""


class RuleClass(StrEnum):
    """Why a difference is excused."""

    normalisation = "normalisation"
    declared = "declared"


class _Rule(Record):
    id: Slug
    rule_class: RuleClass
    title: Text
    reason: Text
    variants: Annotated[tuple[Slug, ...], Field(min_length=1)]
    """The variants in whose comparison, with the one that each is held against, it applies."""
    scenarios: tuple[Slug, ...] = ()
    """The scenarios in which it applies; all, if none is named."""
    entries: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    """Which entries of the inventory."""


class AnyValueRule(_Rule):
    """Both sides may have any value at these places, or one of them none."""

    form: Literal["any-value"]
    places: Annotated[tuple[Pattern, ...], Field(min_length=1)]


class RevisionRule(_Rule):
    """Each side has its own variant's revision at these places, and nothing else."""

    form: Literal["own-revision"]
    places: Annotated[tuple[Pattern, ...], Field(min_length=1)]


class TemporaryPathRule(_Rule):
    """Each side has a path below its own temporary folder at these places."""

    form: Literal["temporary-path"]
    places: Annotated[tuple[Pattern, ...], Field(min_length=1)]


class ProcessIdRule(_Rule):
    """Each side has the id of a process at these places that was observed to belong to its own attempt."""

    form: Literal["process-id"]
    places: Annotated[tuple[Pattern, ...], Field(min_length=1)]


class WholeEntryRule(_Rule):
    """The entries may differ as a whole. They must be there on both sides."""

    form: Literal["whole-entry"]
    but_not: tuple[Pattern, ...] = ()
    """Entries that this does not cover."""


Rule = Annotated[
    AnyValueRule | RevisionRule | TemporaryPathRule | ProcessIdRule | WholeEntryRule, Field(discriminator="form")
]
TEMPORARY = "{tmp}/"
"""How a path below an attempt's temporary folder begins in what is published."""


@dataclass(frozen=True, slots=True)
class Side:
    """What a rule may ask about one side."""

    revision: str
    processes: frozenset[int]
    """Ids of the processes that were observed in its attempt."""


def covers_entry(rule: Rule, path: str) -> bool:
    """Whether a rule speaks of an entry at all."""
    if isinstance(rule, WholeEntryRule) and _any(rule.but_not, path):
        return False
    return _any(rule.entries, path)


def explains(rule: Rule, path: str, pointer: str, left: object, right: object, sides: tuple[Side, Side]) -> bool:
    """Whether a rule explains that two entries differ at one place. Values are JSON values; ABSENT is one, too."""
    if not covers_entry(rule, path):
        return False
    if isinstance(rule, WholeEntryRule):
        return True
    return _any(rule.places, pointer) and _fits(rule, left, right, sides)


def _fits(
    rule: AnyValueRule | RevisionRule | TemporaryPathRule | ProcessIdRule,
    left: object,
    right: object,
    sides: tuple[Side, Side],
) -> bool:
    match rule:
        case AnyValueRule():
            return True
        case RevisionRule():
            return (left, right) == (sides[0].revision, sides[1].revision)
        case TemporaryPathRule():
            return all(isinstance(value, str) and value.startswith(TEMPORARY) for value in (left, right))
        case ProcessIdRule():
            return _is_process(left, sides[0]) and _is_process(right, sides[1])
        case _:
            assert_never(rule)


def _is_process(value: object, side: Side) -> bool:
    return type(value) is int and value in side.processes


def _any(patterns: Iterable[str], name: str) -> bool:
    return any(matches(pattern, name) for pattern in patterns)
