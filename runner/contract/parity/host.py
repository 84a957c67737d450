"""What else the host did around a measurement, and whether its timings can be part of a claim.

Timings of a contended host cannot. Nothing else follows from it: every sample stays, and a hold stays a hold.
"""

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from runner.contract.canonical import MAX_INTEGER
from runner.contract.values import Count, Line, Nanoseconds, Record

MOST_OF_ONE_CPU = Fraction(1, 20)
"""The CPU time that others may take, as a part of one CPU's. Were all of it taken from one command, that command would
last 5 % longer, as much as a gate of full commands usually allows. The kernel's own threads and the error of its ticks
came to 2 % or less on a quiet machine of two CPUs."""
SHORTEST_NS = 1_000_000_000
"""Kernels count in ticks, mostly of 10 ms. In less than a second a few ticks would decide."""


class Number(Record):
    """A number that the host gives."""

    fact: Literal["number"] = "number"
    value: Count


class Name(Record):
    """A name that the host gives."""

    fact: Literal["name"] = "name"
    value: Line


class UnknownFact(Record):
    """What the host does not tell."""

    fact: Literal["unknown"] = "unknown"
    reason: Line


class CpuTime(Record):
    """What the CPUs spent during a measurement, all together."""

    fact: Literal["cpu-time"] = "cpu-time"
    elapsed_ns: Annotated[int, Field(ge=1, le=MAX_INTEGER)]
    """How long it lasted: what one CPU can have spent."""
    busy_ns: Nanoseconds
    """By all processes and the kernel, as the kernel counts it in ticks."""
    own_ns: Nanoseconds
    """By the runner and the processes below it, which is measured without ticks and so can be a little more."""
    stolen_ns: Nanoseconds
    """Wanted here, and given to another guest of the same machine."""

    @property
    def others_ns(self) -> int:
        """By all others, the kernel's own threads included."""
        return max(self.busy_ns - self.own_ns, 0)


NumberFact = Annotated[Number | UnknownFact, Field(discriminator="fact")]
NameFact = Annotated[Name | UnknownFact, Field(discriminator="fact")]


class Host(Record):
    """What is known of the host at one moment."""

    cpu_model: NameFact
    cpus: NumberFact
    """Online."""
    governor: NameFact
    """Which policy sets the frequency of the CPUs."""
    load_hundredths: NumberFact
    """The load average of the minute before: 150 is 1.50. What the runner itself did is in it."""
    runnable: NumberFact
    """Threads that ran or could have run, with the one that looked. It is one moment, and nothing is judged by it."""


class HostAround(Record):
    """What is known of the host before, during and after a measurement."""

    before: Host
    after: Host
    cpu_time: Annotated[CpuTime | UnknownFact, Field(discriminator="fact")]


class ContentionReason(StrEnum):
    """What shows that a host was contended."""

    load_before = "load-before"
    """In the minute before, more could run than there are CPUs."""
    others_busy = "others-busy"
    """Others took more than `MOST_OF_ONE_CPU`."""
    stolen = "stolen"
    """Other guests of the same machine took more than `MOST_OF_ONE_CPU`."""


class Quiet(Record):
    """Nothing shows that others were in the way."""

    contention: Literal["quiet"] = "quiet"


class Contended(Record):
    """Others were in the way, or may have been."""

    contention: Literal["contended"] = "contended"
    reasons: Annotated[tuple[ContentionReason, ...], Field(min_length=1)]


class UnknownContention(Record):
    """Nothing shows it, and not everything that would is known."""

    contention: Literal["unknown"] = "unknown"
    reasons: Annotated[tuple[Line, ...], Field(min_length=1)]


Contention = Annotated[Quiet | Contended | UnknownContention, Field(discriminator="contention")]


def admissible(contention: Quiet | Contended | UnknownContention) -> bool:
    """Whether timings can be part of a claim: only those of a host that is known to have been quiet."""
    return isinstance(contention, Quiet)


def contended(around: HostAround) -> Quiet | Contended | UnknownContention:
    """Whether others were in the way. Exactly as much as a limit is still quiet.

    The load afterwards is not asked, because the measurement itself is in it.
    """
    shown: list[ContentionReason] = []
    missing: list[str] = []
    match around.before.load_hundredths, around.before.cpus:
        case Number(value=load), Number(value=cpus):
            shown += [ContentionReason.load_before] if load > 100 * cpus else []
        case load_fact, cpus_fact:
            missing += [fact.reason for fact in (load_fact, cpus_fact) if isinstance(fact, UnknownFact)]
    match around.cpu_time:
        case UnknownFact(reason=reason):
            missing.append(reason)
        case CpuTime() as spent:
            most = MOST_OF_ONE_CPU * spent.elapsed_ns
            shown += [ContentionReason.others_busy] if spent.others_ns > most else []
            shown += [ContentionReason.stolen] if spent.stolen_ns > most else []
            missing += _doubts(spent)
    if shown:
        return Contended(reasons=tuple(shown))
    return UnknownContention(reasons=tuple(missing)) if missing else Quiet()


def _doubts(spent: CpuTime) -> list[str]:
    """Why counted ticks do not show that nobody else was busy."""
    doubts = []
    if spent.elapsed_ns < SHORTEST_NS:
        doubts.append("the measurement was shorter than a second, and CPU time is counted in ticks")
    if spent.own_ns - spent.busy_ns > MOST_OF_ONE_CPU * spent.elapsed_ns:
        doubts.append("the host counts less CPU time than the runner alone has spent")
    return doubts
