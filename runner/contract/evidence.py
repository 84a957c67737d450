"""What one run leaves behind beside its attempts: run.json, timings and commitments."""

from typing import Annotated, Literal

from pydantic import Field

from runner.contract.analysis.count import Analysis
from runner.contract.artifact import Artifact
from runner.contract.comparison.detail import Library, ProbeAbsent, ProbeFound
from runner.contract.parity.detail import ParityFacts
from runner.contract.plan import Selection
from runner.contract.study import Tier
from runner.contract.tally import Tally
from runner.contract.values import (
    AttemptId,
    CommitId,
    Count,
    FileDigest,
    Instant,
    Line,
    Nanoseconds,
    Record,
    RunId,
    Sha256,
    Slug,
)

RUN_FORMAT = "sealbook.run/1"


class CommittedSource(Record):
    """A git checkout, and what of it differs from its commit (staged and untracked included)."""

    source: Literal["commit"] = "commit"
    commit: CommitId
    modified: tuple[str, ...]
    """Paths that differ from the commit; empty for a clean checkout."""


class UnknownSource(Record):
    """Nobody can say from which commit this came."""

    source: Literal["unknown"] = "unknown"
    reason: Line


Source = Annotated[CommittedSource | UnknownSource, Field(discriminator="source")]


class RunnerIdentity(Record):
    """Which Sealbook made this run."""

    version: Line
    files: Count
    sha256: Sha256
    """Over the sorted `sha256sum` lines of the runner's own source files."""


class Environment(Record):
    """Where the run took place, without host name, user name or path."""

    python: Line
    implementation: Line
    system: Line
    release: Line
    machine: Line
    cpus: Count


class PinnedSubject(Record):
    """A subject as installed from the manifest's artifacts."""

    subject: Slug
    origin: Literal["pinned"] = "pinned"
    artifacts: tuple[Artifact, ...]
    files: tuple[FileDigest, ...]
    """The manifest's curated files, as installed."""


class CheckoutSubject(Record):
    """A subject built from a source checkout that the user gave with `--repo`."""

    subject: Slug
    origin: Literal["checkout"] = "checkout"
    source: Source
    tree: Sha256
    """Over the sorted `sha256sum` lines of every file that was built."""
    files: tuple[FileDigest, ...]


SubjectFacts = Annotated[PinnedSubject | CheckoutSubject, Field(discriminator="origin")]


class QualificationFacts(Record):
    """What a qualification ran on."""

    kind: Literal["qualification"] = "qualification"
    version: Literal[1] = 1
    subjects: tuple[SubjectFacts, ...]


MOST_JOBS = 64
"""Attempts side by side."""


class ComparisonFacts(Record):
    """What a comparison ran on."""

    kind: Literal["comparison"] = "comparison"
    version: Literal[1] = 1
    backend: Slug
    jobs: Annotated[int, Field(ge=1, le=MOST_JOBS)] = 1
    """How many attempts were performed side by side. Above 1, times of attempts are those of a shared machine."""
    fixture: bool
    """Whether a script stood in for a model."""
    inputs: tuple[FileDigest, ...] = ()
    """What the backend was set up by: its configuration, and what that names. None of it is published."""
    library: Library
    probes: tuple[Annotated[ProbeFound | ProbeAbsent, Field(discriminator="probe")], ...]
    """Of every tool that a task names, once each."""

    @property
    def subjects(self) -> tuple[SubjectFacts, ...]:
        """It installs none."""
        return ()


Facts = Annotated[QualificationFacts | ComparisonFacts | ParityFacts, Field(discriminator="kind")]
"""What a run of one study kind ran on. Each kind has a version of its own."""


class Beginning(Record):
    """What is known of a run before its first attempt. A resumed run is held to it."""

    study: Slug
    run: RunId
    selection: Selection
    started_at: Instant
    source: Source
    """Of the project that holds the study."""
    runner: RunnerIdentity
    environment: Environment
    tier: Tier
    plan_sha256: Sha256
    facts: Facts


class Run(Beginning):
    """One sealed run: what ran, on what, when, and what it comes to."""

    format: Literal["sealbook.run/1"]
    ended_at: Instant
    tally: Tally
    analysis: Analysis
    replaced: Count
    """How many paths and names of the machine, and keys, were replaced in what is published."""


class Timing(Record):
    """When one attempt happened, in nanoseconds from the run's start."""

    attempt: AttemptId
    started_ns: Nanoseconds
    ended_ns: Nanoseconds
    event_ns: tuple[Nanoseconds, ...]
    """One instant an event of its events file, in the same order."""


class Commitment(Record):
    """A file that exists and is not published: who has it can prove later which it was."""

    attempt: AttemptId
    name: Annotated[str, Field(min_length=1, max_length=400)]
    bytes: Count
    salted_sha256: Sha256
    """SHA-256 over a private 32-byte salt followed by the file's bytes."""
