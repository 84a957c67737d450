"""What is derived from a ledger: twelve metrics, each with its method and its evidence; and their independent recount.

`observe` reads the ledger, `recount` reads the session itself. They share no code, and they must agree.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import Field

from runner.contract.canonical import encode
from runner.contract.comparison.actions import (
    ContextAction,
    FailedAttemptAction,
    HumanInterventionAction,
    ModelUsageAction,
    Performed,
    Replay,
    ReviewAction,
    StaleFailureAction,
    StaleRecoveryAction,
    ToolCallAction,
    ValidationAction,
)
from runner.contract.comparison.ledger import LEDGER_ID, AcceptanceRow, Artifact, Header, Ledger, LedgerEvent
from runner.contract.comparison.metrics import (
    DERIVATIONS,
    Derivation,
    Measured,
    Metric,
    Metrics,
    Observed,
    Unavailable,
    Values,
)
from runner.contract.seal import digest
from runner.contract.values import Slug

ACCEPTANCE_FILE = "acceptance.json"
LEDGER_FILE = "ledger.json"
OBSERVATION_FILE = "observation.json"
REPLAY_FILE = "transcript.json"
TURNED_DOWN = frozenset(("stale", "turned-down", "forbidden"))
"""Results of an action that count as a failed attempt."""


class Observation(Header):
    """The metrics of one attempt, and the acceptance they stand beside."""

    format: Literal["sealbook.comparison.observation/1"] = "sealbook.comparison.observation/1"
    artifacts: Annotated[tuple[Artifact, ...], Field(min_length=1, max_length=64)]
    """Those of the ledger, and the ledger."""
    metrics: Metrics
    acceptance: Annotated[tuple[AcceptanceRow, ...], Field(min_length=1)]
    outcome: Literal["completed", "failed"]


def observe(ledger: Ledger) -> Observation:
    """Derive the observation of a ledger. Pure: the same ledger gives the same bytes."""
    data = ledger.canonical()
    itself = Artifact(id=LEDGER_ID, path=LEDGER_FILE, bytes=len(data), sha256=digest(data), kind="typed-event-ledger")
    measured = {metric.value: _derived(ledger, derivation) for metric, derivation in DERIVATIONS.items()}
    return Observation(
        **{name: getattr(ledger, name) for name in Header.model_fields},
        artifacts=(*ledger.artifacts, itself),
        metrics=Metrics(**measured),
        acceptance=tuple(
            row.model_copy(update={"evidence": _once((LEDGER_ID, *row.evidence))}) for row in ledger.acceptance
        ),
        outcome=ledger.outcome,
    )


def acceptance_document(rows: Sequence[tuple[str, Sequence[tuple[bool, str, str]]]], *, fixture: bool) -> bytes:
    """The bytes of acceptance.json: each criterion with its rules, of which each is met or not, expected, observed."""
    return encode(
        {
            "fixture": fixture,
            "rows": [
                {
                    "id": name,
                    "passed": all(met for met, _, _ in rules),
                    "rules": [{"met": met, "expected": wanted, "observed": found} for met, wanted, found in rules],
                }
                for name, rules in rows
            ],
        }
    )


def recount(replay: Replay) -> Values:
    """Count and sum the twelve metrics from the performed actions, without the ledger."""
    actions = replay.actions
    usage = [item.action for item in actions if isinstance(item.action, ModelUsageAction)]
    calls = [item.action for item in actions if isinstance(item.action, ToolCallAction)]
    turned_down = sum(item.result in TURNED_DOWN for item in actions)
    return Values(
        model_input_tokens=sum(item.input_tokens for item in usage),
        model_output_tokens=sum(item.output_tokens for item in usage),
        presented_context_bytes=sum(item.action.bytes for item in actions if isinstance(item.action, ContextAction)),
        tool_calls=len(calls),
        tool_request_bytes=sum(item.request_bytes for item in calls),
        tool_response_bytes=sum(item.response_bytes for item in calls),
        failed_attempts=_number(actions, FailedAttemptAction) + turned_down,
        stale_failures=_number(actions, StaleFailureAction),
        stale_recovery_actions=_number(actions, StaleRecoveryAction),
        validation_wall_ms=sum(item.action.ms for item in actions if isinstance(item.action, ValidationAction)),
        review_wall_ms=sum(item.action.ms for item in actions if isinstance(item.action, ReviewAction)),
        human_interventions=_number(actions, HumanInterventionAction),
    )


def disagreements(observation: Observation, counted: Values) -> tuple[Metric, ...]:
    """The observed metrics whose value the session does not bear out."""
    found = ((metric, observation.metrics.of(metric)) for metric in Metric)
    return tuple(metric for metric, item in found if isinstance(item, Observed) and item.value != counted.of(metric))


def _number(actions: Iterable[Performed], kind: type) -> int:
    return sum(isinstance(item.action, kind) for item in actions)


def _derived(ledger: Ledger, derivation: Derivation) -> Measured:
    watched = ledger.streams.of(derivation.stream)
    if not watched:
        reason = f"the stream {derivation.stream.value} was not watched"
        return Unavailable(method=derivation.method, reason=reason)
    events = [event for event in ledger.events if event.kind == derivation.event]
    evidence = _once((LEDGER_ID, *watched, *(name for event in events for name in event.evidence)))
    return Observed(
        value=sum(_value(event, derivation.field) for event in events),
        method=derivation.method,
        evidence=evidence,
    )


def _value(event: LedgerEvent, field: str | None) -> int:
    return 1 if field is None else int(getattr(event.values, field))


def _once(names: Iterable[Slug]) -> tuple[Slug, ...]:
    return tuple(dict.fromkeys(names))
