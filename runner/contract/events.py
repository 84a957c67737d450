"""What happened inside one attempt, in order, one canonical line an event.

Times are kept apart, in `timings.jsonl`, by position.
"""

from typing import Annotated, Literal

from pydantic import Field

from runner.contract.attempt import Verdict
from runner.contract.comparison.happenings import ActedEvent, DriftedEvent, ProbedEvent
from runner.contract.parity.happenings import MutantJudgedEvent, SampledEvent
from runner.contract.values import Count, Line, Record, Sha256, Slug


class Exited(Record):
    """The process ended by itself."""

    end: Literal["exited"] = "exited"
    code: Annotated[int, Field(ge=0, le=255)]


class Signalled(Record):
    """A signal ended the process."""

    end: Literal["signalled"] = "signalled"
    signal: Annotated[int, Field(ge=1, le=64)]


class CappedByClock(Record):
    """The wall-clock cap ended the process and all that it had started. This is no exit code."""

    end: Literal["timed-out"] = "timed-out"


class NotSpawned(Record):
    """The process could not be started at all."""

    end: Literal["not-spawned"] = "not-spawned"
    why: Line


End = Annotated[Exited | Signalled | CappedByClock | NotSpawned, Field(discriminator="end")]


class Output(Record):
    """One output stream. The digest covers every byte the process wrote, kept or not."""

    text: str
    """The kept bytes as text. Bytes that are not UTF-8 stand as `\\xNN`; paths of this machine
    stand as placeholders such as `{work}`."""
    total_bytes: Count
    kept_bytes: Count
    sha256: Sha256
    """Over all bytes, before placeholders were put in."""
    replaced: Count
    """How many paths, names and keys were replaced by placeholders."""


class ProcessEvent(Record):
    """A process ran to its end."""

    event: Literal["process"] = "process"
    step: Slug
    instance: Count
    """The repetition or contender, from 1; 0 where there is just one process."""
    argv: tuple[str, ...]
    cwd: str
    env: tuple[str, ...]
    """Names of the variables that the step added, never their inherited values."""
    clock_shift_seconds: int
    end: End
    stdout: Output
    stderr: Output


class StartedEvent(Record):
    """A process was started and left running; `reached` says whether it came to its boundary."""

    event: Literal["started"] = "started"
    step: Slug
    argv: tuple[str, ...]
    cwd: str
    env: tuple[str, ...]
    clock_shift_seconds: int
    boundary: str
    """The boundary in words, such as `before COMMIT #2` or `port broker`."""
    reached: bool


class KilledEvent(Record):
    """The runner sent SIGKILL to a started process."""

    event: Literal["killed"] = "killed"
    step: Slug
    target: Slug
    gone: bool


class StoppedEvent(Record):
    """A process left running by an earlier step ended, was killed, or was ended with its attempt."""

    event: Literal["stopped"] = "stopped"
    step: Slug
    """The step that started it."""
    by: Literal["itself", "kill", "attempt-end"]
    end: End
    stdout: Output
    stderr: Output


class RacedEvent(Record):
    """A race was decided."""

    event: Literal["raced"] = "raced"
    step: Slug
    contenders: Count
    winners: Count
    expected_winners: Count


class WaitedEvent(Record):
    """The attempt waited in real time."""

    event: Literal["waited"] = "waited"
    step: Slug
    milliseconds: Count


class CapturedEvent(Record):
    """A value was kept for later steps."""

    event: Literal["captured"] = "captured"
    step: Slug
    name: Line
    value: str


class JudgedEvent(Record):
    """A criterion was judged."""

    event: Literal["judged"] = "judged"
    step: Slug
    criterion: Line
    instance: Count
    expected: str
    observed: str
    verdict: Verdict


class LeftoverEvent(Record):
    """A process outlived its attempt and was killed."""

    event: Literal["leftover"] = "leftover"
    program: str


class FaultEvent(Record):
    """The runner itself failed; the message is ours, not the subject's."""

    event: Literal["fault"] = "fault"
    message: str


Event = Annotated[
    ProcessEvent
    | StartedEvent
    | KilledEvent
    | StoppedEvent
    | RacedEvent
    | WaitedEvent
    | CapturedEvent
    | JudgedEvent
    | LeftoverEvent
    | ActedEvent
    | DriftedEvent
    | ProbedEvent
    | MutantJudgedEvent
    | SampledEvent
    | FaultEvent,
    Field(discriminator="event"),
]
