"""What an OpenCode session means in actions, streams and usage. Pure: the one place where its parts are mapped.

| part or event           | actions                                                        |
| ----------------------- | -------------------------------------------------------------- |
| a request to the model  | `context_presentation`, where the runner saw its bytes          |
| `step-finish`           | `model_usage`, where the provider reported tokens               |
| `tool`                  | `tool_call`, and `failed_attempt` if it was turned down          |
| `text`, `step-start`    | none: words of the model claim, and do nothing                  |

Nothing of a session says that the agent noticed a stale file, how long a fixed validation or a review took, or that
nobody stepped in, so that these streams are not watched.
"""

from collections.abc import Iterator, Sequence

from runner.backends.opencode_events import Session, StepPart, ToolPart
from runner.contract.canonical import MAX_INTEGER
from runner.contract.comparison.actions import (
    Action,
    ContextAction,
    FailedAttemptAction,
    ModelUsageAction,
    ToolCallAction,
)
from runner.contract.comparison.metrics import Stream
from runner.contract.values import KnownUsage, UnknownUsage, Usage

_NEVER = {
    Stream.stale_recovery: "no event of the agent says that it noticed a change",
    Stream.validation: "the agent runs no fixed validation",
    Stream.review: "nobody has reviewed",
    Stream.human_interventions: "no intervention ledger was kept",
}


def actions_of(session: Session, shown_bytes: Sequence[int] | None) -> Iterator[Action]:
    """Everything that the session did, in order: a step is what the model was shown, its usage, then its tool calls."""
    step: list[ToolPart] = []
    shown = iter(shown_bytes or ())
    for part in session.parts:
        if isinstance(part, ToolPart):
            step.append(part)
        elif isinstance(part, StepPart):
            yield from _step(next(shown, None), part.counted, step)
            step = []
    yield from _step(next(shown, None), None, step)
    yield from (ContextAction(bytes=length) for length in shown)


def watched(session: Session, shown_bytes: Sequence[int] | None) -> tuple[Stream, ...]:
    """The streams that a whole record of a session can tell."""
    steps = [part for part in session.parts if isinstance(part, StepPart)]
    found = [Stream.tool_calls, Stream.failed_attempts]
    if steps and all(part.counted for part in steps):
        found.append(Stream.model_usage)
    if shown_bytes is not None and len(shown_bytes) == len(steps):
        found.append(Stream.context_presentation)
    return tuple(stream for stream in Stream if stream in found)


def unwatched(session: Session, shown_bytes: Sequence[int] | None) -> dict[Stream, str]:
    """Why a stream is not watched, for each that may not be; what a whole record would tell is lost with it."""
    return {
        Stream.model_usage: "the provider did not report the tokens of every step",
        Stream.context_presentation: "the runner did not see every request to the model",
        **_NEVER,
        **dict.fromkeys(watched(session, shown_bytes), "the record is not whole"),
    }


def usage_of(session: Session, flaws: Sequence[str]) -> Usage:
    """The tokens of the whole session; unknown unless every step was counted."""
    steps = [part for part in session.parts if isinstance(part, StepPart)]
    counted = [part.counted for part in steps if part.counted]
    if flaws:
        return UnknownUsage(reason="the record of the session is not whole")
    if not steps or len(counted) < len(steps):
        return UnknownUsage(reason="the provider did not report the tokens of every step")
    came_in, went_out = (sum(pair) for pair in zip(*counted, strict=True))
    if max(came_in, went_out) > MAX_INTEGER:
        return UnknownUsage(reason=f"the tokens of the session come to more than {MAX_INTEGER}")
    return KnownUsage(requests=len(steps), prompt_tokens=came_in, completion_tokens=went_out)


def _step(shown: int | None, counted: tuple[int, int] | None, tools: Sequence[ToolPart]) -> Iterator[Action]:
    if shown is not None:
        yield ContextAction(bytes=shown)
    if counted is not None:
        yield ModelUsageAction(input_tokens=counted[0], output_tokens=counted[1])
    for part in tools:
        yield ToolCallAction(tool=part.tool, request_bytes=part.request_bytes, response_bytes=part.response_bytes)
        if part.failed:
            yield FailedAttemptAction()
