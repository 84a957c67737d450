"""The frozen design of a qualification: its subjects, their artifacts, and where the checks are."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.artifact import Artifact
from runner.contract.values import Line, Record, RelativePath, Slug, Text, twice


class Feature(StrEnum):
    """What a coordination tool can be asked to keep true. The order is the order of pages."""

    identity = "identity"
    """Identity registration is owned: a second process cannot take a registered name."""
    hold_persistence = "hold-persistence"
    """An advisory hold made by one process is seen by another."""
    hold_expiry = "hold-expiry"
    """An advisory hold ends by itself."""
    persistence = "persistence"
    """A task or message outlives the process that made it."""
    fail_closed = "fail-closed"
    """A claim is refused when the authority that would decide it is missing."""
    non_owner = "non-owner"
    """Completion, renewal or release by somebody else is refused."""
    exclusive_claim = "exclusive-claim"
    """Of many processes that claim at once exactly one wins."""
    stale_fence = "stale-fence"
    """A token of an earlier generation or term is refused."""
    lease_expiry = "lease-expiry"
    """A lease ends, and somebody else can take it over."""
    dead_owner = "dead-owner"
    """What a dead owner held is recovered."""
    unsafe_recovery = "unsafe-recovery"
    """What a live owner holds is not recovered."""
    replay = "replay"
    """The same idempotency key has one effect."""
    crash = "crash"
    """The state survives SIGKILL of a writer."""
    logical_hosts = "logical-hosts"
    """Two state paths or working directories on one state exclude each other."""
    source_tests = "source-tests"
    """Tests that the subject ships pass from its source."""


class InstalledSubject(Record):
    """A tool that `prepare` installs from pinned artifacts into a private environment."""

    availability: Literal["installed"] = "installed"
    id: Slug
    title: Text
    summary: Text
    homepage: Line
    distribution: Line
    """Its name on the package index; `--repo` finds its subject by this name."""
    command: Line
    """The program that the checks call as `{command}`."""
    tasks: Annotated[tuple[RelativePath, ...], Field(min_length=1)]
    """The pinned files that hold its checks, in the order of the plan."""
    curated: Annotated[tuple[RelativePath, ...], Field(min_length=1)]
    """Files of the installed distribution whose digests every run records."""
    artifacts: Annotated[tuple[Artifact, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _files_are_named_once(self) -> Self:
        if repeated := twice((*(artifact.file for artifact in self.artifacts), *self.curated)):
            raise ValueError(f"files must be named once, twice: {', '.join(repeated)}")
        return self


class GatedSubject(Record):
    """A tool that the question is about and that is not publicly available: all is excluded."""

    availability: Literal["access-gated"] = "access-gated"
    id: Slug
    title: Text
    summary: Text
    reason: Text


Subject = Annotated[InstalledSubject | GatedSubject, Field(discriminator="availability")]


class QualificationDesign(Record):
    """What a qualification freezes."""

    kind: Literal["qualification"]
    version: Literal[1]
    subjects: Annotated[tuple[Subject, ...], Field(min_length=1)]
    tools: tuple[Line, ...] = ()
    """Programs of the host that checks may start as services, found on PATH by name."""

    @property
    def arms(self) -> tuple[InstalledSubject | GatedSubject, ...]:
        """What is qualified, each with an id and a title."""
        return self.subjects

    @model_validator(mode="after")
    def _subjects_are_told_apart(self) -> Self:
        if repeated := twice(subject.id for subject in self.subjects):
            raise ValueError(f"subject ids must be unique, twice: {', '.join(repeated)}")
        return self
