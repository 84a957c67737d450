"""The step language: what a check may do to a subject, and what it may expect.

A check is a list of steps; each step starts, stops or awaits real processes. There is no
step that edits a subject's state. Text in `argv`, `env`, `cwd`, `stdin` and expectations may
hold placeholders in braces: `{command}` the subject's program, `{python}` its private
interpreter, `{work}` and `{state}` the attempt's own folders, `{source}` the unpacked source,
`{i}` the number of a contender or repetition from 1, `{port.NAME}` a service's port, and
`{NAME}` a captured value.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from runner.contract.values import Line, Record, Slug, Text

Pointer = Annotated[str, StringConstraints(pattern=r"^(/[^/]*)*$", max_length=200)]
"""RFC 6901 JSON pointer into a process's JSON output."""
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
Template = Annotated[str, StringConstraints(max_length=4000)]
Environment = dict[Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")], Template]
Scalar = bool | int | str | None
Seconds = Annotated[int, Field(ge=1, le=3600)]


class ExitCode(Record):
    """The process ended by itself with this code."""

    expect: Literal["exit"]
    code: Annotated[int, Field(ge=0, le=255)]


class ExitNonzero(Record):
    """The process ended by itself with any code but 0: a refusal."""

    expect: Literal["exit-nonzero"]


class OutputHolds(Record):
    """The stream holds this text."""

    expect: Literal["holds"]
    stream: Literal["stdout", "stderr", "either"]
    text: Template


class OutputLacks(Record):
    """Neither stream holds this text."""

    expect: Literal["lacks"]
    text: Template


class JsonEquals(Record):
    """The value at `at` of the JSON on stdout equals `value` (text may hold placeholders)."""

    expect: Literal["json"]
    at: Pointer
    value: Scalar


class JsonDiffers(Record):
    """There is a value at `at`, and it is not `value`."""

    expect: Literal["json-differs"]
    at: Pointer
    value: Scalar


class JsonAbsent(Record):
    """There is no value at `at`, or it is null."""

    expect: Literal["json-absent"]
    at: Pointer


class JsonCount(Record):
    """The list at `at` holds exactly `count` items that have every value of `where`."""

    expect: Literal["json-count"]
    at: Pointer
    count: Annotated[int, Field(ge=0, le=1000)]
    where: dict[Pointer, Scalar] = Field(default_factory=dict)


Expectation = Annotated[
    ExitCode | ExitNonzero | OutputHolds | OutputLacks | JsonEquals | JsonDiffers | JsonAbsent | JsonCount,
    Field(discriminator="expect"),
]


class Capture(Record):
    """Keep the scalar at `at` of the JSON on stdout as `{name}` for later steps."""

    name: Name
    at: Pointer


class ProcessStep(Record):
    """What every step that starts a process has in common."""

    id: Slug
    argv: Annotated[tuple[Template, ...], Field(min_length=1)]
    env: Environment = Field(default_factory=dict)
    cwd: Annotated[str, StringConstraints(pattern=r"^(?:\.|[a-z0-9-]+(?:/[a-z0-9-]+)*)$")] = "."
    """A folder below the attempt's workspace; it is made when it is missing."""
    clock_shift_seconds: Annotated[int, Field(ge=-10_000_000, le=10_000_000)] = 0
    """Declared shift of the wall clock that this process sees (Python subjects)."""
    setup: bool = False
    """A set-up step: if it fails, the attempt failed to run, and nothing was judged."""
    seconds: Seconds | None = None
    """Wall clock for this process, if it differs from the study's cap."""


class RunStep(ProcessStep):
    """Run a process to its end and judge it."""

    do: Literal["run"]
    stdin: Template = ""
    repeat: Annotated[int, Field(ge=1, le=64)] = 1
    """Run it this many times, one after the other, with `{i}` counting from 1."""
    expect: Annotated[tuple[Expectation, ...], Field(min_length=1)]
    capture: tuple[Capture, ...] = ()
    publish: Slug | None = None
    """Publish the whole stdout as an artifact of this name."""


class RaceStep(ProcessStep):
    """Start many processes behind one gate, and expect exactly so many winners."""

    do: Literal["race"]
    contenders: Annotated[int, Field(ge=2, le=64)]
    winner: Annotated[tuple[Expectation, ...], Field(min_length=1)]
    """A contender that meets all of these has won."""
    winners: Annotated[int, Field(ge=0, le=64)]


class AtStatement(Record):
    """The process is about to run, or has just run, an SQLite statement (Python subjects)."""

    at: Literal["sqlite"]
    moment: Literal["before", "after"]
    statement: Line
    """How the statement begins, such as `COMMIT` or `INSERT INTO tasks`; case is ignored."""
    occurrence: Annotated[int, Field(ge=1, le=1000)] = 1


class AtOutput(Record):
    """The process has printed this text."""

    at: Literal["output"]
    text: Template


class AtFile(Record):
    """This path exists below the workspace."""

    at: Literal["file"]
    path: Template


Boundary = Annotated[AtStatement | AtOutput | AtFile, Field(discriminator="at")]


class StartStep(ProcessStep):
    """Start a process and leave it running, held at a boundary, for later steps."""

    do: Literal["start"]
    boundary: Boundary


class ServiceStep(ProcessStep):
    """Start an owned service on a free loopback port that only this attempt knows."""

    do: Literal["service"]
    port: Name
    """Its port is `{port.NAME}` from this step on."""


class KillStep(Record):
    """Send SIGKILL to a process that an earlier step started, and see that it is gone."""

    do: Literal["kill"]
    id: Slug
    target: Slug


class WaitStep(Record):
    """Wait in real time."""

    do: Literal["wait"]
    id: Slug
    milliseconds: Annotated[int, Field(ge=1, le=3_600_000)]
    why: Text


Step = Annotated[RunStep | RaceStep | StartStep | ServiceStep | KillStep | WaitStep, Field(discriminator="do")]
