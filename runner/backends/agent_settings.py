"""What a person writes down before an agent program acts: which program, what it may run, and which model it talks to.

A TOML file, given by `--config`. The model is behind a loopback address or is a script; no agent gets a way beyond
this machine.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from runner.contract.values import Line, Record

AbsolutePath = Annotated[str, StringConstraints(pattern=r"^/[^\x00]+$", max_length=1000)]
ToolName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9._+-]*$", max_length=60)]
ModelName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]*$", max_length=100)]


class ScriptedModel(Record):
    """A script stands in for the model. What comes of it says nothing about any model."""

    kind: Literal["script"] = "script"
    script: Annotated[str, StringConstraints(min_length=1, max_length=1000)]
    """A file, from the folder of this configuration."""


class LocalModel(Record):
    """A model that a server on this machine offers as an OpenAI-compatible endpoint."""

    kind: Literal["local"] = "local"
    name: ModelName
    port: Annotated[int, Field(ge=1, le=65_535)]
    """On 127.0.0.1; the agent reaches this port and no other."""
    tokenizer: Line
    configuration: Line
    """How the server was set up, in words: weights and their digest, quantization, decoding."""


class AgentLimits(Record):
    """Where an agent is stopped, whatever it does."""

    seconds: Annotated[int, Field(ge=1, le=86_400)] = 600
    output_bytes: Annotated[int, Field(ge=1024, le=64 * 1024 * 1024)] = 4 * 1024 * 1024
    """Of each of its outputs. One that prints more leaves no whole record, and is not mapped to metrics."""


class AgentSettings(Record):
    """Everything about an agent that a study's plan does not say."""

    format: Literal["sealbook.agent/1"]
    agent: Literal["opencode"]
    program: AbsolutePath
    """The program itself, not a script that starts it."""
    commands: Annotated[tuple[Line, ...], Field(max_length=50)] = ()
    """Shell commands that the agent may run, as its own patterns, such as `python3 -m unittest*`."""
    tools: Annotated[dict[ToolName, AbsolutePath], Field(default_factory=dict, max_length=20)]
    """Programs that the agent finds by these names, such as a compiler: each attempt gets private copies."""
    model: Annotated[ScriptedModel | LocalModel, Field(discriminator="kind")]
    limits: AgentLimits = AgentLimits()
