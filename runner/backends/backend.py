"""What a backend is: the frozen words of a task and a workspace in, actions in order out.

The runner owns the rest: it carries operations out, keeps writes inside the workspace, applies the drift, writes the
ledger, and judges after the backend has ended. A backend is never told where the rubric, the manifest, the drift or the
evidence lie.

A third-party backend is an entry point of the group `sealbook.backends`: a function that takes a `Commission` and
returns a `Backend`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.backends.eligibility import ineligible
from runner.contract.comparison.actions import Action, Agent, ToolCallAction, Transcript
from runner.contract.comparison.design import Interface
from runner.contract.comparison.detail import Ineligibility
from runner.contract.comparison.metrics import Stream
from runner.contract.values import FileDigest, UnknownUsage, Usage
from runner.errors import UsageError


@dataclass(frozen=True, slots=True)
class Commission:
    """What a backend is made for. Nothing of it tells how the work is judged."""

    task: str
    lane: str
    trial: int
    interface: Interface
    """What the lane allows."""
    drifts: bool
    """Whether the runner wants to be told of the first identifying inspection."""
    transcript: Transcript | None
    """What is pinned for the fixture backend."""
    configuration: Path | None
    """What `--config` named."""


@dataclass(frozen=True, slots=True)
class Brief:
    """All that an agent is given, and where it may act."""

    prompt: str
    setup: str
    instructions: str
    """Of its lane."""
    workspace: Path
    """Holds the files of the fixture and nothing else."""
    private: Path
    """An empty folder for what the backend itself needs. It is removed with the attempt."""
    seconds: float
    """How long the attempt may take."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of an action."""

    done: bool
    said: str
    """Why it was not done, or empty."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call whose answer depends on what becomes of it: the runner fills in the length of `answer`."""

    action: ToolCallAction
    answer: Callable[[Reply], str]


Acting = Generator[Action | ToolUse, Reply, None]
"""Yields one action after the other and is sent what became of each."""


class TimeOverError(Exception):
    """The agent was stopped because its time was over. What it had done until then was yielded before."""


class Backend(ABC):
    """Who acts in one attempt. All but `name`, `agent` and `act` has a value that claims nothing."""

    @property
    @abstractmethod
    def name(self) -> str:
        """How records call it, as it was asked for."""

    @property
    @abstractmethod
    def agent(self) -> Agent:
        """Model, harness and the rest, as far as they are known."""

    def ready(self, plan_sha256: str) -> None:
        """Return if it may act for this plan. Asked before anything starts, and before each attempt; changes nothing.

        Raises `RunnerError` with what stands in the way, such as a decision that no person has made.
        """
        del plan_sha256

    @abstractmethod
    def act(self, brief: Brief) -> Acting:
        """Act until there is nothing left to do. Raises `TimeOverError`."""

    @property
    def fixture(self) -> bool:
        """Whether a script stands in for a model."""
        return False

    @property
    def inputs(self) -> Sequence[FileDigest]:
        """Files beside its configuration that decide what it does. A run is only resumed with the same ones."""
        return ()

    @property
    def streams(self) -> Sequence[Stream]:
        """What it could be watched in, known after it has acted. What is missing makes the observation unusable."""
        return ()

    @property
    def claimed_outcome(self) -> str | None:
        """What it says of its own success. It is recorded and never read."""
        return None

    @property
    def usage(self) -> Usage:
        """What the model's provider reported, known after it has acted."""
        return UnknownUsage(reason="the backend does not report usage")

    @property
    def records(self) -> Mapping[str, bytes]:
        """Files of the backend's own that are published with the attempt, by name, known after it has acted."""
        return {}

    @property
    def replaced(self) -> int:
        """How many replacements were made in its records, known after it has acted."""
        return 0

    @property
    def ineligible(self) -> Sequence[Ineligibility]:
        """Why nothing may be concluded from it, known after it has acted. Empty for the fixture backend alone."""
        unwatched = {stream: "the backend does not watch it" for stream in Stream if stream not in self.streams}
        return ineligible(scripted=self.fixture, streams=self.streams, why_unwatched=unwatched, flaws=())

    def preview(self, brief: Brief) -> Mapping[str, Any]:
        """What it would send first, without sending it. Raises `UsageError` where nothing is sent."""
        del brief
        raise UsageError(f"the backend {self.name} asks no endpoint", "leave --dry-run out")


def spoken(brief: Brief) -> str:
    """The words that an agent is given: the task, then what is there, then how to work."""
    return "\n\n".join(part.strip() for part in (brief.prompt, brief.setup, brief.instructions) if part.strip())
