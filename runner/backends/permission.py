"""Whether an endpoint may be asked at all. Fails closed: what is missing is a decision that a person has to make."""

import json
import re
from typing import Any

from runner.backends.chat_settings import ChatSettings
from runner.backends.conversation import opening
from runner.backends.endpoint import sent_headers
from runner.backends.questions import Tool, question
from runner.backends.spending import in_micro_usd
from runner.contract.errors import Problem
from runner.contract.seal import digest
from runner.errors import HumanDecisionError

_IN_A_HEADER = re.compile(r"[!-~]+")


def configured(settings: ChatSettings | None) -> ChatSettings:
    """The settings, if there are any. Raises `HumanDecisionError` that says what a person has to write down."""
    if settings is None:
        what = "a live model needs a configuration: which model, at which price, within which budget, by whose key"
        raise HumanDecisionError(what, "write one as docs/backends.md describes, and give it with --config FILE")
    return settings


def permit(settings: ChatSettings | None, shown: str, plan_sha256: str, key: str | None) -> ChatSettings:
    """The settings, if with them the endpoint may be asked for this plan. `shown` is how messages call their file.

    Raises `HumanDecisionError` that says which decision is missing, all of them at once.
    """
    settings = configured(settings)
    problems: list[Problem] = []
    if not settings.on_loopback and (problem := _unauthorized(settings, shown, plan_sha256)):
        problems.append(problem)
    if settings.key_variable and (key is None or not _IN_A_HEADER.fullmatch(key)):
        what = f"the variable {settings.key_variable} is not set"
        if key is not None:  # which it is not said to be: no part of it is ever shown
            what = (
                f"the variable {settings.key_variable} holds what no header can carry, such as a blank or a line break"
            )
        problems.append(Problem(shown, "key_variable", what, "whoever owns the key sets it for this command"))
    if problems:
        raise HumanDecisionError.of(*problems)
    return settings


def _unauthorized(settings: ChatSettings, shown: str, plan_sha256: str) -> Problem | None:
    """What is missing before money may be spent beyond this machine."""
    given = settings.authorization
    if given is None:
        what = f"nobody has authorized spending at {settings.provider}: {settings.base_url} is not this machine"
        todo = f'a person who may decide it adds [authorization] with plan_sha256 = "{plan_sha256}", by, on and usd'
        return Problem(shown, "authorization", what, todo)
    if given.plan_sha256 != plan_sha256:
        what = f"the spending that {given.by} authorized on {given.on} is for another plan"
        todo = f"this plan is {plan_sha256}; whoever may decide it authorizes that one"
        return Problem(shown, "authorization.plan_sha256", what, todo)
    return None


def dry_run(settings: ChatSettings, system: str, task: str, tools: tuple[Tool, ...]) -> dict[str, Any]:
    """The first request exactly as it would be sent, with the name of the key in place of the key."""
    body = question(settings.model, settings.decoding, opening(system, task), tools)
    most = settings.price.most(len(body), settings.decoding.max_completion_tokens)
    named = f"Bearer {{{settings.key_variable}}}" if settings.key_variable else None
    return {
        "method": "POST",
        "url": settings.url,
        "headers": sent_headers(named),
        "body": json.loads(body),
        "body_bytes": len(body),
        "body_sha256": digest(body),
        "may_cost_micro_usd": in_micro_usd(most),
        "budget_usd": settings.limits.budget_usd,
    }
