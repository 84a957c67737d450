"""What the record of an attempt and of a run says about a parity study."""

from typing import Annotated, Literal

from pydantic import Field, Tag

from runner.contract.parity.numstat import FileChange
from runner.contract.parity.origin import BY_ORIGIN, FROM_COMMIT, FROM_PACKAGE
from runner.contract.parity.timing import Measure
from runner.contract.values import CommitId, Count, FileDigest, Line, Record, RelativePath, Sha256, Slug


class Explained(Record):
    """At how many places one declared rule explains a difference."""

    rule: Slug
    places: Count


class NotCompared(Record):
    """The attempt is not held against another, or was not performed so far."""

    compared: Literal["no"] = "no"


class HeldAgainst(Record):
    """The attempt's entries against those of another variant."""

    compared: Literal["yes"] = "yes"
    against: Slug
    entries: Count
    equal: Count
    """Equal byte for byte."""
    spelling: Count
    """The same JSON value in other bytes."""
    explained: tuple[Explained, ...]
    """By rule, in the manifest's order; rules that explain nothing are left out."""
    unexplained: Count
    """Entries that differ for no declared reason: findings."""


class VariantDetail(Record):
    """What an attempt of one variant did, without times or random values."""

    did: Literal["scenario"] = "scenario"
    calls: Count
    """Processes of the software that were started."""
    asked: Count
    """Of these, requests to the daemon."""
    restarts: Count
    comparison: Annotated[NotCompared | HeldAgainst, Field(discriminator="compared")]


class MutantDetail(Record):
    """What the attempt with the mutant did."""

    did: Literal["mutant"] = "mutant"
    file: RelativePath
    matches: Count
    """How often the declared text stands in the original."""
    original_sha256: Sha256
    mutant_sha256: Sha256
    failed: tuple[Line, ...]
    """The criteria of the scenario that the mutant did not meet."""


class SampleCount(Record):
    """How many samples of one variant were taken, out of how many."""

    measure: Measure
    variant: Slug
    planned: Count
    taken: Count


class MeasurementDetail(Record):
    """What the measurement of one row did. The samples themselves are in its artifact."""

    did: Literal["measurement"] = "measurement"
    samples: tuple[SampleCount, ...]


class NothingDetail(Record):
    """The attempt was not performed to its end."""

    did: Literal["nothing"] = "nothing"


Did = Annotated[VariantDetail | MutantDetail | MeasurementDetail | NothingDetail, Field(discriminator="did")]


class ParityDetail(Record):
    """What one attempt of a parity study did."""

    kind: Literal["parity"] = "parity"
    version: Literal[1] = 1
    what: Did


class VariantFacts(Record):
    """One variant as it was prepared."""

    variant: Slug
    artifact: FileDigest
    files: Count
    tree: Sha256
    """Over the sorted `sha256sum` lines of all its files."""
    extensions: Count
    """Compiled extension modules among them."""
    same_as: Slug | None
    """The variant whose production files its own were compared with: the one it is held against."""
    same_files: Count
    """Production files (of the package, without caches and metadata) that are byte-identical in both."""
    other_files: tuple[RelativePath, ...]
    """Production files that differ."""
    more_files: Count
    """Production files that only this one has."""
    missing_files: Count
    """Production files that only the other has."""


class CommitFacts(Record):
    """The files of one commit as they were laid out, and what git says of the change to it."""

    origin: Literal["commit"] = "commit"
    variant: Slug
    commit: CommitId
    files: Count
    tree: Sha256
    """Over the sorted `sha256sum` lines of all its files."""
    against: Slug | None
    """The variant that the change is counted from: the one it is held against."""
    changes: tuple[FileChange, ...]
    """Every file that differs from that one, by path, as `git diff --numstat --no-renames` tells of it."""


VariantFact = Annotated[
    Annotated[VariantFacts, Tag(FROM_PACKAGE)] | Annotated[CommitFacts, Tag(FROM_COMMIT)], BY_ORIGIN
]
"""Without `origin` it was made from a file of a package index."""


class ParityFacts(Record):
    """What a parity study ran on."""

    kind: Literal["parity"] = "parity"
    version: Literal[1] = 1
    python: Line
    """The version of the interpreter that every variant runs on."""
    harness: Sha256
    """Over the sorted `sha256sum` lines of the runner's files that perform this kind."""
    variants: tuple[VariantFact, ...]

    @property
    def subjects(self) -> tuple[()]:
        """It installs none of the kind that a qualification does."""
        return ()
