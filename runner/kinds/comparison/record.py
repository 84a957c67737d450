"""The documents of one attempt: the replayed session, the ledger, the observation, and the evidence beside them.

Pure. Each says whether a script made it. None holds a time, a path of a machine or a random value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runner.contract.canonical import encode
from runner.contract.comparison.actions import (
    ContextAction,
    FailedAttemptAction,
    HumanInterventionAction,
    InspectionAction,
    ModelUsageAction,
    Performed,
    Replay,
    ReviewAction,
    StaleFailureAction,
    StaleRecoveryAction,
    ToolCallAction,
    ValidationAction,
)
from runner.contract.comparison.detail import NoObservation, ObservationState, UsableObservation
from runner.contract.comparison.difference import FIXTURE_LINE
from runner.contract.comparison.ledger import (
    DIFFERENCE_KIND,
    AcceptanceRow,
    Artifact,
    ContextPresentationEvent,
    FailedAttemptEvent,
    Header,
    HumanInterventionEvent,
    Ledger,
    LedgerEvent,
    ModelUsage,
    ModelUsageEvent,
    PresentedContext,
    ReviewEvent,
    ReviewTime,
    StaleFailureEvent,
    StaleRecoveryEvent,
    Streams,
    ToolCallEvent,
    ToolTraffic,
    ValidationEvent,
    ValidationTime,
)
from runner.contract.comparison.metrics import Stream, values_of
from runner.contract.comparison.observation import (
    ACCEPTANCE_FILE,
    LEDGER_FILE,
    OBSERVATION_FILE,
    REPLAY_FILE,
    TURNED_DOWN,
    Observation,
    acceptance_document,
    disagreements,
    observe,
    recount,
)
from runner.contract.seal import digest

_SESSION = "session"
_WORKSPACE = "workspace"
_DIFFERENCE = "difference"
_ACCEPTANCE = "acceptance"


@dataclass(frozen=True, slots=True)
class JudgedCriterion:
    """One criterion with all that was compared."""

    id: str
    passed: bool
    rules: Sequence[tuple[bool, str, str]]
    """Met, expected, observed."""


@dataclass(frozen=True, slots=True)
class Documents:
    """What is published of one attempt, and whether its observation can be used."""

    files: Mapping[str, bytes]
    state: ObservationState


def documents(
    header: Header,
    replay: Replay,
    criteria: Sequence[JudgedCriterion],
    difference: str,
    workspace: Mapping[str, object],
    projection: Mapping[str, object] | None,
) -> Documents:
    """Every document of a judged attempt. Raises ValueError if ledger and session disagree, a fault of ours."""
    rows = [(item.id, item.rules) for item in criteria]
    head = FIXTURE_LINE if header.fixture else ""
    evidence: dict[str, tuple[str, str, bytes]] = {
        _SESSION: (REPLAY_FILE, "transcript", replay.canonical()),
        _WORKSPACE: ("workspace.json", "workspace-difference", encode({"fixture": header.fixture, **workspace})),
        _DIFFERENCE: ("candidate.diff", DIFFERENCE_KIND, f"{head}{difference}".encode()),
        _ACCEPTANCE: (ACCEPTANCE_FILE, "independent-acceptance", acceptance_document(rows, fixture=header.fixture)),
    }
    if projection is not None:
        evidence["projection"] = ("projection.json", "auxiliary-projection", encode(dict(projection)))
    outcome = all(item.passed for item in criteria)
    ledger = Ledger(
        **{name: getattr(header, name) for name in Header.model_fields},
        artifacts=tuple(
            Artifact(id=name, path=path, bytes=len(data), sha256=digest(data), kind=kind)
            for name, (path, kind, data) in evidence.items()
        ),
        streams=Streams(
            **{stream.value: (_SESSION,) if stream in replay.streams else () for stream in Stream},
        ),
        events=tuple(event for item in replay.actions for event in _events(item)),
        acceptance=tuple(
            AcceptanceRow(
                id=item.id,
                outcome="passed" if item.passed else "failed",
                evidence=(_ACCEPTANCE, _WORKSPACE, _DIFFERENCE),
            )
            for item in criteria
        ),
        outcome="completed" if outcome else "failed",
    )
    observation = observe(ledger)
    if wrong := disagreements(observation, recount(replay)):
        raise ValueError(f"ledger and session do not agree in {', '.join(metric.value for metric in wrong)}")
    files = {path: data for path, _, data in evidence.values()}
    files[LEDGER_FILE] = ledger.canonical()
    files[OBSERVATION_FILE] = observation.canonical()
    return Documents(files, observed(observation))


def observed(observation: Observation) -> ObservationState:
    """Whether an observation can be used, and its values if so."""
    values = values_of(observation.metrics)
    if values is None:
        missing = ", ".join(metric.value for metric in observation.metrics.missing)
        return NoObservation(reason=f"not observed: {missing}")
    return UsableObservation(metrics=values)


def _events(item: Performed) -> tuple[LedgerEvent, ...]:  # noqa: C901 -- one arm an action
    """What an action is in the ledger: one event, and one more where it was turned down."""
    seen = (_SESSION,)
    action = item.action
    events: tuple[LedgerEvent, ...]
    match action:
        case ModelUsageAction():
            usage = ModelUsage(model_input_tokens=action.input_tokens, model_output_tokens=action.output_tokens)
            events = (ModelUsageEvent(values=usage, evidence=seen),)
        case ContextAction():
            shown = PresentedContext(presented_context_bytes=action.bytes)
            events = (ContextPresentationEvent(values=shown, evidence=seen),)
        case ToolCallAction():
            traffic = ToolTraffic(tool_request_bytes=action.request_bytes, tool_response_bytes=action.response_bytes)
            events = (ToolCallEvent(values=traffic, evidence=seen),)
        case FailedAttemptAction():
            events = (FailedAttemptEvent(evidence=seen),)
        case StaleFailureAction():
            events = (StaleFailureEvent(evidence=seen),)
        case StaleRecoveryAction():
            events = (StaleRecoveryEvent(evidence=seen),)
        case ValidationAction():
            events = (ValidationEvent(values=ValidationTime(validation_wall_ms=action.ms), evidence=seen),)
        case ReviewAction():
            events = (ReviewEvent(values=ReviewTime(review_wall_ms=action.ms), evidence=seen),)
        case HumanInterventionAction():
            events = (HumanInterventionEvent(evidence=seen),)
        case InspectionAction():
            events = ()
    return (*events, FailedAttemptEvent(evidence=seen)) if item.result in TURNED_DOWN else events
