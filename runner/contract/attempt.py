"""One attempt as a value. A failed attempt is a value too, never an exception."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from runner.contract.comparison.detail import ComparisonDetail
from runner.contract.parity.detail import ParityDetail
from runner.contract.study import Tier
from runner.contract.values import AttemptId, Count, Line, Record, RelativePath, Slug, Usage


class Outcome(StrEnum):
    """How one attempt ended. Every planned slot has exactly one, and together they add up."""

    accepted = "accepted"
    """Every criterion was judged and met, within the caps."""
    rejected = "rejected"
    """At least one criterion was judged and not met."""
    failed_to_run = "failed-to-run"
    """A set-up step failed or the runner could not perform it: nothing was judged."""
    timed_out = "timed-out"
    """The wall clock ran out before the last criterion was judged."""
    refused = "refused"
    """The runner would not perform it, such as below the tier that the study accepts."""
    interrupted = "interrupted"
    """The runner itself ended while the attempt ran."""
    not_started = "not-started"
    """The run ended before it began."""


class Verdict(StrEnum):
    """What became of one criterion."""

    met = "met"
    not_met = "not-met"
    not_reached = "not-reached"
    """The attempt ended before it could be judged."""


class Criterion(Record):
    """One judged expectation, named as the plan's task names it."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+(?:\.[a-z0-9-]+)?$")]
    verdict: Verdict


class ReasonCode(StrEnum):
    """Why an attempt is not accepted."""

    criterion_not_met = "criterion-not-met"
    setup_step_failed = "setup-step-failed"
    boundary_not_reached = "boundary-not-reached"
    process_not_started = "process-not-started"
    reference_missing = "reference-missing"
    """The attempt that this one is held against was not performed to its end."""
    wall_cap = "wall-cap"
    tier_too_weak = "tier-too-weak"
    runner_ended = "runner-ended"
    run_ended_before = "run-ended-before"
    runner_fault = "runner-fault"
    """An error of ours, kept as such so that it never counts against the subject."""


class Reason(Record):
    """Why an attempt is not accepted, and where it shows."""

    code: ReasonCode
    at: Line | None
    """The step or criterion, where there is one."""


class QualificationDetail(Record):
    """What an attempt of a qualification did, without times or random values."""

    kind: Literal["qualification"] = "qualification"
    version: Literal[1] = 1
    steps_performed: Count
    processes_started: Count
    clock_shifts: Count
    """How many processes saw a shifted wall clock."""
    kills: Count
    """How many processes the runner ended with SIGKILL on purpose."""
    leftovers: Count
    """Processes that outlived the attempt's last step and had to be killed."""


Detail = Annotated[QualificationDetail | ComparisonDetail | ParityDetail, Field(discriminator="kind")]
"""What one study kind records. Each kind has a version of its own."""


class Attempt(Record):
    """One line of attempts.jsonl: no times and no random values, so that equal runs are equal."""

    attempt: AttemptId
    arm: Slug
    task: Slug
    trial: Annotated[int, Field(ge=1, le=1000)]
    retry: Annotated[int, Field(ge=0, le=1000)]
    outcome: Outcome
    reason: Reason | None
    """None for an accepted attempt only."""
    passed_after_cap: bool
    """Every criterion was met, but only after the cap: a separate fact, never an acceptance."""
    criteria: tuple[Criterion, ...]
    usage: Usage
    tier: Tier
    """The tier that was in force."""
    events: RelativePath | None
    """Its file of typed events, or None if it has none because it never started."""
    artifacts: tuple[RelativePath, ...]
    detail: Detail
