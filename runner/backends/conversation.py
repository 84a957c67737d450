"""A conversation with a model, request by request and tool by tool, until it ends or has to.

Nothing here knows of HTTP, files or clocks: what asks and what waits are given, and whoever reads the events uses the
tools. Each request is an event of its own, a retry as well, so that nothing which may have cost money is left out.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from runner.backends.chat_settings import ChatSettings
from runner.backends.completions import UnreadableError
from runner.backends.endpoint import Answered, Unanswered
from runner.backends.questions import Heard, Said, Tool, question, read_answer
from runner.backends.spending import fits, in_micro_usd
from runner.contract.seal import digest
from runner.contract.values import KnownUsage, UnknownUsage

_AGAIN = frozenset((408, 409, 425, 429, 500, 502, 503, 504))
"""Statuses after which the same request may be answered."""
NO_USAGE = "the provider reported no usage"


class Ending(StrEnum):
    """Why a conversation ended."""

    finished = "finished"
    """The model called no further tool."""
    turns = "turns"
    """The bound of turns was reached."""
    budget = "budget"
    """The next request could have passed the budget, and was not made."""
    cut = "cut"
    """The answer was cut off at the bound of its length, so that nobody knows whether the model was finished."""
    unanswered = "unanswered"
    """No answer came, or none that could be read, and every retry was made."""


@dataclass(frozen=True, slots=True)
class RequestMade:
    """One request that was sent."""

    number: int
    """From 1."""
    retry: int
    """0 for the first of its kind."""
    sent_bytes: int
    sent_sha256: str
    usage: KnownUsage | UnknownUsage
    micro_usd: int
    """What it cost; where the usage is unknown, the most that it can have cost."""
    failed: str
    """Why it came to nothing, or empty."""
    answered_by: str | None = None
    """The model that the provider says has answered."""


@dataclass(frozen=True, slots=True)
class Called:
    """The model calls a tool. Whoever reads the events sends back what the model is told."""

    name: str
    arguments: str
    """JSON, as the model wrote it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The conversation is over."""

    ending: Ending
    text: str
    """What the model said last, or empty."""
    why: str = ""
    """Why there was nothing more, in words of the runner, unless the model had finished."""


Happened = RequestMade | Called | Ended
Talk = Generator[Happened, str | None, None]


@dataclass
class Conversation:
    """One conversation. `events` may be asked for once."""

    settings: ChatSettings
    tools: Sequence[Tool]
    """What the model may call."""
    ask: Callable[[bytes], Answered | Unanswered]
    wait: Callable[[int], None]
    """Sleeps for so many seconds."""
    _made: int = 0
    _spent: list[Decimal] = field(default_factory=list)
    _last: str = ""
    """What the model said last."""

    def events(self, system: str, task: str) -> Talk:
        """Everything that happens, in order; the last is `Ended`. Each `Called` is to be sent an answer."""
        said = opening(system, task)
        for _ in range(self.settings.limits.turns):
            body = question(self.settings.model, self.settings.decoding, said, self.tools)
            heard = yield from self._asked(body)
            if isinstance(heard, Ended):
                yield heard
                return
            answer = heard.answer
            self._last = answer.text or self._last
            said.append(Said("assistant", answer.text, answer.calls))
            if not answer.calls:
                if heard.cut:
                    bound = self.settings.decoding.max_completion_tokens
                    yield Ended(Ending.cut, answer.text, f"the answer was cut off at {bound} tokens")
                    return
                yield Ended(Ending.finished, answer.text)
                return
            for call in answer.calls:
                told = yield Called(call.name, call.arguments)
                said.append(Said("tool", told or "", answers=call.id))
        yield Ended(Ending.turns, self._last, f"{self.settings.limits.turns} turns were made")

    def _asked(self, body: bytes) -> Generator[Happened, str | None, Heard | Ended]:
        """Send a request until it is answered. Returns what was heard, or why it ends here."""
        limits, why = self.settings.limits, ""
        most = self.settings.price.most(len(body), self.settings.decoding.max_completion_tokens)
        for retry in range(limits.retries + 1):
            if not fits(self._spent, most, Decimal(limits.budget_usd)):
                spent = in_micro_usd(sum(self._spent, Decimal(0)))
                text = f"{spent} millionths of a dollar are spent, and the next request may cost {in_micro_usd(most)}"
                return Ended(Ending.budget, self._last, f"{text}; the budget is {limits.budget_usd} dollars")
            if retry:
                self.wait(limits.retry_wait_seconds)
            came = self.ask(body)
            heard, why, again = _understood(came)
            yield self._noted(body, retry, heard, most, why)
            if heard is not None:
                return heard
            if not again:
                break
        return Ended(Ending.unanswered, self._last, why)

    def _noted(self, body: bytes, retry: int, heard: Heard | None, most: Decimal, why: str) -> RequestMade:
        tokens = heard.answer.tokens if heard else None
        self._made += 1
        self._spent.append(most if tokens is None else self.settings.price.cost(tokens))
        usage: KnownUsage | UnknownUsage = UnknownUsage(reason=why or NO_USAGE)
        if tokens is not None:
            usage = KnownUsage(requests=1, prompt_tokens=tokens.prompt, completion_tokens=tokens.completion)
        cost = in_micro_usd(self._spent[-1])
        answered_by = heard.model if heard else None
        return RequestMade(self._made, retry, len(body), digest(body), usage, cost, why, answered_by)


def opening(system: str, task: str) -> list[Said]:
    """How every conversation begins."""
    return [Said("system", system), Said("user", task)]


def _understood(came: Answered | Unanswered) -> tuple[Heard | None, str, bool]:
    """What an answer says, or why it says nothing, and whether asking again may help."""
    if isinstance(came, Unanswered):
        return None, came.why, True
    if came.status != 200:
        said = came.body[:300].decode("utf-8", "backslashreplace")
        return None, f"status {came.status}: {said}", came.status in _AGAIN
    try:
        return read_answer(came.body), "", False
    except UnreadableError as error:
        return None, f"the answer cannot be read: {'; '.join(error.args)}"[:1000], False
