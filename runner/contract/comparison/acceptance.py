"""What an independent check can ask of a candidate. Each rule is frozen with its task; no agent ever sees it."""

from typing import Annotated, Literal

from pydantic import Field

from runner.contract.comparison.actions import Name
from runner.contract.values import Line, Record, RelativePath, Slug, Text


class SignatureRule(Record):
    """The function has exactly this signature."""

    rule: Literal["signature"] = "signature"
    path: RelativePath
    symbol: Name
    signature: Line
    """As Python writes it, such as `(lines, rate, places)`."""


class DefinedOnceRule(Record):
    """The function is defined once in the whole workspace, where it was, and no other definition came or went."""

    rule: Literal["defined_once"] = "defined_once"
    path: RelativePath
    symbol: Name


class CallSites(Record):
    """How many calls one file holds."""

    path: RelativePath
    calls: Annotated[int, Field(ge=0, le=1000)]


class CallsRule(Record):
    """Every call fits the new signature, in so many places, and no file beside these has one."""

    rule: Literal["calls"] = "calls"
    path: RelativePath
    symbol: Name
    places: Annotated[tuple[CallSites, ...], Field(min_length=1)]


class OwnedRule(Record):
    """Functions of the same name that belong to somebody else are as they were."""

    rule: Literal["owned"] = "owned"
    symbol: Name
    others: Annotated[tuple[RelativePath, ...], Field(min_length=1)]


class OutputRule(Record):
    """A frozen script prints this when it runs on a copy of the candidate. The agent sees neither of the two."""

    rule: Literal["output"] = "output"
    script: RelativePath
    prints: Annotated[str, Field(min_length=1, max_length=4000)]


class ReviewRule(Record):
    """A review package can be made: a difference over these files alone, short enough, of which each still parses."""

    rule: Literal["review"] = "review"
    files: Annotated[tuple[RelativePath, ...], Field(min_length=1)]
    most_lines: Annotated[int, Field(ge=1, le=10_000)]
    """Changed lines at most."""


class AuthorityRule(Record):
    """Nothing but these files differs from the start, and nothing beyond the workspace or the lane was tried."""

    rule: Literal["authority"] = "authority"
    files: Annotated[tuple[RelativePath, ...], Field(min_length=1)]


class NoticedRule(Record):
    """The agent itself noticed the drift: an event of its own says so, after the drift and not before it."""

    rule: Literal["noticed"] = "noticed"


class RecoveredRule(Record):
    """After noticing, the agent acted on it, and what the drift brought is still there."""

    rule: Literal["recovered"] = "recovered"
    path: RelativePath
    keeps: Annotated[tuple[Name, ...], Field(min_length=1)]
    """Functions that the drift brought or changed."""


class ProbeRule(Record):
    """Commands of the independent probe succeed on the untouched start and on the candidate."""

    rule: Literal["probe"] = "probe"
    commands: Annotated[tuple[Literal["check", "test", "run", "graph"], ...], Field(min_length=1)]


Rule = Annotated[
    SignatureRule
    | DefinedOnceRule
    | CallsRule
    | OwnedRule
    | OutputRule
    | ReviewRule
    | AuthorityRule
    | NoticedRule
    | RecoveredRule
    | ProbeRule,
    Field(discriminator="rule"),
]


class AcceptanceCriterion(Record):
    """One thing that must hold; all its rules must."""

    id: Slug
    requirement: Text
    rules: Annotated[tuple[Rule, ...], Field(min_length=1)]
