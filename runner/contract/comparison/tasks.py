"""The tasks of a comparison as their pinned files freeze them, and all that a plan carries along."""

from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.comparison.acceptance import (
    AcceptanceCriterion,
    NoticedRule,
    OutputRule,
    ProbeRule,
    RecoveredRule,
)
from runner.contract.comparison.actions import Transcript
from runner.contract.seal import digest
from runner.contract.values import Line, Record, RelativePath, Sha256, Slug, Text, twice

FIXTURE_BACKEND = "fixture"
TARGET = "candidate"
"""How messages and records call the workspace of an agent."""


class FixtureFile(Record):
    """One file that the workspace holds when an attempt begins. Nothing else is in there."""

    path: RelativePath
    """Where it lies in the workspace."""
    pinned: RelativePath
    """The pinned file that it is a copy of."""


class NoDrift(Record):
    """Nobody changes the workspace but the agent."""

    drift: Literal["none"] = "none"


class PatchDrift(Record):
    """A sibling changes under the agent: one patch of one hunk, applied once, at its first identifying inspection."""

    drift: Literal["patch"] = "patch"
    description: Text
    patch: RelativePath


Drift = Annotated[NoDrift | PatchDrift, Field(discriminator="drift")]
Command = Annotated[tuple[Line, ...], Field(min_length=1, max_length=50)]


PROBE_COMMANDS = ("check", "test", "run", "graph")
"""What a probe is asked, in this order."""


class ProbeProfile(Record):
    """An independent tool and how it is asked. `{probe}` is its binary, `{python}` the runner's interpreter."""

    tool: Slug
    seconds: Annotated[int, Field(ge=1, le=600)]
    """For each command."""
    output_bytes: Annotated[int, Field(ge=1024, le=1024 * 1024)]
    """A command that prints more fails."""
    check: Command
    test: Command
    run: Command
    graph: Command
    limits: Text
    """What the projection made from `graph` does not show."""

    def command(self, name: str) -> tuple[str, ...]:
        """One of the four."""
        found: tuple[str, ...] = getattr(self, name)
        return found


class ComparisonTask(Record):
    """One task: what the agent is given, and how what it leaves is judged."""

    format: Literal["sealbook.comparison.task/1"]
    id: Slug
    title: Text
    statement: Text
    """What an accepted attempt shows, and no more than that."""
    prompt: Annotated[str, Field(min_length=1, max_length=65_536)]
    """All that the agent is told about the task."""
    setup: Line
    fixture: Annotated[tuple[FixtureFile, ...], Field(min_length=1)]
    drift: Drift
    acceptance: Annotated[tuple[AcceptanceCriterion, ...], Field(min_length=1)]
    """In the order in which they are judged."""
    review_protocol: Text
    probe: ProbeProfile | None = None

    @property
    def prompt_sha256(self) -> str:
        """Of the prompt as UTF-8."""
        return digest(self.prompt.encode())

    @property
    def criteria(self) -> tuple[str, ...]:
        """The ids of its criteria, in order."""
        return tuple(item.id for item in self.acceptance)

    @property
    def pins(self) -> tuple[str, ...]:
        """Every pinned file that the task needs."""
        scripts = (rule.script for item in self.acceptance for rule in item.rules if isinstance(rule, OutputRule))
        patches = (self.drift.patch,) if isinstance(self.drift, PatchDrift) else ()
        return tuple(dict.fromkeys((*(file.pinned for file in self.fixture), *scripts, *patches)))

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        wrong: list[str] = []
        if repeated := twice(file.path for file in self.fixture):
            wrong.append(f"fixture files must be named once, twice: {', '.join(repeated)}")
        if repeated := twice(self.criteria):
            wrong.append(f"criteria must be unique, twice: {', '.join(repeated)}")
        rules = [rule for item in self.acceptance for rule in item.rules]
        if isinstance(self.drift, NoDrift) and any(isinstance(rule, NoticedRule | RecoveredRule) for rule in rules):
            wrong.append("a rule asks about a drift, and none is declared")
        if self.probe is None and any(isinstance(rule, ProbeRule) for rule in rules):
            wrong.append("a rule asks the probe, and no probe is declared")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


class PinnedText(Record):
    """The content of a pinned file, carried in the plan, so that a sealed run can be judged again from itself."""

    path: RelativePath
    sha256: Sha256
    text: str

    @model_validator(mode="after")
    def _digest_fits(self) -> Self:
        if digest(self.text.encode()) != self.sha256:
            raise ValueError(f"{self.path} does not have the digest it is pinned by")
        return self


class Asked(Record):
    """Which part of the matrix the command asked for. None stands for all."""

    task: Slug | None = None
    lane: Slug | None = None
    trial: Annotated[int, Field(ge=1, le=1000)] | None = None

    @property
    def everything(self) -> bool:
        """Whether nothing was left out."""
        return self == Asked()

    def fits(self, lane: str, task: str, trial: int) -> bool:
        """Whether an attempt is among those asked for."""
        return self.task in (None, task) and self.lane in (None, lane) and self.trial in (None, trial)


class ComparisonTasks(Record):
    """All tasks of a study with everything an attempt at them needs, and the order of the attempts."""

    kind: Literal["comparison"] = "comparison"
    version: Literal[1] = 1
    backend: Slug = FIXTURE_BACKEND
    """Who acts."""
    asked: Asked = Asked()
    order: Literal["rotating-tasks-alternating-lanes-v1"] = "rotating-tasks-alternating-lanes-v1"
    """Tasks rotate by one each repetition; the lane that goes first alternates from pair to pair."""
    tasks: Annotated[tuple[ComparisonTask, ...], Field(min_length=1)]
    transcripts: tuple[Transcript, ...]
    files: tuple[PinnedText, ...]

    def check(self, arm: str, task: str) -> ComparisonTask:
        """The task that an attempt is at. Raises KeyError if there is none such."""
        del arm  # every lane has the same task
        return self._tasks[task]

    def criteria(self, arm: str, task: str) -> tuple[str, ...]:
        """The ids of what is judged in an attempt, in order. Raises as `check` does."""
        return self.check(arm, task).criteria

    def transcript(self, lane: str, task: str) -> Transcript | None:
        """The session that the fixture backend replays, if there is one."""
        return next((item for item in self.transcripts if (item.lane, item.task) == (lane, task)), None)

    def text(self, path: str) -> str:
        """The content of a pinned file. Raises KeyError if the plan does not carry it."""
        return self._texts[path]

    @cached_property
    def _tasks(self) -> dict[str, ComparisonTask]:
        return {task.id: task for task in self.tasks}

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {file.path: file.text for file in self.files}
