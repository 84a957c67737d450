"""What a study kind is to the rest of the runner: it plans, it performs, it judges.

`execute` drives any kind through this protocol and knows nothing of what an attempt does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from runner.contract.attempt import Criterion, Detail, Outcome, Reason
from runner.contract.events import Event
from runner.contract.evidence import Facts
from runner.contract.plan import Plan, Selection, Slot
from runner.contract.study import Tier
from runner.contract.values import Usage
from runner.reading.manifest import FrozenStudy


@dataclass(frozen=True, slots=True)
class Performed:
    """What one attempt came to, before it is written down. A failed attempt is a value."""

    outcome: Outcome
    reason: Reason | None
    passed_after_cap: bool
    criteria: tuple[Criterion, ...]
    usage: Usage
    detail: Detail
    events: tuple[Event, ...]
    event_ns: tuple[int, ...]
    """One instant an event, in nanoseconds of the clock that `Bench.now_ns` reads."""
    replaced: int
    """How many paths of the machine were replaced in kept output."""
    artifacts: Mapping[str, bytes] = field(default_factory=dict)
    """Published files, by name within the attempt's artifacts folder."""
    private: Mapping[str, Path] = field(default_factory=dict)
    """Files to keep unpublished and commit to, by name. They lie below `Bench.folder`."""


@dataclass(frozen=True, slots=True)
class Unperformed:
    """What is recorded of an attempt that was not performed to its end, beside its outcome."""

    detail: Detail
    usage: Usage


def _nothing_kept(slot: Slot, name: str) -> Path | None:
    del slot, name
    return None


@dataclass(frozen=True, slots=True)
class Bench:
    """Where and with what an attempt is performed."""

    folder: Path
    """A fresh private folder that belongs to this attempt alone; `execute` removes it after."""
    prepared: Path
    """What `prepare` made for this study (or for this run, from a checkout)."""
    tier: Tier
    facts: Facts
    """What the run began with."""
    now_ns: Callable[[], int]
    """A monotonic clock, in nanoseconds from the run's start."""
    kept: Callable[[Slot, str], Path | None] = _nothing_kept
    """The private file that an earlier attempt of this run kept under a name, by its slot; None if it kept none."""
    retry: int = 0
    """How many earlier attempts at the slot were interrupted."""


class Kind(Protocol):
    """One study kind."""

    @property
    def tiers(self) -> frozenset[Tier]:
        """The tiers at which it can perform an attempt."""
        ...

    @property
    def jobs(self) -> int:
        """How many attempts it performs side by side, each in a process of its own; pickled for that if above 1."""
        ...

    def plan(self, study: FrozenStudy, selection: Selection) -> Plan:
        """Every attempt and every exclusion. Pure: the same manifest gives the same plan."""
        ...

    def check(self, plan: Plan) -> None:
        """Return if the plan may be begun or resumed. Raises `RunnerError` with what stands in the way."""
        ...

    def room(self, slot: Slot, retry: int) -> str:
        """What an attempt's private folder is named after, and so the path that its processes see. Never raises.

        It holds lower-case letters, digits, `.` and `-`. Attempts with the same one, performed one after the other, see
        the same path unless somebody else's folder has the name; `Bench.folder` is the one that the attempt got.
        """
        ...

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        """Perform one planned attempt. Raises only when the runner itself is at fault."""
        ...

    def unperformed(self, plan: Plan, facts: Facts) -> Unperformed:
        """What is recorded of an attempt that the runner refused, lost or failed at. Never raises."""
        ...

    def prepare(self, study: FrozenStudy, folder: Path, say: Callable[[str], None]) -> None:
        """Fetch and build what the study pins into `folder`. The only step with a network."""
        ...

    def is_prepared(self, study: FrozenStudy, folder: Path) -> bool:
        """Whether `folder` holds exactly what the manifest pins."""
        ...

    def build_checkout(self, study: FrozenStudy, prepared: Path, checkout: Path, folder: Path) -> None:
        """Make a separate environment in `folder` from a subject's source checkout, offline."""
        ...

    def is_built_from(self, study: FrozenStudy, checkout: Path, folder: Path) -> bool:
        """Whether the checkout still holds the source that `folder` was built from."""
        ...

    def facts(self, study: FrozenStudy, prepared: Path) -> Facts:
        """What the study is about to run on, read from what is installed."""
        ...
