"""What is to be run and who is told of it: the values that drive one run."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from runner.contract.attempt import Attempt
from runner.contract.evidence import Environment, RunnerIdentity, Source
from runner.contract.plan import Selection
from runner.contract.study import Tier
from runner.environment import Clock
from runner.kinds.kind import Kind
from runner.reading.manifest import FrozenStudy


class Watcher(Protocol):
    """Is told how a run goes on."""

    def planned(self, run: str, slots: int, *, resumed: bool, done: int) -> None:
        """The run has begun, or is resumed with so many of its slots done."""
        ...

    def started(self, attempt: str) -> None:
        """An attempt begins."""
        ...

    def ended(self, attempt: Attempt) -> None:
        """An attempt is acknowledged: it is on disk."""
        ...


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be run, under what, and where."""

    frozen: FrozenStudy
    kind: Kind
    selection: Selection
    tier: Tier
    """The tier that is in force on this machine."""
    runs: Path
    """The folder of this study's runs."""
    prepared: Path
    work_root: Path
    source: Source
    runner: RunnerIdentity
    environment: Environment
    clock: Clock
    new_salt: Callable[[], bytes]
    checkout: Path | None = None
    """A subject's source checkout to build instead of the pinned artifact."""
    out: Path | None = None
    new: bool = False
    """Begin a new run even where an unfinished one is left, which is not taken up again."""
