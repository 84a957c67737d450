"""An OpenAI-compatible endpoint as a backend: it offers the lane's tools to a model and has the runner carry them out.

Nothing is imported, opened or asked before a person has decided all that `permission` demands.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from runner import environment
from runner.backends.backend import Acting, Backend, Brief, Commission, TimeOverError, spoken
from runner.backends.chat_settings import ChatSettings
from runner.backends.configuration import read_configuration
from runner.backends.conversation import Called, Conversation, Ended, Ending, RequestMade, Talk
from runner.backends.eligibility import ineligible
from runner.backends.endpoint import Endpoint
from runner.backends.hands import Hands
from runner.backends.permission import configured, dry_run, permit
from runner.backends.tools import offered
from runner.contract.comparison.actions import Agent, ContextAction, ModelUsageAction
from runner.contract.comparison.detail import Ineligibility
from runner.contract.comparison.metrics import Stream
from runner.contract.values import KnownUsage, UnknownUsage, Usage
from runner.errors import HumanDecisionError
from runner.sandbox.containment import Contained
from runner.sandbox.secret_shapes import text_without_secrets, without_secrets

NAME = "chat"
SYSTEM = "You work on the files of one folder. Use the tools; what you say is not read. End when the task is done."
_NOT_ENDED = "the conversation did not end"
_WATCHED = (Stream.context_presentation, Stream.tool_calls, Stream.failed_attempts, Stream.stale_recovery)
_UNWATCHED = {
    Stream.model_usage: "the provider did not report the tokens of every request",
    Stream.validation: "the model runs no fixed validation",
    Stream.review: "nobody has reviewed",
    Stream.human_interventions: "no intervention ledger was kept",
}


@dataclass
class _Session:
    """What happened in one conversation."""

    requests: list[RequestMade] = field(default_factory=list)
    ended: Ended | None = None


@dataclass
class ChatBackend(Backend):
    """A model behind an endpoint, for one attempt."""

    commission: Commission
    settings: ChatSettings | None
    _session: _Session = field(default_factory=_Session, init=False)
    _permitted: bool = field(default=False, init=False)

    @property
    def name(self) -> str:
        """How records call it."""
        return NAME

    @property
    def agent(self) -> Agent:
        """The model as the configuration names it."""
        settings = configured(self.settings)
        decoding = json.dumps(settings.decoding.model_dump(mode="json", exclude_none=True), sort_keys=True)
        return Agent(
            model=f"{settings.provider}/{settings.model}",
            tokenizer=settings.tokenizer,
            model_configuration=decoding,
            harness="sealbook chat",
            host="the runner's own process",
            toolchain="the runner's operations",
        )

    def ready(self, plan_sha256: str) -> None:
        """Raise `HumanDecisionError` unless everything is decided that a person has to decide."""
        settings = self.settings
        key = environment.key(settings.key_variable) if settings and settings.key_variable else None
        permit(settings, str(self.commission.configuration), plan_sha256, key)
        self._permitted = True

    def preview(self, brief: Brief) -> Mapping[str, Any]:
        """The first request as it would be sent."""
        return dry_run(configured(self.settings), SYSTEM, spoken(brief), offered(self.commission.interface))

    @property
    def streams(self) -> Sequence[Stream]:
        """What happened in the runner's sight."""
        return () if self._flaws else tuple(stream for stream in Stream if stream in self._told)

    @property
    def claimed_outcome(self) -> str | None:
        """What the model said last. Why the runner ended the conversation is no claim of the model's."""
        return self._claimed[0][:4000] or None

    @property
    def usage(self) -> Usage:
        """The sum over all requests; unknown as soon as one of them is."""
        known = [made.usage for made in self._session.requests if isinstance(made.usage, KnownUsage)]
        if len(known) < len(self._session.requests):
            missing = len(self._session.requests) - len(known)
            return UnknownUsage(reason=f"{missing} of {len(self._session.requests)} requests have no reported usage")
        return KnownUsage(
            requests=len(known),
            prompt_tokens=sum(usage.prompt_tokens for usage in known),
            completion_tokens=sum(usage.completion_tokens for usage in known),
        )

    @property
    def records(self) -> Mapping[str, bytes]:
        """Every request with what it cost at most, retries included, and how the conversation ended."""
        return {name: data for name, (data, _) in self._records.items()}

    @property
    def replaced(self) -> int:
        """Keys that were taken out of the records and of what the model said last."""
        return self._claimed[1] + sum(count for _, count in self._records.values())

    @property
    def _records(self) -> dict[str, tuple[bytes, int]]:
        """Each record without keys, and how many there were."""
        lines = [
            {
                "number": made.number,
                "retry": made.retry,
                "sent_bytes": made.sent_bytes,
                "sent_sha256": made.sent_sha256,
                "usage": made.usage.model_dump(mode="json"),
                "micro_usd": made.micro_usd,
                "failed": made.failed,
                "answered_by": made.answered_by,
            }
            for made in self._session.requests
        ]
        ended = self._session.ended
        ending = {"ending": ended.ending.value if ended else "time", "why": ended.why if ended else _NOT_ENDED}
        found: dict[str, list[dict[str, Any]]] = {"chat/requests.jsonl": lines, "chat/ending.jsonl": [ending]}
        return {
            name: without_secrets("".join(map(_line, items)).encode("utf-8", "backslashreplace"))
            for name, items in found.items()
        }

    @property
    def _claimed(self) -> tuple[str, int]:
        ended = self._session.ended
        return text_without_secrets(ended.text) if ended else ("", 0)

    @property
    def _told(self) -> frozenset[Stream]:
        """The streams that the conversation tells of, if its record is whole."""
        reported = all(isinstance(made.usage, KnownUsage) for made in self._session.requests)
        return frozenset((*_WATCHED, Stream.model_usage) if reported else _WATCHED)

    @property
    def _flaws(self) -> tuple[str, ...]:
        """Why the record of the conversation is not whole."""
        ended = self._session.ended
        if ended is None:
            return (_NOT_ENDED,)
        flaws = [ended.why] if ended.ending is Ending.unanswered else []
        models = sorted({made.answered_by for made in self._session.requests if made.answered_by})
        if len(models) > 1:
            flaws.append(f"the provider says that several models answered: {', '.join(models)}")
        return tuple(text_without_secrets(flaw)[0] for flaw in flaws)

    @property
    def ineligible(self) -> Sequence[Ineligibility]:
        """Always several reasons."""
        return ineligible(
            scripted=False,
            streams=self.streams,
            why_unwatched={**_UNWATCHED, **dict.fromkeys(self._told, "the record is not whole")},
            flaws=self._flaws,
        )

    def act(self, brief: Brief) -> Acting:
        """Talk to the model until it ends.

        Raises `HumanDecisionError` unless `ready` was asked before, and `TimeOverError`.
        """
        settings = configured(self.settings)
        if not self._permitted:
            raise HumanDecisionError("nobody asked whether this endpoint may be used", "ask `ready` first")
        until = time.monotonic() + brief.seconds

        def wait(seconds: float) -> None:
            """Sleep, but not beyond the end of the attempt."""
            if (left := until - time.monotonic()) < seconds:
                time.sleep(max(left, 0))
                raise TimeOverError
            time.sleep(seconds)

        key = environment.key(settings.key_variable) if settings.key_variable else None
        with Endpoint(settings, key) as endpoint, Contained(brief.workspace) as files:
            conversation = Conversation(
                settings, offered(self.commission.interface), partial(endpoint.ask, until=until), wait
            )
            talk = conversation.events(SYSTEM, spoken(brief))
            hands = Hands(self.commission.interface, files, marks_inspection=self.commission.drifts)
            yield from self._listen(talk, hands, until)

    def _listen(self, talk: Talk, hands: Hands, until: float) -> Acting:
        happened = next(talk)
        while True:
            told: str | None = None
            match happened:
                case RequestMade():
                    self._session.requests.append(happened)
                    yield ContextAction(bytes=happened.sent_bytes)
                    if isinstance(happened.usage, KnownUsage):
                        used = happened.usage
                        yield ModelUsageAction(input_tokens=used.prompt_tokens, output_tokens=used.completion_tokens)
                case Called():
                    told = yield from hands.use(happened)
                case Ended():
                    self._session.ended = happened
                    return
            if time.monotonic() > until:
                raise TimeOverError
            happened = talk.send(told)


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"


def make(commission: Commission) -> ChatBackend:
    """A chat backend for one attempt. Raises `InvalidRecordError` for a configuration that is wrong."""
    path = commission.configuration
    settings = read_configuration(ChatSettings, path, str(path)) if path else None
    return ChatBackend(commission, settings)
