"""Every attempt that will be made, and every one that will not, with its reason.

The plan embeds the manifest, so that a sealed run can be recomputed when the manifest has
long moved on.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from runner.contract.qualification.tasks import QualificationTasks
from runner.contract.study import Study
from runner.contract.values import AttemptId, PinnedFile, Record, RelativePath, Slug, Text

PLAN_FORMAT = "sealbook.plan/1"

Tasks = QualificationTasks
"""What one study kind plans. A second kind makes this a union discriminated by `kind`."""


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
