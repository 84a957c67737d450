"""What an agent did in an attempt, what drifted under it, and which probe was asked: in words."""

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
from sitegen.pages.told import Digest, Told


def acted(event: ActedEvent | DriftedEvent | ProbedEvent, catalog: Catalog) -> Told:
    """What is said of an event of a comparison."""
    say = catalog.say
    match event:
        case ActedEvent(performed=performed):
            carried_out = performed.result in ("noted", "done")
            refused = () if carried_out else (say(f"acted.{performed.result}"), performed.said)
            return Told(
                step="",
                title=say(f"acted.{performed.action.action}"),
                notes=(*_sizes(performed.action, catalog), *_operation(performed.action, catalog), *refused),
                tone="plain" if carried_out else "rejected",
            )
        case DriftedEvent():
            patch = Digest(say("acted.patch"), event.patch_sha256)
            return Told(
                step="",
                title=say("acted.drifted"),
                notes=(say("acted.drifted-file", path=event.path),),
                digests=(patch, *before_and_after(event, catalog)),
                tone="hold",
            )
        case ProbedEvent():
            same = event.before_sha256 == event.after_sha256
            return Told(
                step="",
                title=say("acted.probed", tool=event.tool),
                notes=(say("acted.probe-same" if same else "acted.probe-changed"),),
                digests=before_and_after(event, catalog),
                tone="plain" if same else "broken",
            )
        case _:
            assert_never(event)


def before_and_after(event: DriftedEvent | ProbedEvent, catalog: Catalog) -> tuple[Digest, Digest]:
    """The digests of what was there, a file or a binary, before and after."""
    return (
        Digest(catalog.say("acted.before"), event.before_sha256),
        Digest(catalog.say("acted.after"), event.after_sha256),
    )


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
