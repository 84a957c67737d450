"""What a change costs and brings: what a manifest declares of it, in fixed fields, before anything runs.

Only what git says of the difference of two commits is counted, in `numstat`. What nobody supplied is said to be not
supplied: it is neither none nor zero.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.parity.pattern import matches
from runner.contract.parity.rules import Pattern
from runner.contract.values import Record, RelativePath, Text, twice


class PathClass(StrEnum):
    """What a changed file is. Product code is counted apart from all others."""

    product = "product"
    tests = "tests"
    fixtures = "fixtures"
    """What tests and studies are given, and what they are to come to."""
    generated = "generated"
    docs = "docs"
    configuration = "configuration"
    """What builds, checks and packages the project."""


class ClassifiedPaths(Record):
    """Which paths are of one class."""

    path_class: PathClass
    paths: Annotated[tuple[Pattern, ...], Field(min_length=1)]


class Stated(Record):
    """Somebody says it, and nothing here computes it."""

    known: Literal["stated"]
    text: Text


class Counted(Record):
    """It is counted in the product files below these paths, and the text says what they are."""

    known: Literal["counted"]
    paths: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    text: Text


class NotSupplied(Record):
    """Nobody says, and nothing is concluded from that."""

    known: Literal["not-supplied"]


SaidField = Annotated[Stated | NotSupplied, Field(discriminator="known")]
CountedField = Annotated[Stated | Counted | NotSupplied, Field(discriminator="known")]


class DeclaredChange(Record):
    """The change from one commit to another.

    With the net change of product code, which is counted, and with correctness and performance, which are what the run
    comes to, these are eight fields.
    """

    classes: Annotated[tuple[ClassifiedPaths, ...], Field(min_length=1)]
    """The first that names a changed path says what it is; a changed path that none names is an error."""
    canonical_owner: SaidField
    """Which part of the project owns the decision that was changed."""
    legacy_deleted: CountedField
    """Code of the earlier way that decided something and is gone: lines that were deleted."""
    bridge_added: CountedField
    """Code that only joins the earlier and the later way: lines that were added."""
    cross_runtime_calls: SaidField
    """Calls from one runtime to another, on one named path that goes well and on its recovery."""
    scaffolding: CountedField
    """What is there for the time of a migration alone: lines that were added."""
    facade_exit: SaidField
    """When and how the earlier entry point goes away."""
    overlap: RelativePath | None = None
    """The pinned file that lists all other open changes at a stated instant; None where it is not supplied."""

    def class_of(self, path: str) -> PathClass | None:
        """What a changed file is, or None where nothing says."""
        for item in self.classes:
            if any(matches(pattern, path) for pattern in item.paths):
                return item.path_class
        return None

    def unclassified(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Those of the paths that no class names."""
        return tuple(path for path in paths if self.class_of(path) is None)

    @model_validator(mode="after")
    def _counts_product_code(self) -> Self:
        if repeated := twice(f"{item.path_class.value} {path}" for item in self.classes for path in item.paths):
            raise ValueError(f"paths must be named once in a class, twice: {', '.join(repeated)}")
        if not any(item.path_class is PathClass.product for item in self.classes):
            raise ValueError("no class says which paths are product code")
        return self
