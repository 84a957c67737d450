"""The manifest of one study: every choice that is frozen before anything runs.

`study.toml` holds it; what belongs to one study kind stands under `design`, with a version
of its own, so that a new kind never changes this format.
"""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.comparison.design import ComparisonDesign
from runner.contract.parity.design import ParityDesign
from runner.contract.qualification.design import QualificationDesign
from runner.contract.values import PinnedFile, Record, Slug, Text, twice

STUDY_FORMAT = "sealbook.study/1"


class Tier(StrEnum):
    """How strongly an attempt was kept apart from the host, weakest first."""

    process = "process"
    """Private folders, an allow-list environment and limits: a defence against the same user's
    accidents, not against a hostile program."""
    bwrap = "bwrap"
    """Namespaces, a read-only root and seccomp through bubblewrap, started without privileges."""


class Caps(Record):
    """Limits that are part of the question: beyond one of them nothing is accepted."""

    attempt_seconds: Annotated[int, Field(ge=1, le=7200)]
    """Wall clock for one attempt, unless its task states its own."""
    process_seconds: Annotated[int, Field(ge=1, le=3600)]
    """Wall clock for one process, unless its step states its own."""
    output_bytes: Annotated[int, Field(ge=1024, le=16 * 1024 * 1024)]
    """How much of one output stream is kept. Longer streams are counted and hashed whole."""


class Claim(Record):
    """Something the study would establish if its attempts are accepted."""

    id: Slug
    text: Text


class Limit(Record):
    """Something the study does not establish, whatever its outcomes."""

    id: Slug
    text: Text


class ProtocolRef(Record):
    """The protocol version that this study follows."""

    id: Slug
    version: Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]+$")]


Design = Annotated[QualificationDesign | ComparisonDesign | ParityDesign, Field(discriminator="kind")]
"""What one study kind freezes. Each kind has a version of its own."""


class Study(Record):
    """One frozen question."""

    format: Literal["sealbook.study/1"]
    id: Slug
    """The name of the study's folder."""
    title: Text
    question: Text
    protocol: ProtocolRef
    quick: bool
    """Whether `make site` runs it: no model, no network, a few minutes."""
    tier: Tier
    """The weakest tier this study accepts."""
    caps: Caps
    claims: tuple[Claim, ...]
    limits: Annotated[tuple[Limit, ...], Field(min_length=1)]
    pinned: tuple[PinnedFile, ...]
    """Every other file of the manifest, by digest: tasks, fixtures, license rows."""
    design: Design

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        named = {
            "claim ids": [claim.id for claim in self.claims],
            "limit ids": [limit.id for limit in self.limits],
            "pinned paths": [file.path for file in self.pinned],
        }
        if wrong := [
            f"{what} must be unique, twice: {', '.join(twice(names))}" for what, names in named.items() if twice(names)
        ]:
            raise ValueError("; ".join(wrong))
        return self

    def pinned_digest(self, path: str) -> str | None:
        """The digest that the manifest states for `path`, or None if it does not pin it."""
        return next((file.sha256 for file in self.pinned if file.path == path), None)
