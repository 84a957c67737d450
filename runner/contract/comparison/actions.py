"""What an agent may do in an attempt: a closed set of actions, each a fact about the agent, never a verdict.

A transcript is a list of them. Whatever it claims about its own success is kept and never read.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from runner.contract.comparison.metrics import Quantity, Stream
from runner.contract.values import Count, Line, Record, Sha256, Slug

AskedPath = Annotated[str, StringConstraints(min_length=1, max_length=400)]
"""A path as an agent asks for it. It may be a hostile one; whether it is followed is decided by the sandbox."""
Content = Annotated[str, StringConstraints(max_length=262_144)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=100)]


class ReplaceText(Record):
    """Replace the one occurrence of `old` in a file."""

    op: Literal["replace_text"] = "replace_text"
    path: AskedPath
    old: Annotated[Content, StringConstraints(min_length=1)]
    new: Content
    expects: Sha256 | None = None
    """The file's digest as the agent last saw it: if it differs, the operation is stale and is turned down."""


class WriteText(Record):
    """Make a file hold exactly this text."""

    op: Literal["write_text"] = "write_text"
    path: AskedPath
    content: Content
    expects: Sha256 | None = None


class RenameSymbol(Record):
    """Rename a function, or one parameter of it, together with every use that refers to it."""

    op: Literal["rename_symbol"] = "rename_symbol"
    path: AskedPath
    symbol: Name
    """A function on the top level of the file."""
    parameter: Name | None = None
    to: Name
    expects: Sha256 | None = None


class AddParameter(Record):
    """Add a parameter to a function and a value for it to every call."""

    op: Literal["add_parameter"] = "add_parameter"
    path: AskedPath
    symbol: Name
    name: Name
    index: Annotated[int, Field(ge=0, le=50)]
    """Its position in the parameter list, from 0."""
    value: Line
    """What every call passes."""
    expects: Sha256 | None = None


class RemoveParameter(Record):
    """Remove a parameter from a function and its value from every call."""

    op: Literal["remove_parameter"] = "remove_parameter"
    path: AskedPath
    symbol: Name
    name: Name
    expects: Sha256 | None = None


TextOperation = ReplaceText | WriteText
SymbolOperation = RenameSymbol | AddParameter | RemoveParameter
Operation = Annotated[TextOperation | SymbolOperation, Field(discriminator="op")]


class ModelUsageAction(Record):
    """The model was asked; these are its provider's counters."""

    action: Literal["model_usage"] = "model_usage"
    input_tokens: Quantity
    output_tokens: Quantity


class ContextAction(Record):
    """So many bytes were shown to the model."""

    action: Literal["context_presentation"] = "context_presentation"
    bytes: Quantity


class ToolCallAction(Record):
    """The agent called one of its tools. With an operation, the runner carries that out in the workspace."""

    action: Literal["tool_call"] = "tool_call"
    tool: Slug
    request_bytes: Quantity
    response_bytes: Quantity
    operation: Operation | None = None


class InspectionAction(Record):
    """The agent looked at what identifies its target. The declared drift happens at the first one."""

    action: Literal["identifying_inspection"] = "identifying_inspection"


class FailedAttemptAction(Record):
    """A validator of the agent's own turned its work down."""

    action: Literal["failed_attempt"] = "failed_attempt"


class StaleFailureAction(Record):
    """The agent says that what it knew is out of date."""

    action: Literal["stale_failure"] = "stale_failure"


class StaleRecoveryAction(Record):
    """The agent does something about it."""

    action: Literal["stale_recovery_action"] = "stale_recovery_action"


class ValidationAction(Record):
    """The fixed validation took so long."""

    action: Literal["validation_interval"] = "validation_interval"
    ms: Quantity


class ReviewAction(Record):
    """A reviewer was active so long."""

    action: Literal["review_interval"] = "review_interval"
    ms: Quantity


class HumanInterventionAction(Record):
    """Somebody stepped in beyond the frozen prompt."""

    action: Literal["human_intervention"] = "human_intervention"


Action = Annotated[
    ModelUsageAction
    | ContextAction
    | ToolCallAction
    | InspectionAction
    | FailedAttemptAction
    | StaleFailureAction
    | StaleRecoveryAction
    | ValidationAction
    | ReviewAction
    | HumanInterventionAction,
    Field(discriminator="action"),
]


class Agent(Record):
    """Who acted and with what, as far as it is known. A pair is compared only where all of it is equal."""

    model: Line
    tokenizer: Line
    model_configuration: Line
    harness: Line
    host: Line
    toolchain: Line


class Transcript(Record):
    """One scripted session of the fixture backend, as its pinned file freezes it."""

    format: Literal["sealbook.comparison.transcript/1"]
    fixture: Literal[True]
    """It says of itself that it is no record of a model."""
    task: Slug
    lane: Slug
    agent: Agent
    streams: tuple[Stream, ...] = tuple(Stream)
    """What the session can be watched in. What is left out makes the observation unusable."""
    claimed_outcome: Line | None = None
    """What the session says of its own success. It is kept, and nothing reads it."""
    actions: Annotated[tuple[Action, ...], Field(min_length=1, max_length=4096)]


class Performed(Record):
    """One action as it was performed: what became of it in the workspace."""

    action: Action
    result: Literal["noted", "done", "stale", "turned-down", "forbidden"]
    """`noted` where there was nothing to carry out; `stale` where the file was not as expected; `forbidden` where
    the operation would have left the workspace or the lane."""
    said: str
    """Why it was not done, in the words that the agent was told, or empty."""


class Replay(Record):
    """The whole session as it happened. The metrics are counted from it a second time."""

    format: Literal["sealbook.comparison.replay/1"] = "sealbook.comparison.replay/1"
    fixture: bool
    backend: Slug
    task: Slug
    lane: Slug
    trial: Annotated[int, Field(ge=1, le=1000)]
    agent: Agent
    streams: tuple[Stream, ...]
    claimed_outcome: Line | None
    drift_applications: Count
    actions: tuple[Performed, ...]
