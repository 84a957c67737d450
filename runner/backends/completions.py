"""The chat completions format of OpenAI-compatible endpoints: requests read, answers written, and the reverse. Pure.

Source of the format: the API reference of `POST /v1/chat/completions` and `GET /v1/models`, which many local servers
follow. Only what is used here is read; the many other fields of both sides are left alone.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Role = Literal["system", "developer", "user", "assistant", "tool"]
Model = TypeVar("Model", bound=BaseModel)
DONE = b"data: [DONE]\n\n"
"""Ends a stream of events."""


class _Read(BaseModel):
    """Part of a foreign document: what is not named is left alone."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class _TextPart(_Read):
    type: str
    text: str = ""


class _Message(_Read):
    role: Role
    content: str | list[_TextPart] | None = None


class _Function(_Read):
    name: str


class _Tool(_Read):
    function: _Function


class _StreamOptions(_Read):
    include_usage: bool = False


class _Request(_Read):
    model: str
    messages: Annotated[list[_Message], Field(min_length=1)]
    tools: list[_Tool] | None = None
    stream: bool | None = None
    stream_options: _StreamOptions | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a request, with its text parts joined."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What matters of a request."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[str, ...]
    stream: bool
    stream_usage: bool
    """Whether the last event of a stream shall tell the usage."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of an answer: its arguments are JSON text, as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """What an answer has used, as its provider counts it."""

    prompt: int
    completion: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What an assistant said."""

    text: str
    calls: tuple[Call, ...]
    tokens: Tokens | None
    """None where the provider said nothing of it."""

    @property
    def ends_with(self) -> str:
        """Why the answer ended, in the words of the format."""
        return "tool_calls" if self.calls else "stop"


class UnreadableError(ValueError):
    """A document that is not of this format. Its arguments say what does not fit, one a problem."""


def read_request(data: bytes) -> Asked:
    """What a request asks. Raises `UnreadableError`."""
    request = read_as(_Request, data)
    return Asked(
        model=request.model,
        messages=tuple(Message(item.role, _text(item.content)) for item in request.messages),
        tools=tuple(tool.function.name for tool in request.tools or ()),
        stream=bool(request.stream),
        stream_usage=request.stream_options is not None and request.stream_options.include_usage,
    )


def completion(answer: Answer, model: str, number: int) -> bytes:
    """The whole answer as one document. `number` makes its id; there is no time in it."""
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    if answer.calls:
        message["tool_calls"] = [written_call(call) for call in answer.calls]
    choice = {"index": 0, "message": message, "finish_reason": answer.ends_with}
    return _written(_head("chat.completion", model, number) | {"choices": [choice]} | _usage(answer.tokens))


def stream(answer: Answer, model: str, number: int, *, usage: bool) -> Iterator[bytes]:
    """The answer as server-sent events: the role, the text, each call, the end, the usage if wanted, `[DONE]`."""
    head = _head("chat.completion.chunk", model, number)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    if answer.text:
        deltas.append({"content": answer.text})
    deltas += [{"tool_calls": [{"index": index} | written_call(call)]} for index, call in enumerate(answer.calls)]
    for delta in deltas:
        yield _event(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": answer.ends_with}]})
    if usage and answer.tokens:
        yield _event(head | {"choices": []} | _usage(answer.tokens))
    yield DONE


def models(names: Sequence[str]) -> bytes:
    """The list of models."""
    listed = [{"id": name, "object": "model", "created": 0, "owned_by": "script"} for name in names]
    return _written({"object": "list", "data": listed})


def refusal(why: str, kind: str) -> bytes:
    """An error, which clients show to their users."""
    return _written({"error": {"message": why, "type": kind, "param": None, "code": kind}})


def _head(kind: str, model: str, number: int) -> dict[str, Any]:
    return {"id": f"scripted-{number}", "object": kind, "created": 0, "model": model}


def written_call(call: Call) -> dict[str, Any]:
    """A tool call as both sides write it."""
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _usage(tokens: Tokens | None) -> dict[str, Any]:
    if tokens is None:
        return {}
    counts = {"prompt_tokens": tokens.prompt, "completion_tokens": tokens.completion}
    return {"usage": counts | {"total_tokens": tokens.prompt + tokens.completion}}


def _text(content: str | list[_TextPart] | None) -> str:
    if isinstance(content, list):
        return "".join(part.text for part in content)
    return content or ""


def _event(value: Mapping[str, Any]) -> bytes:
    return b"data: " + _written(value) + b"\n\n"


def _written(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def read_as(model: type[Model], data: bytes) -> Model:
    """A document of this format as one of its models. Raises `UnreadableError`."""
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        wrong = (f"{'.'.join(map(str, item['loc']))}: {item['msg']}".lstrip(": ") for item in found)
        raise UnreadableError(*wrong) from error
