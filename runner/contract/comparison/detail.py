"""What the record of an attempt and of a run says about a comparison."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from runner.contract.comparison.actions import Agent
from runner.contract.comparison.metrics import Values
from runner.contract.values import Count, FileDigest, Line, Record, Slug


class UsableObservation(Record):
    """All twelve metrics were observed."""

    observation: Literal["usable"] = "usable"
    metrics: Values


class NoObservation(Record):
    """There is no observation, or it lacks a metric. Nothing is put in its place."""

    observation: Literal["unusable"] = "unusable"
    reason: Line


ObservationState = Annotated[UsableObservation | NoObservation, Field(discriminator="observation")]


class KnownAgent(Record):
    """Who acted."""

    agent: Literal["known"] = "known"
    about: Agent


class UnknownAgent(Record):
    """Nobody acted as far as is known, because the attempt was not performed to its end."""

    agent: Literal["unknown"] = "unknown"


class IneligibleBecause(StrEnum):
    """Why nothing may be concluded from an attempt of a live agent."""

    scripted_model = "scripted-model"
    """A script stood in for the model, so that this shows a pipeline and no model."""
    no_blinded_review = "no-blinded-review"
    """Nobody has reviewed the candidate without knowing who made it."""
    metrics_not_mapped = "metrics-not-mapped"
    """Not all streams could be watched; the text names them."""
    record_not_whole = "record-not-whole"
    """What the agent printed was cut off, not understood, or differs from its own export."""
    other_lane_missing = "other-lane-missing"
    """There is no attempt of the other lane that it could be paired with."""
    matrix_missing = "matrix-missing"
    """The whole matrix of tasks, lanes and trials was not run."""


class Ineligibility(Record):
    """One reason why nothing may be concluded from an attempt."""

    because: IneligibleBecause
    text: Line


class ComparisonDetail(Record):
    """What one attempt of a comparison did, without times or random values."""

    kind: Literal["comparison"] = "comparison"
    version: Literal[1] = 1
    backend: Slug
    fixture: bool
    """Whether a script stood in for a model."""
    who: Annotated[KnownAgent | UnknownAgent, Field(discriminator="agent")]
    actions: Count
    drift_applications: Count
    turned_down: Count
    """Operations that were not carried out."""
    observed: ObservationState
    ineligible: tuple[Ineligibility, ...] = ()
    """Why nothing may be concluded from the attempt. Empty for a fixture, which says of itself what it is."""


class ProbeFound(Record):
    """The independent tool's binary, as it was when the run began."""

    probe: Literal["found"] = "found"
    tool: Slug
    file: FileDigest


class ProbeAbsent(Record):
    """No binary was given, so that nothing that asks the probe is accepted."""

    probe: Literal["absent"] = "absent"
    tool: Slug


class Library(Record):
    """A distribution that carries out operations, and its version."""

    name: Line
    version: Line


def nothing_acted(backend: str, *, fixture: bool, reason: str) -> ComparisonDetail:
    """The detail of an attempt that was not performed to its end."""
    return ComparisonDetail(
        backend=backend,
        fixture=fixture,
        who=UnknownAgent(),
        actions=0,
        drift_applications=0,
        turned_down=0,
        observed=NoObservation(reason=reason),
    )
