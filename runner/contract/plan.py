"""Every attempt that will be made, and every one that will not, with its reason.

The plan embeds the manifest, so that a sealed run can be recomputed when the manifest has
long moved on.
"""

from enum import StrEnum
from typing import Annotated, Literal, Protocol, Self

from pydantic import Field, model_validator

from runner.contract.comparison.design import ComparisonDesign
from runner.contract.comparison.tasks import ComparisonTasks
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.tasks import ParityTasks
from runner.contract.qualification.design import QualificationDesign
from runner.contract.qualification.tasks import QualificationTasks
from runner.contract.study import Study
from runner.contract.values import AttemptId, PinnedFile, Record, RelativePath, Slug, Text

PLAN_FORMAT = "sealbook.plan/1"

Tasks = Annotated[QualificationTasks | ComparisonTasks | ParityTasks, Field(discriminator="kind")]
"""What one study kind plans. Each kind has a version of its own."""


class Slot(Record):
    """One planned attempt."""

    arm: Slug
    task: Slug
    trial: Annotated[int, Field(ge=1, le=1000)]

    def attempt_id(self, retry: int) -> AttemptId:
        """The name of this slot's attempt; retry 0 is the first."""
        name = f"{self.arm}.{self.task}.{self.trial}"
        return f"{name}.r{retry}" if retry else name


class ExclusionReason(StrEnum):
    """Why something that belongs to the question is not attempted."""

    access_gated = "access-gated"
    not_offered = "not-offered"
    left_out_of_quick_run = "left-out-of-quick-run"
    external_unrun = "external-unrun"
    """It is run elsewhere or not at all, and never estimated here."""
    left_out_of_correctness_run = "left-out-of-correctness-run"
    """A run for correctness alone measures nothing."""


class Exclusion(Record):
    """A task of an arm that is not attempted. It is listed, and it is never counted as passed."""

    arm: Slug
    task: Slug
    """A check, or the feature itself where the subject has no check for it."""
    reason: ExclusionReason
    text: Text
    proof: RelativePath | None
    """The pinned file that shows it, where there is one."""


class Selection(StrEnum):
    """How much of the study this run plans."""

    full = "full"
    quick = "quick"
    """Without the tasks that wait in real time for minutes."""
    correctness_only = "correctness-only"
    """Without measurements."""
    reduced_timings = "reduced-timings"
    """With a sixteenth of the samples, of which none can be claimed and none is judged by a gate."""
    selected = "selected"
    """Only the attempts that the command named."""


class Plan(Record):
    """What one run will do, written before it does anything."""

    format: Literal["sealbook.plan/1"]
    study: Study
    tasks: Tasks
    manifest: tuple[PinnedFile, ...]
    """`study.toml` and every file it pins, as they were when the plan was made."""
    selection: Selection
    verdict_rule: Literal["last-attempt-of-slot"]
    """Only an attempt that the runner's own end interrupted is made again. Both stay; the slot
    counts once, by its last attempt."""
    slots: Annotated[tuple[Slot, ...], Field(min_length=1)]
    exclusions: tuple[Exclusion, ...]

    @model_validator(mode="after")
    def _is_of_one_kind(self) -> Self:
        if self.tasks.kind != self.study.design.kind:
            raise ValueError(f"a study of the kind {self.study.design.kind} has tasks of the kind {self.tasks.kind}")
        return self


class Planned(Protocol):
    """A study with its tasks: a plan, or a manifest as it was read."""

    @property
    def study(self) -> Study:
        """The frozen question."""
        ...

    @property
    def tasks(self) -> QualificationTasks | ComparisonTasks | ParityTasks:
        """What it asks."""
        ...


def as_qualification(plan: Planned) -> tuple[QualificationDesign, QualificationTasks]:
    """What only a qualification has. Raises ValueError for another kind."""
    if isinstance(plan.study.design, QualificationDesign) and isinstance(plan.tasks, QualificationTasks):
        return plan.study.design, plan.tasks
    raise ValueError(f"{plan.study.id} is a {plan.study.design.kind} and no qualification")


def as_comparison(plan: Planned) -> tuple[ComparisonDesign, ComparisonTasks]:
    """What only a comparison has. Raises ValueError for another kind."""
    if isinstance(plan.study.design, ComparisonDesign) and isinstance(plan.tasks, ComparisonTasks):
        return plan.study.design, plan.tasks
    raise ValueError(f"{plan.study.id} is a {plan.study.design.kind} and no comparison")


def as_parity(plan: Planned) -> tuple[ParityDesign, ParityTasks]:
    """What only a parity study has. Raises ValueError for another kind."""
    if isinstance(plan.study.design, ParityDesign) and isinstance(plan.tasks, ParityTasks):
        return plan.study.design, plan.tasks
    raise ValueError(f"{plan.study.id} is a {plan.study.design.kind} and no parity study")
