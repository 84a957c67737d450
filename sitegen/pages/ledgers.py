"""The ledger of an attempt at a comparison: its nine kinds of events, their order, and the evidence they rest on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from runner.contract.comparison.ledger import (
    EVENT_KINDS,
    ContextPresentationEvent,
    FailedAttemptEvent,
    HumanInterventionEvent,
    Ledger,
    LedgerEvent,
    ModelUsageEvent,
    ReviewEvent,
    StaleFailureEvent,
    StaleRecoveryEvent,
    ToolCallEvent,
    ValidationEvent,
)
from runner.contract.comparison.metrics import DERIVATIONS, Metrics, Observed
from runner.contract.comparison.observation import LEDGER_FILE, observe
from sitegen import figures
from sitegen.catalog import Catalog
from sitegen.pages.attempt_parts import SealedFile, sealed_file
from sitegen.pages.attempt_records import Judged
from sitegen.pages.edition import Edition
from sitegen.pages.page import Link
from sitegen.sources import RunSource

FOLDED_EVENTS = 40
"""So many events and more are folded."""
_STREAM_OF = {derivation.event: derivation.stream for derivation in DERIVATIONS.values()}


@dataclass(frozen=True, slots=True)
class KindRow:
    """What a ledger holds of one kind of event."""

    kind: str
    code: str
    count: str
    """How many; or that nothing is known, where nobody watched."""
    sizes: str
    """What their sizes add up to; empty where they have none."""
    watched: tuple[Link, ...]
    """The evidence that the stream was watched in; none where it was not."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event."""

    number: int
    kind: str
    code: str
    sizes: str
    evidence: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class ArtifactRow:
    """One file of evidence that the ledger names."""

    id: str
    kind: str
    file: SealedFile


@dataclass(frozen=True, slots=True)
class LedgerView:
    """The ledger of one attempt."""

    file: SealedFile
    kinds: tuple[KindRow, ...]
    events: tuple[EventRow, ...]
    folded: bool
    unfold: str
    artifacts: tuple[ArtifactRow, ...]


def ledger_view(edition: Edition, run: RunSource, judged: Judged) -> LedgerView:
    """The ledger of an attempt in words."""
    ledger, catalog = judged.ledger, edition.catalog
    artifacts = tuple(
        ArtifactRow(item.id, item.kind, sealed_file(edition, run, run.sealed.file(f"{judged.folder}/{item.path}")))
        for item in ledger.artifacts
    )
    links, metrics = evidence_links(artifacts), observe(ledger).metrics
    return LedgerView(
        file=sealed_file(edition, run, run.sealed.file(f"{judged.folder}/{LEDGER_FILE}")),
        kinds=tuple(_kind(ledger, metrics, kind, links, catalog) for kind in EVENT_KINDS),
        events=tuple(
            EventRow(
                number,
                catalog.say(f"ledger.{event.kind}"),
                event.kind,
                _sizes(event, catalog),
                tuple(links[name] for name in event.evidence),
            )
            for number, event in enumerate(ledger.events, 1)
        ),
        folded=len(ledger.events) >= FOLDED_EVENTS,
        unfold=catalog.say("ledger.unfold", n=len(ledger.events)),
        artifacts=artifacts,
    )


def evidence_links(artifacts: tuple[ArtifactRow, ...]) -> Mapping[str, Link]:
    """Where the evidence lies that a ledger calls by these ids."""
    return {item.id: Link(item.id, item.file.link.target) for item in artifacts}


def _kind(ledger: Ledger, metrics: Metrics, kind: str, links: Mapping[str, Link], catalog: Catalog) -> KindRow:
    watched = ledger.streams.of(_STREAM_OF[kind])
    count = sum(event.kind == kind for event in ledger.events)
    said = [
        catalog.say("ledger.sum", metric=catalog.say(f"metric.{metric}"), sum=found.value)
        for metric, derivation in DERIVATIONS.items()
        if derivation.event == kind and derivation.field and isinstance(found := metrics.of(metric), Observed)
    ]
    return KindRow(
        catalog.say(f"ledger.{kind}"),
        kind,
        figures.count(count, catalog) if watched else catalog.say("value.unknown"),
        catalog.say("list.comma").join(said),
        tuple(links[name] for name in watched),
    )


def _sizes(event: LedgerEvent, catalog: Catalog) -> str:
    """The sizes that an event states."""
    say = catalog.say
    match event:
        case ModelUsageEvent(values=usage):
            return say("acted.tokens", input=usage.model_input_tokens, output=usage.model_output_tokens)
        case ContextPresentationEvent(values=shown):
            return figures.size(shown.presented_context_bytes, catalog)
        case ToolCallEvent(values=traffic):
            sent, received = traffic.tool_request_bytes, traffic.tool_response_bytes
            return say("ledger.traffic", sent=figures.size(sent, catalog), received=figures.size(received, catalog))
        case ValidationEvent(values=spent):
            return figures.duration(spent.validation_wall_ms * 1_000_000, catalog)
        case ReviewEvent(values=spent):
            return figures.duration(spent.review_wall_ms * 1_000_000, catalog)
        case FailedAttemptEvent() | StaleFailureEvent() | StaleRecoveryEvent() | HumanInterventionEvent():
            return ""
        case _:
            assert_never(event)
