"""What an agent did in an attempt, what drifted under it, and which probe was asked: in words."""

from dataclasses import dataclass
from typing import assert_never

from runner.contract.comparison.actions import (
    Action,
    AddParameter,
    ContextAction,
    FailedAttemptAction,
    HumanInterventionAction,
    InspectionAction,
    ModelUsageAction,
    Operation,
    RemoveParameter,
    RenameSymbol,
    ReplaceText,
    ReviewAction,
    StaleFailureAction,
    StaleRecoveryAction,
    ToolCallAction,
    ValidationAction,
    WriteText,
)
from runner.contract.comparison.happenings import ActedEvent, DriftedEvent, ProbedEvent
from sitegen import figures
from sitegen.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Said:
    """One entry of the time line, in words."""

    title: str
    notes: tuple[str, ...]
    tone: str = "plain"


def acted(event: ActedEvent | DriftedEvent | ProbedEvent, catalog: Catalog) -> Said:
    """An event of a comparison in words."""
    match event:
        case ActedEvent(performed=performed):
            result = performed.result
            notes = (*_sizes(performed.action, catalog), *_operation(performed.action, catalog))
            if result not in ("noted", "done"):
                notes = (*notes, catalog.say(f"acted.{result}"), performed.said)
            tone = "plain" if result in ("noted", "done") else "rejected"
            return Said(catalog.say(f"acted.{performed.action.action}"), notes, tone)
        case DriftedEvent():
            notes = (
                catalog.say("acted.drifted-file", path=event.path),
                catalog.say("acted.digests", before=event.before_sha256[:16], after=event.after_sha256[:16]),
            )
            return Said(catalog.say("acted.drifted"), notes, "hold")
        case ProbedEvent():
            same = event.before_sha256 == event.after_sha256
            notes = (
                catalog.say("acted.probe-same" if same else "acted.probe-changed"),
                catalog.say("acted.digests", before=event.before_sha256[:16], after=event.after_sha256[:16]),
            )
            return Said(catalog.say("acted.probed", tool=event.tool), notes, "plain" if same else "broken")
        case _:
            assert_never(event)


def _sizes(action: Action, catalog: Catalog) -> tuple[str, ...]:
    """The numbers that an action states."""
    say = catalog.say
    match action:
        case ModelUsageAction():
            return (say("acted.tokens", input=action.input_tokens, output=action.output_tokens),)
        case ContextAction():
            return (figures.size(action.bytes, catalog),)
        case ToolCallAction():
            sent, received = (figures.size(size, catalog) for size in (action.request_bytes, action.response_bytes))
            return (say("acted.tool", tool=action.tool, sent=sent, received=received),)
        case ValidationAction() | ReviewAction():
            return (figures.duration(action.ms * 1_000_000, catalog),)
        case (
            InspectionAction()
            | FailedAttemptAction()
            | StaleFailureAction()
            | StaleRecoveryAction()
            | HumanInterventionAction()
        ):
            return ()
        case _:
            assert_never(action)


def _operation(action: Action, catalog: Catalog) -> tuple[str, ...]:
    """What was to be done in the workspace."""
    if not isinstance(action, ToolCallAction) or action.operation is None:
        return ()
    operation: Operation = action.operation
    name = f"{catalog.say(f'operation.{operation.op}')}{catalog.say('list.colon')}"
    match operation:
        case ReplaceText() | WriteText():
            return (f"{name}{operation.path}",)
        case RenameSymbol():
            old = f"{operation.symbol}({operation.parameter})" if operation.parameter else operation.symbol
            return (f"{name}{operation.path}, {old} → {operation.to}",)
        case AddParameter():
            return (f"{name}{operation.path}, {operation.symbol}({operation.name}) = {operation.value}",)
        case RemoveParameter():
            return (f"{name}{operation.path}, {operation.symbol}({operation.name})",)
        case _:
            assert_never(operation)
