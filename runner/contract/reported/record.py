"""The record of what somebody else published: aggregate figures, gates, verdicts and commitments, without attempts.

Every figure is as published. What follows from the figures is computed again by `recompute`, and no field can state
it otherwise without a finding that says so.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from runner.contract.parity.change import Percentage, SignedNanoseconds
from runner.contract.parity.disposition import GateDisposition
from runner.contract.parity.gate import DeclaredGate, HoldReason, Pairs
from runner.contract.parity.quantile import Statistic
from runner.contract.study import Limit
from runner.contract.values import Count, Day, Instant, Line, Nanoseconds, Record, Sha256, Slug, Text


class Unknown(Record):
    """What the publication does not say, and why it is not known."""

    fact: Literal["unknown"] = "unknown"
    reason: Text


class PublishedTime(Record):
    """A time as published, in nanoseconds."""

    fact: Literal["published"] = "published"
    ns: Nanoseconds


class PublishedCount(Record):
    """A count as published."""

    fact: Literal["published"] = "published"
    count: Count


class PublishedInstant(Record):
    """When something happened, as far as the publication says it."""

    fact: Literal["published"] = "published"
    instant: Instant | Day


class PublishedRevision(Record):
    """The revision of a source."""

    fact: Literal["published"] = "published"
    revision: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/+-]*$", max_length=100)]


class PublishedDigest(Record):
    """A SHA-256 of something that was not published itself."""

    fact: Literal["published"] = "published"
    sha256: Sha256


class PublishedText(Record):
    """What the publication says, in words of this site."""

    fact: Literal["published"] = "published"
    text: Text


class PublishedDisposition(Record):
    """What the publication says that its verdicts amount to."""

    fact: Literal["published"] = "published"
    disposition: GateDisposition


Time = Annotated[PublishedTime | Unknown, Field(discriminator="fact")]
Number = Annotated[PublishedCount | Unknown, Field(discriminator="fact")]
Moment = Annotated[PublishedInstant | Unknown, Field(discriminator="fact")]
Revision = Annotated[PublishedRevision | Unknown, Field(discriminator="fact")]
Digest = Annotated[PublishedDigest | Unknown, Field(discriminator="fact")]
Statement = Annotated[PublishedText | Unknown, Field(discriminator="fact")]
StatedDisposition = Annotated[PublishedDisposition | Unknown, Field(discriminator="fact")]


class Source(Record):
    """Where it was published, when, and by whom."""

    url: Line
    who: Text
    published: Moment
    transcribed: Day
    """The day on which the figures were written down here."""


class Measure(Record):
    """What was timed, and the gate that its rows are held to."""

    id: Slug
    title: Text
    about: Text
    decimals: Annotated[int, Field(ge=0, le=6)]
    """How many decimals of a millisecond the publication prints."""
    gate: DeclaredGate | None = None
    """It judges the rows of its own statistic; others are context. None where the publication declares none."""


class Case(Record):
    """Under which circumstances it was timed."""

    id: Slug
    title: Text


class PairedSamples(Pairs):
    """Base and head were timed in turn, in matched pairs."""

    samples: Literal["pairs"] = "pairs"


class SeparateSamples(Record):
    """Base and head were each timed so often."""

    samples: Literal["separate"] = "separate"
    each: Annotated[int, Field(ge=1)]


class UnknownSamples(Record):
    """The publication does not say how often."""

    samples: Literal["unknown"] = "unknown"
    reason: Text


Samples = Annotated[PairedSamples | SeparateSamples | UnknownSamples, Field(discriminator="samples")]


class StatedVerdict(Record):
    """The verdict that the publication prints."""

    verdict: Literal["pass", "hold"]
    reason: HoldReason | None = None
    """None for a pass, and where the publication names none."""


class Row(Record):
    """One statistic of one case: base and head, and what the publication makes of them."""

    case: Slug
    statistic: Statistic
    base: Time
    head: Time
    difference_ns: SignedNanoseconds | None = None
    """As published; None where the publication prints none."""
    percent: Percentage | None = None
    """As published; None where the publication prints none."""
    verdict: StatedVerdict | None = None
    """None where the publication prints none."""


class Measured(Record):
    """The rows of one measure in one version."""

    measure: Slug
    samples: Samples
    rows: Annotated[tuple[Row, ...], Field(min_length=1)]


class Version(Record):
    """One qualification run of somebody else, with the identity of its sources and what it was sealed by."""

    id: Slug
    name: Line
    """As the publication calls it."""
    occasion: Text
    """Why it was run, and how its source differs from that of the version before."""
    ran: Moment
    base: Revision
    head: Revision
    protocol: Digest
    receipt: Digest
    seal: Digest
    seal_covers: Statement
    retries: Number
    rows_given: Literal["all", "part"]
    """Whether the publication prints every gated row of this run. From a part no pass follows."""
    disposition: StatedDisposition
    measured: Annotated[tuple[Measured, ...], Field(min_length=1)]


class Said(Record):
    """Something that the publication states beside its figures. Nothing here can check it."""

    id: Slug
    text: Text


class DeclaredFinding(Record):
    """A place where what is published does not follow from its own figures. Both are shown."""

    at: Line
    """The key path of the published value in this file, such as `versions[0].measured[0].rows[2].percent`."""
    text: Text


class Reported(Record):
    """What somebody else published about one subject."""

    format: Literal["sealbook.reported/1"]
    id: Slug
    """The name of its file."""
    title: Text
    summary: Text
    subject: Line
    source: Source
    measures: Annotated[tuple[Measure, ...], Field(min_length=1)]
    cases: Annotated[tuple[Case, ...], Field(min_length=1)]
    versions: Annotated[tuple[Version, ...], Field(min_length=1)]
    """In order of time."""
    disposition: StatedDisposition
    """Of all versions together."""
    said: tuple[Said, ...]
    limits: Annotated[tuple[Limit, ...], Field(min_length=1)]
    findings: tuple[DeclaredFinding, ...] = ()

    def measure(self, name: str) -> Measure | None:
        """The measure of this name."""
        return next((item for item in self.measures if item.id == name), None)

    def case(self, name: str) -> Case | None:
        """The case of this name."""
        return next((item for item in self.cases if item.id == name), None)
