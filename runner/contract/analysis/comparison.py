"""What the attempts of a comparison show: the matrix, totals by lane, and paired differences once nothing is missing.

Differences are left minus right, cell by cell, and exist only for two lanes and a complete matrix. There is no ranking,
no rate, no imputation and no significance: these are descriptions of what was observed.
"""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.analysis.parts import ArmResult, Finding
from runner.contract.comparison.metrics import Values
from runner.contract.tally import Tally
from runner.contract.values import AttemptId, Count, Line, Record, Slug


class Completeness(StrEnum):
    """Whether the matrix of tasks, available lanes and trials has a usable observation in every cell."""

    complete = "complete"
    partial = "partial"


class CellResult(Record):
    """The attempts of one lane at one task."""

    arm: Slug
    task: Slug
    tally: Tally


class CriterionResult(Record):
    """What became of one criterion in the attempts of one lane at one task."""

    arm: Slug
    task: Slug
    criterion: Slug
    planned: Count
    met: Count
    not_met: Count
    not_judged: Count
    """Attempts that did not begin, ended before it was judged, or came to their verdicts after the cap."""

    @model_validator(mode="after")
    def _parts_add_up(self) -> Self:
        if (parts := self.met + self.not_met + self.not_judged) != self.planned:
            raise ValueError(f"the verdicts add up to {parts}, planned are {self.planned}")
        return self


class ObservedTotals(Record):
    """Sums over at least one observation."""

    totals: Literal["observed"] = "observed"
    values: Values


class NoTotals(Record):
    """There is no observation to sum, which is not the same as a sum of zero."""

    totals: Literal["none"] = "none"


class UnknownTotals(Record):
    """There are observations, and their sum is not known."""

    totals: Literal["unknown"] = "unknown"
    reason: Line


Totals = Annotated[ObservedTotals | UnknownTotals | NoTotals, Field(discriminator="totals")]


class LaneTotals(Record):
    """Sums over the observed attempts of one lane. They say how many those are."""

    arm: Slug
    observed: Count
    """Attempts with a usable observation."""
    completed: Count
    """Those of them in which every criterion passed."""
    criteria_passed: Count
    metrics: Totals


class MissingCell(Record):
    """A cell of the matrix without a usable observation, or one that its pair does not fit."""

    arm: Slug
    task: Slug
    trial: int
    reason: Line


class PairedDifference(Record):
    """What one pair differs by, left minus right."""

    task: Slug
    trial: int
    left: AttemptId
    right: AttemptId
    metrics: Values


class ComparisonAnalysis(Record):
    """Everything that a page or a verifier says about a comparison beyond its tally."""

    kind: Literal["comparison"] = "comparison"
    version: Literal[1] = 1
    disposition: Completeness
    fixture: bool
    """Whether a script stood in for a model: then no number here is about a model."""
    arms: tuple[ArmResult, ...]
    cells: tuple[CellResult, ...]
    criteria: tuple[CriterionResult, ...]
    """Of the available lanes, lane by lane, task by task, in the order of the task."""
    findings: tuple[Finding, ...]
    lanes: tuple[LaneTotals, ...]
    missing: tuple[MissingCell, ...]
    direction: Literal["left_minus_right"] = "left_minus_right"
    differences: tuple[PairedDifference, ...]
    """Empty unless the matrix is complete and exactly two lanes are available."""
