"""A script of a model's turns, which the scripted server serves as if a model had said them. Pure.

A script is a JSON file. Each turn says what the request before it must be like, and what is answered. Requests that
belong to no turn, such as an agent's wish for a title, are answered beside the conversation. Whatever else is asked
is off the script, and is refused with what was expected.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, StringConstraints, model_validator

from runner.backends.completions import Asked
from runner.contract.values import Count, Line, Record

ToolName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]+$", max_length=64)]


class ScriptedCall(Record):
    """A call of one of the tools that the request offers."""

    name: ToolName
    arguments: Annotated[dict[str, JsonValue], Field(default_factory=dict)]


class CountedTokens(Record):
    """What the server says the turn has used."""

    usage: Literal["known"] = "known"
    prompt_tokens: Count
    completion_tokens: Count


class NoCount(Record):
    """The server says nothing of what the turn has used, as some providers do."""

    usage: Literal["absent"] = "absent"


ScriptedUsage = Annotated[CountedTokens | NoCount, Field(discriminator="usage")]


class Expectation(Record):
    """What a request must be like. What is left out may be as it likes."""

    last_role: Literal["system", "user", "assistant", "tool"] | None = None
    """Who said the last message."""
    says: tuple[Line, ...] = ()
    """Each of these stands in the last message."""
    tools: tuple[ToolName, ...] = ()
    """Each of these is offered. Those that the turn calls are so in any case."""


class Turn(Record):
    """One answer, and the request that it answers."""

    expects: Expectation = Expectation()
    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    usage: ScriptedUsage

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.text and not self.calls:
            raise ValueError("a turn says a text, calls a tool, or both")
        return self


class Aside(Record):
    """The answer to requests beside the conversation: they are known by their first message, and come at any time."""

    opens_with: Line
    """Stands in the request's first message."""
    text: Annotated[str, Field(min_length=1)]
    usage: ScriptedUsage


@dataclass(frozen=True, slots=True)
class OffScript:
    """A request that the script does not expect."""

    why: tuple[str, ...]


class Script(Record):
    """Everything that the server will ever say."""

    format: Literal["sealbook.script/1"]
    model: Annotated[Line, StringConstraints(max_length=200)]
    """The name of the pretended model. A request for another one is off the script."""
    turns: Annotated[tuple[Turn, ...], Field(min_length=1, max_length=1000)]
    asides: Annotated[tuple[Aside, ...], Field(max_length=20)] = ()

    def answer_to(self, asked: Asked, said: int) -> Turn | Aside | OffScript:
        """What is answered to a request when so many turns were said before."""
        if asked.model != self.model:
            return OffScript((f"the model is {asked.model!r}, the script is of {self.model!r}",))
        first = asked.messages[0]
        if aside := next((item for item in self.asides if item.opens_with in first.text), None):
            return aside
        if said == len(self.turns):
            return OffScript((f"the script ends after {said} turns, and this is one more request",))
        turn = self.turns[said]
        why = _differences(turn, asked)
        return OffScript(tuple(f"turn {said + 1}: {item}" for item in why)) if why else turn


def _differences(turn: Turn, asked: Asked) -> list[str]:
    last, expects = asked.messages[-1], turn.expects
    wrong = []
    if expects.last_role not in (None, last.role):
        wrong.append(f"the last message is of the {last.role}, expected {expects.last_role}")
    wrong += [f"the last message does not say {text!r}" for text in expects.says if text not in last.text]
    needed = dict.fromkeys((*expects.tools, *(call.name for call in turn.calls)))
    wrong += [f"the tool {name} is not offered" for name in needed if name not in asked.tools]
    return wrong
