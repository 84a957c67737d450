"""Every sample that the measurement of one row took or failed to take, in the order in which they were taken."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.parity.host import HostAround
from runner.contract.parity.timing import Measure
from runner.contract.values import AttemptId, Count, Line, Nanoseconds, Record, Sha256, Slug

SAMPLES_FILE = "samples.json"


class Taken(Record):
    """One sample."""

    sample: Literal["taken"] = "taken"
    ns: Nanoseconds
    """Wall clock of the call or request, by a monotonic clock."""
    sha256: Sha256
    """Of what it answered."""


class Failed(Record):
    """A sample that was planned and could not be taken. It stays, and nothing is taken in its place."""

    sample: Literal["failed"] = "failed"
    why: Line


Sample = Annotated[Taken | Failed, Field(discriminator="sample")]


class Pair(Record):
    """One sample of base and one of head, taken one right after the other."""

    base_first: bool
    base: Sample
    head: Sample


class MemoryReading(Record):
    """What the kernel says of the daemon's memory."""

    when: Literal["idle", "after-burst"]
    resident_bytes: Count
    """VmRSS of /proc/PID/status."""
    highest_bytes: Count
    """VmHWM: the most it ever was."""


class DaemonSamples(Record):
    """What was measured of the daemon of one variant."""

    variant: Slug
    cold: tuple[Sample, ...]
    warm: tuple[Sample, ...]
    burst: tuple[Sample, ...]
    memory: tuple[MemoryReading, ...]
    process_begin: Count
    """The daemon's process before the first warm request."""
    process_end: Count
    """And after the last of the burst. Another one makes warm and burst no samples of a running daemon."""

    def of(self, measure: Measure) -> tuple[Sample, ...]:
        """The samples of one measure; none of the full command, which is measured in pairs."""
        found: tuple[Sample, ...] = () if measure is Measure.command else getattr(self, measure.value)
        return found


class Samples(Record):
    """The measurement of one row."""

    format: Literal["sealbook.parity-samples/1"] = "sealbook.parity-samples/1"
    attempt: AttemptId
    base: Slug
    head: Slug
    pairs: tuple[Pair, ...]
    daemons: tuple[DaemonSamples, ...]
    """Of base and head, in this order."""
    around: HostAround

    @model_validator(mode="after")
    def _names_both_variants(self) -> Self:
        if self.daemons and [item.variant for item in self.daemons] != [self.base, self.head]:
            raise ValueError("the daemons are those of base and head, in this order")
        return self

    def of(self, measure: Measure, variant: str) -> tuple[Sample, ...]:
        """All samples of one measure and variant, in order. Raises KeyError for a variant that was not measured."""
        if variant not in (self.base, self.head):
            raise KeyError(variant)
        if measure is Measure.command:
            return tuple(pair.base if variant == self.base else pair.head for pair in self.pairs)
        return next((item.of(measure) for item in self.daemons if item.variant == variant), ())

    def complete_pairs(self) -> Iterator[tuple[int, int, bool]]:
        """Base, head and whether base was first, of every pair of which both samples were taken."""
        for pair in self.pairs:
            if isinstance(pair.base, Taken) and isinstance(pair.head, Taken):
                yield pair.base.ns, pair.head.ns, pair.base_first


def taken(samples: Sequence[Taken | Failed]) -> tuple[int, ...]:
    """The nanoseconds of all samples that were taken, in order."""
    return tuple(item.ns for item in samples if isinstance(item, Taken))
