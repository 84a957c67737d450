"""The forms of one piece of software that a parity study holds against each other, and what each is made from."""

from enum import StrEnum
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, Tag, model_validator

from runner.contract.parity.economics import DeclaredChange
from runner.contract.parity.origin import BY_ORIGIN, FROM_COMMIT, FROM_PACKAGE
from runner.contract.values import CommitId, Line, Record, RelativePath, Sha256, Slug, Text


class Build(StrEnum):
    """How a variant came to be. Timings are compared between equal builds only."""

    source_tree = "source-tree"
    """The source as it is published or committed, run as it lies there."""
    wheel = "wheel"
    """The unpacked published wheel, with whatever was compiled into it."""
    built = "built"
    """What the project's own build makes of its source distribution here."""


class Variant(Record):
    """One form of the software, restored at the same path as every other."""

    origin: Literal["package"] = "package"
    id: Slug
    title: Text
    summary: Text
    revision: Line
    """Its released version."""
    build: Build
    artifact: RelativePath
    """The file, among `artifacts`, that it is made from."""
    against: Slug | None = None
    """The variant whose outputs and state its own must equal; None for the one that the others are held to."""


class CommitVariant(Record):
    """The files of one commit of the repository that holds the study, run as they lie there."""

    origin: Literal["commit"]
    id: Slug
    title: Text
    summary: Text
    commit: CommitId
    tree: Sha256
    """Over the sorted `sha256sum` lines of all its files, whichever git wrote them."""
    compiled: Annotated[tuple[RelativePath, ...], Field(min_length=1)]
    """Its modules, and folders of modules, that are compiled before anything runs."""
    against: Slug | None = None
    """The variant whose outputs and state its own must equal; None for the one that the others are held to."""
    change: DeclaredChange | None = None
    """What is declared of the change from `against` to this; None for the one that the others are held to."""

    @property
    def revision(self) -> str:
        """What names it in outputs: the commit."""
        return self.commit

    @property
    def build(self) -> Build:
        """A commit is run as it lies there."""
        return Build.source_tree

    @model_validator(mode="after")
    def _declares_its_change(self) -> Self:
        if (self.against is None) is not (self.change is None):
            raise ValueError("exactly the variants that are held against another declare a change")
        return self


AnyVariant: TypeAlias = Variant | CommitVariant
DeclaredVariant = Annotated[
    Annotated[Variant, Tag(FROM_PACKAGE)] | Annotated[CommitVariant, Tag(FROM_COMMIT)], BY_ORIGIN
]
"""As a manifest states it: without `origin` it is made from a file of a package index."""
