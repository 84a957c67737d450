"""A script as it is being served: where it stands, what was asked, and what is answered. No sockets here."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from runner.backends.completions import (
    Answer,
    Asked,
    Call,
    Tokens,
    UnreadableError,
    completion,
    models,
    read_request,
    refusal,
    stream,
)
from runner.backends.script import Aside, CountedTokens, OffScript, Script, Turn

_METHODS = {"/v1/models": "GET", "/v1/chat/completions": "POST"}
JSON_TYPE = "application/json"
EVENTS_TYPE = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Request:
    """One request that came, and what became of it. Headers are not kept: that is where keys are."""

    number: int
    """From 1, in the order in which they came."""
    method: str
    path: str
    body: bytes
    became: str
    """`models`, `turn 3`, `aside 1`, or `refused`."""
    why: tuple[str, ...] = ()
    """What was wrong with a refused one."""

    def record(self) -> dict[str, Any]:
        """The request as a JSON value, its body parsed where it is JSON."""
        try:
            body = json.loads(self.body) if self.body else None
        except (ValueError, RecursionError):
            body = self.body.decode("utf-8", "backslashreplace")
        fields = {"number": self.number, "method": self.method, "path": self.path, "became": self.became}
        return fields | {"why": list(self.why), "body": body}


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back: one document, or a stream of events that ends with the connection."""

    status: int
    kind: str
    pieces: tuple[bytes, ...]


class Performance:
    """One showing of a script. Requests may come from several threads; each is answered as a whole."""

    def __init__(self, script: Script, notice: Callable[[Request], None] = lambda _: None) -> None:
        """`notice` is told of every request, in order."""
        self._script = script
        self._notice = notice
        self._lock = threading.Lock()
        self._said = 0
        self._asides = 0
        self._requests: list[Request] = []

    @property
    def requests(self) -> tuple[Request, ...]:
        """Everything that was asked so far."""
        with self._lock:
            return tuple(self._requests)

    @property
    def unsaid(self) -> int:
        """How many turns of the script nobody has asked for."""
        return len(self._script.turns) - self._said

    def answer(self, method: str, path: str, body: bytes) -> Reply:
        """Answer one request and note it."""
        with self._lock:
            return self._noted(method, path, body, self._decide(method, path, body))

    def refuse(self, method: str, path: str, status: int, why: str) -> Reply:
        """Refuse a request whose body was not read, and note it."""
        with self._lock:
            return self._noted(method, path, b"", _refused(status, "bad_request", why))

    def _noted(self, method: str, path: str, body: bytes, decision: "_Decision") -> Reply:
        request = Request(len(self._requests) + 1, method, path, body, decision.became, decision.why)
        self._requests.append(request)
        self._notice(request)
        return decision.reply

    def _decide(self, method: str, path: str, body: bytes) -> "_Decision":
        if path not in _METHODS:
            why = f"there is no {path}: a script is served at {' and '.join(_METHODS)}"
            return _refused(404, "not_found", why)
        if method != _METHODS[path]:
            why = f"{path} takes {_METHODS[path]}, not {method}"
            return _refused(405, "bad_request", why)
        if method == "GET":
            return _Decision("models", Reply(200, JSON_TYPE, (models([self._script.model]),)))
        try:
            asked = read_request(body)
        except UnreadableError as error:
            return _refused(400, "bad_request", *error.args)
        return self._go_on(asked)

    def _go_on(self, asked: Asked) -> "_Decision":
        match self._script.answer_to(asked, self._said):
            case OffScript() as off:
                return _refused(400, "off_script", *off.why)
            case Aside() as aside:
                self._asides += 1
                return _Decision(f"aside {self._asides}", self._spoken(aside, asked))
            case Turn() as turn:
                self._said += 1
                return _Decision(f"turn {self._said}", self._spoken(turn, asked))

    def _spoken(self, said: Turn | Aside, asked: Asked) -> Reply:
        number = len(self._requests) + 1
        calls = said.calls if isinstance(said, Turn) else ()
        usage = said.usage
        answer = Answer(
            text=said.text,
            calls=tuple(
                Call(f"call-{number}-{index}", call.name, json.dumps(call.arguments, ensure_ascii=False))
                for index, call in enumerate(calls, 1)
            ),
            tokens=Tokens(usage.prompt_tokens, usage.completion_tokens) if isinstance(usage, CountedTokens) else None,
        )
        if not asked.stream:
            return Reply(200, JSON_TYPE, (completion(answer, self._script.model, number),))
        pieces = stream(answer, self._script.model, number, usage=asked.stream_usage)
        return Reply(200, EVENTS_TYPE, tuple(pieces))


@dataclass(frozen=True, slots=True)
class _Decision:
    became: str
    reply: Reply
    why: tuple[str, ...] = ()


def _refused(status: int, kind: str, *why: str) -> _Decision:
    return _Decision("refused", Reply(status, JSON_TYPE, (refusal("; ".join(why), kind),)), why)
