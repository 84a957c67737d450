"""The twelve metrics of an attempt, the stream each is observed in, and the one way to derive it.

The set is closed. A metric that was not observed has no value: it is never taken as zero.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from runner.contract.values import Count, Line, Record, Slug

MOST_EVENTS = 65_536
"""Of one ledger."""
MOST_OF_AN_EVENT = 2**37 - 1
"""Tokens, bytes or milliseconds: 137 thousand million, so that the sum over a full ledger is still an exact integer."""
Quantity = Annotated[int, Field(ge=0, le=MOST_OF_AN_EVENT)]
"""What one event adds to a metric."""


class Stream(StrEnum):
    """What must be watched during an attempt, whether anything happens in it or not."""

    model_usage = "model_usage"
    context_presentation = "context_presentation"
    tool_calls = "tool_calls"
    failed_attempts = "failed_attempts"
    stale_recovery = "stale_recovery"
    validation = "validation"
    review = "review"
    human_interventions = "human_interventions"


class Metric(StrEnum):
    """What is counted or summed in every attempt. The order is the order of tables."""

    model_input_tokens = "model_input_tokens"
    """The provider's or tokenizer's counter, never inferred from bytes."""
    model_output_tokens = "model_output_tokens"
    presented_context_bytes = "presented_context_bytes"
    """Exact bytes shown to the model, repeats included."""
    tool_calls = "tool_calls"
    tool_request_bytes = "tool_request_bytes"
    tool_response_bytes = "tool_response_bytes"
    failed_attempts = "failed_attempts"
    """Actions that the runner or a validator turned down."""
    stale_failures = "stale_failures"
    """Explicit notices of the agent that what it knew is out of date."""
    stale_recovery_actions = "stale_recovery_actions"
    validation_wall_ms = "validation_wall_ms"
    review_wall_ms = "review_wall_ms"
    """A blinded reviewer's active time."""
    human_interventions = "human_interventions"
    """Interventions beyond the frozen prompt and the declared drift."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a metric comes from the events of a ledger: a sum over one field, or a count."""

    stream: Stream
    event: str
    field: str | None
    """The value to sum; None where the events themselves are counted."""

    @property
    def method(self) -> str:
        """The name of the method, as every observation states it."""
        return f"{'sum' if self.field else 'count'}_typed_{self.event}_events"


DERIVATIONS: dict[Metric, Derivation] = {
    Metric.model_input_tokens: Derivation(Stream.model_usage, "model_usage", "model_input_tokens"),
    Metric.model_output_tokens: Derivation(Stream.model_usage, "model_usage", "model_output_tokens"),
    Metric.presented_context_bytes: Derivation(
        Stream.context_presentation, "context_presentation", "presented_context_bytes"
    ),
    Metric.tool_calls: Derivation(Stream.tool_calls, "tool_call", None),
    Metric.tool_request_bytes: Derivation(Stream.tool_calls, "tool_call", "tool_request_bytes"),
    Metric.tool_response_bytes: Derivation(Stream.tool_calls, "tool_call", "tool_response_bytes"),
    Metric.failed_attempts: Derivation(Stream.failed_attempts, "failed_attempt", None),
    Metric.stale_failures: Derivation(Stream.stale_recovery, "stale_failure", None),
    Metric.stale_recovery_actions: Derivation(Stream.stale_recovery, "stale_recovery_action", None),
    Metric.validation_wall_ms: Derivation(Stream.validation, "validation_interval", "validation_wall_ms"),
    Metric.review_wall_ms: Derivation(Stream.review, "review_interval", "review_wall_ms"),
    Metric.human_interventions: Derivation(Stream.human_interventions, "human_intervention", None),
}


class Observed(Record):
    """A metric with its value, how it was derived, and the evidence. A zero needs evidence as well."""

    status: Literal["observed"] = "observed"
    value: Count
    method: Line
    evidence: Annotated[tuple[Slug, ...], Field(min_length=1)]


class Unavailable(Record):
    """A metric that nobody observed. It makes the whole observation unusable."""

    status: Literal["unavailable"] = "unavailable"
    method: Line
    reason: Line


Measured = Annotated[Observed | Unavailable, Field(discriminator="status")]


class Metrics(Record):
    """All twelve metrics of one attempt."""

    model_input_tokens: Measured
    model_output_tokens: Measured
    presented_context_bytes: Measured
    tool_calls: Measured
    tool_request_bytes: Measured
    tool_response_bytes: Measured
    failed_attempts: Measured
    stale_failures: Measured
    stale_recovery_actions: Measured
    validation_wall_ms: Measured
    review_wall_ms: Measured
    human_interventions: Measured

    def of(self, metric: Metric) -> Observed | Unavailable:
        """One of them."""
        found: Observed | Unavailable = getattr(self, metric.value)
        return found

    @property
    def missing(self) -> tuple[Metric, ...]:
        """Those that were not observed."""
        return tuple(metric for metric in Metric if isinstance(self.of(metric), Unavailable))


class Values(Record):
    """Twelve totals, or twelve signed differences between two totals."""

    model_input_tokens: int
    model_output_tokens: int
    presented_context_bytes: int
    tool_calls: int
    tool_request_bytes: int
    tool_response_bytes: int
    failed_attempts: int
    stale_failures: int
    stale_recovery_actions: int
    validation_wall_ms: int
    review_wall_ms: int
    human_interventions: int

    def of(self, metric: Metric) -> int:
        """One of them."""
        found: int = getattr(self, metric.value)
        return found


def values_of(metrics: Metrics) -> Values | None:
    """The twelve values, or None unless every one was observed."""
    found: dict[str, int] = {}
    for metric in Metric:
        match metrics.of(metric):
            case Observed(value=value):
                found[metric.value] = value
            case Unavailable():
                return None
    return Values(**found)
