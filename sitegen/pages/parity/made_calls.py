"""The calls that an attempt made across the boundary of the harness, each with digests of what it asked and was told.

They are the starts of the program at its real entry point, and not all calls: what happens inside is not seen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from runner.contract.canonical import encode
from runner.contract.events import End, Event, NotSpawned, ProcessEvent
from runner.contract.parity.tasks import AskStep, CallStep, EditStep, RestartStep, Scenario, StopStep
from runner.contract.seal import digest

Operation: TypeAlias = Literal["call", "ask", "stop"]
OPERATIONS: tuple[Operation, ...] = ("call", "ask", "stop")
"""A call of the program itself, a request to its daemon, and the command that stops the daemon."""


@dataclass(frozen=True, slots=True)
class MadeCall:
    """One process of the program that the harness started."""

    step: str
    operation: Operation
    argv: tuple[str, ...]
    """As published: what names places of the machine is replaced."""
    request_sha256: str
    """Of the canonical JSON of `argv`, `cwd` and `env`, as they are published: what was asked, and in which scope."""
    end: End
    stdout_sha256: str
    """Of the whole stream; `stderr_sha256` likewise."""
    stderr_sha256: str


def made_calls(scenario: Scenario, events: Sequence[Event]) -> Iterator[MadeCall]:
    """Every process of the program that was started, in order. One that could not be started asked nothing."""
    operations = dict(_operations(scenario))
    for event in events:
        if isinstance(event, ProcessEvent) and not isinstance(event.end, NotSpawned):
            request = {"argv": list(event.argv), "cwd": event.cwd, "env": list(event.env)}
            yield MadeCall(
                step=event.step,
                # What is no step of the scenario is the end of the attempt, which stops the daemon.
                operation=operations.get(event.step, "stop"),
                argv=event.argv,
                request_sha256=digest(encode(request)),
                end=event.end,
                stdout_sha256=event.stdout.sha256,
                stderr_sha256=event.stderr.sha256,
            )


def counted(calls: Sequence[MadeCall]) -> dict[Operation, int]:
    """How many calls there are of each operation, of those that there are none of as well."""
    return {name: sum(call.operation == name for call in calls) for name in OPERATIONS}


def _operations(scenario: Scenario) -> Iterator[tuple[str, Operation]]:
    for step in scenario.steps:
        match step:
            case CallStep():
                yield step.id, "call"
            case AskStep():
                yield step.id, "ask"
            case RestartStep() | StopStep():
                yield step.id, "stop"
            case EditStep():
                pass
            case _:
                assert_never(step)
