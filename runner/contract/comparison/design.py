"""The frozen design of a comparison: its lanes, how often each task is repeated, and what a pair has in common."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.values import Line, Record, RelativePath, Slug, Text, twice


class Interface(StrEnum):
    """What an agent of a lane may do to files."""

    symbol_operations = "symbol-operations"
    """Operations on named symbols only. No file content passes through the agent's hands."""
    text_edits = "text-edits"
    """Plain edits of text only."""


class AvailableLane(Record):
    """One way of working that is compared."""

    availability: Literal["available"] = "available"
    id: Slug
    title: Text
    summary: Text
    system: Line
    """What the agent works with."""
    mode: Line
    subject: Line
    """Which version of it."""
    interface: Interface
    instructions: Line
    """What the agent is told about the way of working, beside the task's prompt."""


class ExternalLane(Record):
    """A lane that belongs to the question and is not run here. It is excluded, and never estimated."""

    availability: Literal["external_unrun"] = "external_unrun"
    id: Slug
    title: Text
    summary: Text
    system: Line
    subject: Line
    reason: Text
    """Why it is not run."""


Lane = Annotated[AvailableLane | ExternalLane, Field(discriminator="availability")]


class Pairing(Record):
    """What both attempts of a pair have in common. A pair that differs in any of it is not compared."""

    same_model: Literal[True]
    same_prompt: Literal[True]
    same_task: Literal[True]
    same_trial: Literal[True]
    state: Literal["cold", "warm"]


class ScriptedSession(Record):
    """Which transcript the fixture backend replays for a task in a lane."""

    task: Slug
    lane: Slug
    transcript: RelativePath


class ComparisonDesign(Record):
    """What a comparison freezes."""

    kind: Literal["comparison"]
    version: Literal[1]
    repetitions: Annotated[int, Field(ge=1, le=1000)]
    pairing: Pairing
    lanes: Annotated[tuple[Lane, ...], Field(min_length=1)]
    tasks: Annotated[tuple[RelativePath, ...], Field(min_length=1)]
    """The pinned task files, in the order of the matrix."""
    sessions: tuple[ScriptedSession, ...]
    """One for each task and available lane, if the fixture backend is to run the study."""

    @property
    def arms(self) -> tuple[AvailableLane | ExternalLane, ...]:
        """What is compared, each with an id and a title."""
        return self.lanes

    @property
    def available(self) -> tuple[AvailableLane, ...]:
        """The lanes that are run."""
        return tuple(lane for lane in self.lanes if isinstance(lane, AvailableLane))

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        wrong: list[str] = []
        if repeated := twice(lane.id for lane in self.lanes):
            wrong.append(f"lane ids must be unique, twice: {', '.join(repeated)}")
        if repeated := twice(self.tasks):
            wrong.append(f"task files must be named once, twice: {', '.join(repeated)}")
        if repeated := twice(f"{item.task} in {item.lane}" for item in self.sessions):
            wrong.append(f"one session a task and lane, twice: {', '.join(repeated)}")
        if not self.available:
            wrong.append("no lane is available: give at least one")
        known = {lane.id for lane in self.available}
        if unknown := sorted({item.lane for item in self.sessions} - known):
            wrong.append(f"sessions of lanes that are not available: {', '.join(unknown)}")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self
