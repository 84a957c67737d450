"""A declared gate, and the verdict it gives on a row. Nothing is rounded before it is compared."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.canonical import MAX_INTEGER
from runner.contract.parity.change import change
from runner.contract.parity.quantile import Statistic
from runner.contract.values import Count, Nanoseconds, Record


class AtMost(Record):
    """Head may take longer than base by at most this. Where both are stated, both must hold; exactly as much passes."""

    rule: Literal["at-most"] = "at-most"
    statistic: Statistic
    percent_millionths: Annotated[int, Field(ge=0, le=MAX_INTEGER)] | None = None
    """In millionths of a percent of the base: 5,000,000 is 5 %. None where there is no such limit."""
    difference_ns: Nanoseconds | None = None
    """None where there is no such limit."""

    @model_validator(mode="after")
    def _limits_something(self) -> Self:
        if self.percent_millionths is None and self.difference_ns is None:
            raise ValueError("a gate needs percent_millionths, difference_ns, or both")
        return self


class StrictlyBelow(Record):
    """Head must stay below this, whatever the base took; exactly as much does not pass."""

    rule: Literal["strictly-below"] = "strictly-below"
    statistic: Statistic
    bound_ns: Annotated[int, Field(ge=1, le=MAX_INTEGER)]


DeclaredGate = Annotated[AtMost | StrictlyBelow, Field(discriminator="rule")]


class Pairs(Record):
    """Matched pairs of samples, one of base and one of head each."""

    planned: Annotated[int, Field(ge=1, le=MAX_INTEGER)]
    complete: Count

    @model_validator(mode="after")
    def _no_more_than_planned(self) -> Self:
        if self.complete > self.planned:
            raise ValueError(f"{self.complete} pairs are complete, planned are {self.planned}")
        return self


class HoldReason(StrEnum):
    """Why a gate holds a row."""

    exceeds_both = "exceeds-both"
    exceeds_percentage = "exceeds-percentage"
    exceeds_difference = "exceeds-difference"
    not_below_bound = "not-below-bound"
    incomplete_pairs = "incomplete-pairs"
    """A planned pair lacks a sample: nothing is computed on those that are left."""
    undefined_change = "undefined-change"
    """The base is 0 and the gate limits the percentage alone, so that nothing decides."""


class UnjudgedReason(StrEnum):
    """Why a gate says nothing on a row."""

    base_unknown = "base-unknown"
    head_unknown = "head-unknown"
    reduced_timings = "reduced-timings"
    """Fewer samples were taken than the protocol froze the gate for, as the run was asked to."""


class Passed(Record):
    """The row keeps its gate."""

    verdict: Literal["pass"] = "pass"


class Held(Record):
    """The row does not keep its gate."""

    verdict: Literal["hold"] = "hold"
    reason: HoldReason


class Unjudged(Record):
    """A figure that the gate needs is unknown, or rests on fewer samples: it neither passes nor holds."""

    verdict: Literal["unjudged"] = "unjudged"
    reason: UnjudgedReason


Judgement = Annotated[Passed | Held | Unjudged, Field(discriminator="verdict")]


def judge(
    gate: AtMost | StrictlyBelow, base_ns: int | None, head_ns: int | None, pairs: Pairs | None = None
) -> Passed | Held | Unjudged:
    """The verdict on one row; a figure is None where it is unknown, `pairs` where samples were not paired."""
    if pairs is not None and pairs.complete < pairs.planned:
        return Held(reason=HoldReason.incomplete_pairs)
    if head_ns is None:
        return Unjudged(reason=UnjudgedReason.head_unknown)
    if isinstance(gate, StrictlyBelow):
        return Passed() if head_ns < gate.bound_ns else Held(reason=HoldReason.not_below_bound)
    if base_ns is None:
        return Unjudged(reason=UnjudgedReason.base_unknown)
    return _at_most(gate, base_ns, head_ns)


def _at_most(gate: AtMost, base_ns: int, head_ns: int) -> Passed | Held:
    found = change(base_ns, head_ns)
    by_percentage = gate.percent_millionths is not None and found.exceeds(gate.percent_millionths)
    by_difference = gate.difference_ns is not None and found.difference_ns > gate.difference_ns
    if by_percentage and by_difference:
        return Held(reason=HoldReason.exceeds_both)
    if by_percentage:
        return Held(reason=HoldReason.exceeds_percentage)
    if by_difference:
        return Held(reason=HoldReason.exceeds_difference)
    if gate.difference_ns is None and not found.defined:
        return Held(reason=HoldReason.undefined_change)
    return Passed()
