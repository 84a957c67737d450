"""How far a run has come, read once from its attempt files. None of them is kept in memory."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from runner.contract.attempt import Attempt, Outcome
from runner.contract.plan import Plan, Slot
from runner.errors import CorruptLedgerError
from runner.execute.kept import Kept, parse_each
from runner.ledger import ATTEMPTS_FOLDER, Ledger


@dataclass
class Standing:
    """Which slots of a plan have an outcome, and which attempts there are."""

    plan: Plan
    last_ns: int = 0
    """The latest instant that the run knows of, so that its stopwatch never runs backwards."""
    settled: set[int] = field(default_factory=set)
    """Slots that have an outcome other than *interrupted*, by their position in the plan."""
    _attempts: dict[tuple[int, int], str] = field(default_factory=dict)
    """Position and retry, and the attempt's name."""

    def __post_init__(self) -> None:
        self._position = {(slot.arm, slot.task, slot.trial): n for n, slot in enumerate(self.plan.slots)}

    @classmethod
    def of(cls, plan: Plan, ledger: Ledger) -> "Standing":
        """What the ledger has acknowledged so far. Raises `CorruptLedgerError`."""
        standing = cls(plan, max((entry.at_ns for entry in ledger.interrupted), default=0))
        for kept in each(ledger, ledger.done):
            standing.add(kept.attempt, kept.timing.ended_ns)
        return standing

    def add(self, attempt: Attempt, ended_ns: int) -> None:
        """Note an attempt that is acknowledged."""
        position = self._position[attempt.arm, attempt.task, attempt.trial]
        self._attempts[position, attempt.retry] = attempt.attempt
        self.last_ns = max(self.last_ns, ended_ns)
        if attempt.outcome is not Outcome.interrupted:
            self.settled.add(position)

    def open(self) -> Iterator[tuple[Slot, int]]:
        """Every slot without an outcome, in plan order, with the retry that its next attempt is."""
        retries: dict[int, int] = {}
        for position, retry in self._attempts:
            retries[position] = max(retries.get(position, 0), retry + 1)
        for position, slot in enumerate(self.plan.slots):
            if position not in self.settled:
                yield slot, retries.get(position, 0)

    def names(self) -> tuple[str, ...]:
        """Every attempt, in plan order, each retry right after what it retries."""
        return tuple(self._attempts[place] for place in sorted(self._attempts))


def each(ledger: Ledger, names: Iterable[str]) -> Iterator[Kept]:
    """These attempts as they are kept, one by one. Raises as `parse_each` does, and `Ledger.read`."""
    return parse_each((f"{ATTEMPTS_FOLDER}/{name}.json", ledger.read(name)) for name in names)


def slot_of(plan: Plan, name: str) -> tuple[Slot, int]:
    """The slot and the retry that an attempt's name says. Raises `CorruptLedgerError` if the plan has none such."""
    arm, _, rest = name.partition(".")  # neither an arm's name nor a task's holds a full stop
    task, _, rest = rest.partition(".")
    trial, _, again = rest.partition(".r")
    for slot in plan.slots:
        if (slot.arm, slot.task, str(slot.trial)) == (arm, task, trial):
            return slot, int(again or 0)
    raise CorruptLedgerError("is not in the plan", "start a new run with --new", where=name)
