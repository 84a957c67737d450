"""What a backend is: the frozen words of a task and a workspace in, actions in order out.

The runner owns the rest: it carries operations out, keeps writes inside the workspace, applies the drift, writes the
ledger, and judges after the backend has ended. A backend is never told where the rubric, the manifest, the drift or the
evidence lie.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from runner.contract.comparison.actions import Action, Agent
from runner.contract.comparison.metrics import Stream


@dataclass(frozen=True, slots=True)
class Brief:
    """All that an agent is given."""

    prompt: str
    setup: str
    instructions: str
    """Of its lane."""
    workspace: Path
    """Holds the files of the fixture and nothing else."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of an action."""

    done: bool
    said: str
    """Why it was not done, or empty."""


Acting = Generator[Action, Reply, None]
"""Yields one action after the other and is sent what became of each."""


class Backend(Protocol):
    """Who acts in one attempt."""

    @property
    def name(self) -> str:
        """How records call it."""
        ...

    @property
    def fixture(self) -> bool:
        """Whether a script stands in for a model."""
        ...

    @property
    def agent(self) -> Agent:
        """Model, harness and the rest, as far as they are known."""
        ...

    @property
    def streams(self) -> Sequence[Stream]:
        """What it can be watched in. What is missing here makes the observation unusable."""
        ...

    @property
    def claimed_outcome(self) -> str | None:
        """What it says of its own success. It is recorded and never read."""
        ...

    def act(self, brief: Brief) -> Acting:
        """Act until there is nothing left to do."""
        ...
