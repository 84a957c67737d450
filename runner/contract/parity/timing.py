"""The frozen measurement: what is timed, how often, in which order, and which gates judge it."""

from enum import StrEnum
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Discriminator, Field, StringConstraints, Tag, model_validator

from runner.contract.parity.gate import DeclaredGate
from runner.contract.values import Line, Record, RelativePath, Slug, Text, twice

_WITH_DAEMON = "with-daemon"
_COMMAND_ALONE = "command-alone"


class Measure(StrEnum):
    """What is timed. The order is the order of pages."""

    command = "command"
    """The full command, in matched pairs of base and head."""
    cold = "cold"
    """A call that has to start the daemon first. Disk caches are prepared: only the daemon is cold."""
    warm = "warm"
    """A request to the running daemon over its own socket."""
    burst = "burst"
    """Many such requests, one right after the other."""


class TimedRow(Record):
    """One backend and scenario that is timed."""

    backend: Slug
    scenario: Slug


class TimingGate(Record):
    """One gate, and the measure that it judges in every row."""

    measure: Measure
    title: Text
    gate: DeclaredGate


class _Timing(Record):
    base: Slug
    head: Slug
    rows: Annotated[tuple[TimedRow, ...], Field(min_length=1)]
    command: Slug
    """The step of the scenario that is the full command. The calls and edits before it prepare what every sample of the
    row begins with; of a daemon that is started on it, the first `ask` after the last `restart` states the answer."""
    pairs: Annotated[int, Field(ge=2, le=1000)]
    seed: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+$", max_length=60)]
    """Of the order within pairs, and of resamplings."""
    resamplings: Annotated[int, Field(ge=100, le=100_000)]
    """How often the base's own samples are held against themselves, to see how often a gate holds for nothing."""
    seconds: Annotated[int, Field(ge=1, le=7200)]
    """Wall clock of the measurement of one row."""
    gates: Annotated[tuple[TimingGate, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.base == self.head:
            raise ValueError("base and head are the same variant")
        if repeated := twice(f"{row.backend} {row.scenario}" for row in self.rows):
            raise ValueError(f"rows must be named once, twice: {', '.join(repeated)}")
        return self


class TimingProtocol(_Timing):
    """How many samples of a command and of its daemon are taken, frozen before the first."""

    client: RelativePath
    """The pinned program that sends requests over the daemon's own socket and times each.

    It is called as `CLIENT RECEIPT COUNT -- REQUEST…`, sends so many requests one after the other and none again, and
    prints a line of JSON a request: `ns`, `sha256` of the answer and `status`, the exit status that the answer stands
    for, or `error`. Its first and last lines are `pid`: the daemon's process as the receipt names it, or null.
    """
    request: Annotated[tuple[Line, ...], Field(min_length=1)]
    """What one request asks. `{backend}` alone stands for the backend's arguments; `{state}` for the state's folder."""
    cold: Annotated[int, Field(ge=1, le=1000)]
    warm: Annotated[int, Field(ge=1, le=10_000)]
    burst: Annotated[int, Field(ge=1, le=10_000)]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is sampled in every row."""
        return tuple(Measure)

    def count(self, measure: Measure) -> int:
        """How many samples of each variant a row needs."""
        counts = {
            Measure.command: self.pairs,
            Measure.cold: self.cold,
            Measure.warm: self.warm,
            Measure.burst: self.burst,
        }
        return counts[measure]


class CommandTiming(_Timing):
    """How many samples of a command are taken that has no daemon, frozen before the first."""

    timed: Literal["command-alone"]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What is sampled in every row."""
        return (Measure.command,)

    def count(self, measure: Measure) -> int:
        """How many samples of each variant a row needs. Raises KeyError for what is not sampled."""
        return {Measure.command: self.pairs}[measure]

    @model_validator(mode="after")
    def _judges_what_is_timed(self) -> Self:
        if other := sorted({gate.measure.value for gate in self.gates} - {Measure.command.value}):
            raise ValueError(f"the command alone is timed, and gates judge {', '.join(other)}")
        return self


AnyTiming: TypeAlias = TimingProtocol | CommandTiming


def _timed(value: object) -> str:
    """What a protocol says is timed. The first ones say nothing of it, and their sealed form stays as it is."""
    if isinstance(value, dict):
        found = value.get("timed", _WITH_DAEMON)
        return found if isinstance(found, str) else ""
    return str(getattr(value, "timed", _WITH_DAEMON))


Timing = Annotated[
    Annotated[TimingProtocol, Tag(_WITH_DAEMON)] | Annotated[CommandTiming, Tag(_COMMAND_ALONE)],
    Discriminator(
        _timed, custom_error_type="timed", custom_error_message=f"timed is not {_COMMAND_ALONE}, which is all it can be"
    ),
]
