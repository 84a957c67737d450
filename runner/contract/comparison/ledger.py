"""The ledger of one attempt: nine kinds of typed events, eight streams, and the evidence each rests on.

The runner writes it after the agent has ended. It has no times and no random values, so that the same session in the
same workspace gives the same bytes.
"""

from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from runner.contract.comparison.actions import Agent
from runner.contract.comparison.metrics import MOST_EVENTS, Quantity, Stream
from runner.contract.values import Count, Record, RelativePath, Sha256, Slug, twice

LEDGER_ID = "typed-event-ledger"
"""The name of the ledger itself among the evidence of an observation; no artifact may take it."""


DIFFERENCE_KIND = "unified-diff"
"""The kind of the artifact that holds what the agent changed."""


class Artifact(Record):
    """One file of evidence, beside the ledger."""

    id: Slug
    path: RelativePath
    bytes: Count
    sha256: Sha256
    kind: Slug


class Nothing(Record):
    """The event itself is all there is to it."""


class ModelUsage(Record):
    """Counters of the model's provider."""

    model_input_tokens: Quantity
    model_output_tokens: Quantity


class PresentedContext(Record):
    """Bytes shown to the model."""

    presented_context_bytes: Quantity


class ToolTraffic(Record):
    """One call of a tool, as serialized."""

    tool_request_bytes: Quantity
    tool_response_bytes: Quantity


class ValidationTime(Record):
    """Time of the fixed validation."""

    validation_wall_ms: Quantity


class ReviewTime(Record):
    """Active time of a reviewer."""

    review_wall_ms: Quantity


class _Event(Record):
    evidence: Annotated[tuple[Slug, ...], Field(min_length=1)]


class ModelUsageEvent(_Event):
    """The model was asked."""

    kind: Literal["model_usage"] = "model_usage"
    values: ModelUsage


class ContextPresentationEvent(_Event):
    """Something was shown to the model."""

    kind: Literal["context_presentation"] = "context_presentation"
    values: PresentedContext


class ToolCallEvent(_Event):
    """A tool was called."""

    kind: Literal["tool_call"] = "tool_call"
    values: ToolTraffic


class FailedAttemptEvent(_Event):
    """An action was turned down."""

    kind: Literal["failed_attempt"] = "failed_attempt"
    values: Nothing = Nothing()


class StaleFailureEvent(_Event):
    """The agent noticed that what it knew is out of date."""

    kind: Literal["stale_failure"] = "stale_failure"
    values: Nothing = Nothing()


class StaleRecoveryEvent(_Event):
    """The agent did something about it."""

    kind: Literal["stale_recovery_action"] = "stale_recovery_action"
    values: Nothing = Nothing()


class ValidationEvent(_Event):
    """The fixed validation took its time."""

    kind: Literal["validation_interval"] = "validation_interval"
    values: ValidationTime


class ReviewEvent(_Event):
    """A reviewer took time."""

    kind: Literal["review_interval"] = "review_interval"
    values: ReviewTime


class HumanInterventionEvent(_Event):
    """Somebody stepped in."""

    kind: Literal["human_intervention"] = "human_intervention"
    values: Nothing = Nothing()


LedgerEvent = Annotated[
    ModelUsageEvent
    | ContextPresentationEvent
    | ToolCallEvent
    | FailedAttemptEvent
    | StaleFailureEvent
    | StaleRecoveryEvent
    | ValidationEvent
    | ReviewEvent
    | HumanInterventionEvent,
    Field(discriminator="kind"),
]
EVENT_KINDS: tuple[str, ...] = tuple(kind.model_fields["kind"].default for kind in get_args(get_args(LedgerEvent)[0]))
"""The nine kinds, in the order of tables."""


class Streams(Record):
    """Which evidence watches each stream. A stream without any was not watched: nothing is known of it."""

    model_usage: tuple[Slug, ...]
    context_presentation: tuple[Slug, ...]
    tool_calls: tuple[Slug, ...]
    failed_attempts: tuple[Slug, ...]
    stale_recovery: tuple[Slug, ...]
    validation: tuple[Slug, ...]
    review: tuple[Slug, ...]
    human_interventions: tuple[Slug, ...]

    def of(self, stream: Stream) -> tuple[Slug, ...]:
        """The evidence of one stream."""
        found: tuple[Slug, ...] = getattr(self, stream.value)
        return found


class AcceptanceRow(Record):
    """One criterion as the independent check judged it."""

    id: Slug
    outcome: Literal["passed", "failed"]
    evidence: Annotated[tuple[Slug, ...], Field(min_length=1)]


class Header(Record):
    """Which attempt this is about, by whom, and on what. It is the same in every document of the attempt."""

    study: Slug
    manifest_sha256: Sha256
    """Of study.toml, which pins all else."""
    task: Slug
    lane: Slug
    trial: Annotated[int, Field(ge=1, le=1000)]
    state: Literal["cold", "warm"]
    fixture: bool
    """Whether a script stood in for a model. Such numbers are constants of the script and measure nothing."""
    agent: Agent
    prompt_sha256: Sha256


class Ledger(Header):
    """Everything that was observed in one attempt, before anything is derived from it."""

    format: Literal["sealbook.comparison.ledger/1"] = "sealbook.comparison.ledger/1"
    artifacts: Annotated[tuple[Artifact, ...], Field(min_length=1, max_length=63)]
    streams: Streams
    events: Annotated[tuple[LedgerEvent, ...], Field(max_length=MOST_EVENTS)]
    acceptance: Annotated[tuple[AcceptanceRow, ...], Field(min_length=1)]
    """In the order of the task's criteria."""
    outcome: Literal["completed", "failed"]
    """Completed if, and only if, every criterion passed."""

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        ids = {artifact.id for artifact in self.artifacts}
        named = {name for event in self.events for name in event.evidence}
        named |= {name for row in self.acceptance for name in row.evidence}
        named |= {name for stream in Stream for name in self.streams.of(stream)}
        wrong: list[str] = []
        if LEDGER_ID in ids:
            wrong.append(f"{LEDGER_ID} is the ledger itself and no artifact")
        if repeated := twice(artifact.id for artifact in self.artifacts):
            wrong.append(f"artifact ids must be unique, twice: {', '.join(repeated)}")
        if unknown := sorted(named - ids):
            wrong.append(f"evidence that is no artifact: {', '.join(unknown)}")
        if repeated := twice(row.id for row in self.acceptance):
            wrong.append(f"criteria must be judged once, twice: {', '.join(repeated)}")
        if (self.outcome == "completed") != all(row.outcome == "passed" for row in self.acceptance):
            wrong.append("completed if, and only if, every criterion passed")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self
