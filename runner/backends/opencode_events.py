"""What OpenCode prints, read strictly: the events of a run, and the export of its session. Pure.

Source of the format: `opencode run --format json` of 1.18.33, which prints one JSON object a line (`step_start`,
`text`, `tool_use`, `step_finish`, `error`), and `opencode export`, which prints the session with all parts of its
messages.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from runner.contract.comparison.metrics import MOST_OF_AN_EVENT, Quantity
from runner.contract.values import Count, Slug


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class _Cache(_Read):
    read: Quantity
    write: Quantity


class _Tokens(_Read):
    input: Quantity
    output: Quantity
    reasoning: Quantity
    cache: _Cache
    total: Count | None = None
    """Missing where the provider reported nothing; the other counters are zero then, and mean nothing."""

    @property
    def came_in(self) -> int:
        """What the model was given, from caches or not."""
        return self.input + self.cache.read + self.cache.write

    @property
    def went_out(self) -> int:
        """What the model made, reasoning included."""
        return self.output + self.reasoning

    @model_validator(mode="after")
    def _can_be_summed(self) -> Self:
        if max(self.came_in, self.went_out) > MOST_OF_AN_EVENT:
            raise ValueError(f"the tokens of one step come to more than {MOST_OF_AN_EVENT}")
        return self


class _State(_Read):
    status: Literal["completed", "error"]
    input: dict[str, Any]
    output: str = ""
    error: str = ""


class ToolPart(_Read):
    """A tool call that has ended."""

    type: Literal["tool"]
    id: str
    tool: Annotated[Slug, Field(max_length=60)]
    state: _State

    @property
    def request_bytes(self) -> int:
        """Of the arguments, as compact JSON."""
        return len(json.dumps(self.state.input, ensure_ascii=False, separators=(",", ":")).encode())

    @property
    def response_bytes(self) -> int:
        """Of what the model was told."""
        return len((self.state.output or self.state.error).encode("utf-8", "backslashreplace"))

    @property
    def failed(self) -> bool:
        """Whether the call was turned down or went wrong."""
        return self.state.status == "error"


class StepPart(_Read):
    """The model's answer has ended."""

    type: Literal["step-finish"]
    id: str
    reason: str
    tokens: _Tokens

    @property
    def counted(self) -> tuple[int, int] | None:
        """Input and output tokens, caches and reasoning included; None where the provider did not report them."""
        came_in, went_out = self.tokens.came_in, self.tokens.went_out
        return (came_in, went_out) if self.tokens.total == came_in + went_out else None


class TextPart(_Read):
    """Something the model said."""

    type: Literal["text"]
    id: str
    text: str


class _StartPart(_Read):
    type: Literal["step-start"]
    id: str


Part = ToolPart | StepPart | TextPart


class _Event(_Read):
    type: Literal["step_start", "text", "tool_use", "step_finish"]
    sessionID: str  # noqa: N815  the name of the format
    part: Annotated[ToolPart | StepPart | TextPart | _StartPart, Field(discriminator="type")]


class _ErrorEvent(_Read):
    type: Literal["error"]
    sessionID: str  # noqa: N815  the name of the format
    error: dict[str, Any]


_EVENT: TypeAdapter[_Event | _ErrorEvent] = TypeAdapter(_Event | _ErrorEvent)


@dataclass(frozen=True, slots=True)
class Session:
    """What one run printed, as far as it is understood."""

    id: str | None
    parts: tuple[Part, ...]
    errors: tuple[str, ...]
    """What it says went wrong between it and the model."""
    strange: tuple[str, ...]
    """Lines that are no event of this format, with where they stand. They make every count a lower bound."""

    @property
    def last_words(self) -> str | None:
        """What the model said last."""
        said = [part.text for part in self.parts if isinstance(part, TextPart)]
        return said[-1] if said else None


def read_events(output: bytes) -> Session:
    """The session that a run has printed. What is not understood is kept apart, never guessed."""
    sessions: list[str] = []
    parts: list[Part] = []
    seen: set[str] = set()
    errors: list[str] = []
    strange: list[str] = []
    for number, line in _lines(output):
        try:
            event = _EVENT.validate_json(line)
        except ValidationError as error:
            strange.append(f"line {number}: {error.errors(include_url=False)[0]['msg'].lower()}")
            continue
        sessions.append(event.sessionID)
        if isinstance(event, _ErrorEvent):
            errors.append(_said(event.error))
        elif not isinstance(event.part, _StartPart):
            if event.part.id in seen:
                strange.append(f"line {number}: {event.part.type} {event.part.id} stands twice")
                continue
            seen.add(event.part.id)
            parts.append(event.part)
    if len(set(sessions)) > 1:
        strange.append(f"events of {len(set(sessions))} sessions")
    return Session(sessions[0] if sessions else None, tuple(parts), tuple(errors), tuple(strange))


def _lines(output: bytes) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(output.split(b"\n"), 1):
        if line.strip():
            yield number, line


def _said(error: dict[str, Any]) -> str:
    data = error.get("data")
    message = data.get("message") if isinstance(data, dict) else None
    return f"{error.get('name', 'error')}: {message}" if message else str(error.get("name", "error"))


class _ExportedMessage(_Read):
    parts: list[dict[str, Any]]


class _Export(_Read):
    info: dict[str, Any]
    messages: list[_ExportedMessage]


def disagreements(session: Session, export: bytes) -> tuple[str, ...]:
    """Where the session's export says something else than its events did, part by part. Empty if it agrees."""
    try:
        exported = _Export.model_validate_json(export)
    except ValidationError as error:
        return (f"the export cannot be read: {error.errors(include_url=False)[0]['msg'].lower()}",)
    wrong: list[str] = []
    if exported.info.get("id") != session.id:
        wrong.append("the export is of another session")
    kept: dict[str, Part] = {}
    for part in (part for message in exported.messages for part in message.parts):
        if part.get("type") in ("tool", "step-finish", "text"):
            try:
                read = _PART.validate_python(part)
            except ValidationError:
                wrong.append(f"a part of the export cannot be read: {part.get('type')}")
                continue
            kept[read.id] = read
    seen = {part.id: part for part in session.parts}
    own_words = {id_ for id_, part in kept.items() if isinstance(part, TextPart)} - seen.keys()
    wrong += [f"the export lacks {part.type} {id_}" for id_, part in seen.items() if id_ not in kept]
    wrong += [f"the events lack {kept[id_].type} {id_}" for id_ in kept if id_ not in seen and id_ not in own_words]
    wrong += [f"{part.type} {id_} differs" for id_, part in seen.items() if id_ in kept and kept[id_] != part]
    return tuple(wrong)


_PART: TypeAdapter[Part] = TypeAdapter(Annotated[Part, Field(discriminator="type")])
