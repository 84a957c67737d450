"""What a parity study comes to: its rows, its measurements, and the one disposition that follows from both."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from runner.contract.analysis.parts import ArmResult, Finding
from runner.contract.attempt import Outcome
from runner.contract.parity.change import SignedNanoseconds
from runner.contract.parity.detail import HeldAgainst, NotCompared
from runner.contract.parity.disposition import GateDisposition
from runner.contract.parity.false_hold import FalseHolds
from runner.contract.parity.gate import Judgement, Pairs
from runner.contract.parity.host import Contention
from runner.contract.parity.order_effect import OrderCheck
from runner.contract.parity.quantile import Quantile, UnknownQuantile
from runner.contract.parity.timing import Measure
from runner.contract.values import Count, Record, Slug

QuantileFact = Annotated[Quantile | UnknownQuantile, Field(discriminator="quantile")]


class Sameness(StrEnum):
    """What a row, or all rows together, show of outputs and durable state."""

    same = "same"
    """Every variant did what is stated, and differs from the one it is held against by declared rules only."""
    findings = "findings"
    """At least one variant did not do what is stated, or differs for no declared reason."""
    not_yet_proven = "not-yet-proven"
    """Nothing shows a difference, and not everything was judged."""


class Sensitivity(StrEnum):
    """Whether the harness was shown to notice a change."""

    rejected = "mutant-rejected"
    """The mutant failed, and for the stated reason."""
    survived = "mutant-survived"
    """It did not fail as stated: what the harness calls the same is not worth much."""
    not_yet_proven = "not-yet-proven"


class Performance(StrEnum):
    """What the gates of all measurements say."""

    passed = "pass"
    owner_review_hold = "owner-review-hold"
    not_yet_proven = "not-yet-proven"
    not_measured = "not-measured"
    """The run was for correctness alone."""


class VariantResult(Record):
    """One variant in one row."""

    arm: Slug
    outcome: Outcome
    comparison: Annotated[NotCompared | HeldAgainst, Field(discriminator="compared")]


class RowResult(Record):
    """One backend and scenario: the receipt that all its variants share."""

    row: Slug
    backend: Slug
    scenario: Slug
    state: Sameness
    variants: tuple[VariantResult, ...]


class Figures(Record):
    """What the samples of one measure and variant show. All of them: none is left out."""

    measure: Measure
    variant: Slug
    planned: Count
    taken: Count
    p50: QuantileFact
    """Context. No gate is judged by it unless it is declared so."""
    p95: QuantileFact


class GateResult(Record):
    """One gate on one row."""

    gate: Count
    """Its place among the protocol's gates, from 0."""
    measure: Measure
    base: QuantileFact
    """At the gate's own statistic."""
    head: QuantileFact
    difference_ns: SignedNanoseconds | None
    """Head minus base; None where one of them is unknown. Positive where head took longer."""
    samples: Pairs
    judgement: Judgement
    false_holds: FalseHolds


class Measurement(Record):
    """One timed row."""

    row: Slug
    outcome: Outcome
    figures: tuple[Figures, ...]
    gates: tuple[GateResult, ...]
    order: OrderCheck
    contention: Contention
    admissible: bool
    """Whether its timings may be claimed: only those of a host that is known to have been quiet."""


class ParityAnalysis(Record):
    """Everything that a page or a verifier says about a parity study beyond its tally."""

    kind: Literal["parity"] = "parity"
    version: Literal[1] = 1
    disposition: GateDisposition
    """A hold as soon as anything is found or held; a pass only if all is proven. No later run changes it."""
    correctness: Sameness
    mutation: Sensitivity
    performance: Performance
    arms: tuple[ArmResult, ...]
    rows: tuple[RowResult, ...]
    measurements: tuple[Measurement, ...]
    findings: tuple[Finding, ...]
