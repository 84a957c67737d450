"""What a client of a chat completions endpoint writes and reads: requests out, answers in. Pure.

The format is that of `completions`. Requests are the same bytes for the same conversation, so that a dry run shows
exactly what would be sent.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from runner.backends.chat_settings import Decoding
from runner.backends.completions import Answer, Call, Tokens, read_as, written_call
from runner.contract.comparison.metrics import Quantity

Tool = Mapping[str, Any]
"""A tool as the request offers it: name, description and a JSON Schema of its arguments."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[Call, ...] = ()
    """Of an assistant."""
    answers: str = ""
    """The id of the call that a tool answers."""

    def written(self) -> dict[str, Any]:
        """The message as a request holds it."""
        message: dict[str, Any] = {"role": self.role, "content": self.text}
        if self.calls:
            message["tool_calls"] = [written_call(call) for call in self.calls]
        if self.answers:
            message["tool_call_id"] = self.answers
        return message


def question(model: str, decoding: Decoding, said: Sequence[Said], tools: Sequence[Tool]) -> bytes:
    """The body of a request for the next answer."""
    body: dict[str, Any] = {"model": model, "messages": [message.written() for message in said]}
    if tools:
        body["tools"] = [{"type": "function", "function": tool} for tool in tools]
    for name in ("temperature", "top_p"):
        if (value := getattr(decoding, name)) is not None:
            body[name] = float(value)  # the only place where a setting becomes a number: the format wants one
    if decoding.seed is not None:
        body["seed"] = decoding.seed
    body[decoding.limit_field] = decoding.max_completion_tokens
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer as it came, and what the provider says of who gave it."""

    answer: Answer
    model: str | None
    cut: bool
    """Whether the answer was cut off at the bound of its length."""


def read_answer(data: bytes) -> Heard:
    """What an endpoint answered. Raises `UnreadableError`."""
    response = read_as(_Response, data)
    choice = response.choices[0]
    calls = tuple(
        Call(call.id, call.function.name, call.function.arguments) for call in choice.message.tool_calls or ()
    )
    counted = response.usage
    known = counted is not None and counted.prompt_tokens is not None and counted.completion_tokens is not None
    tokens = Tokens(counted.prompt_tokens, counted.completion_tokens) if known else None  # type: ignore[union-attr, arg-type]
    answer = Answer(choice.message.content or "", calls, tokens)
    return Heard(answer, response.model, choice.finish_reason == "length")


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class _CalledFunction(_Read):
    name: Annotated[str, Field(min_length=1, max_length=200)]
    arguments: str


class _ToolCall(_Read):
    id: Annotated[str, Field(min_length=1, max_length=200)]
    function: _CalledFunction


class _AnswerMessage(_Read):
    content: str | None = None
    tool_calls: Annotated[list[_ToolCall], Field(max_length=128)] | None = None


class _Choice(_Read):
    message: _AnswerMessage
    finish_reason: str | None = None


class _Counted(_Read):
    prompt_tokens: Quantity | None = None
    completion_tokens: Quantity | None = None


class _Response(_Read):
    model: str | None = None
    choices: Annotated[list[_Choice], Field(min_length=1)]
    usage: _Counted | None = None
