"""Performs every slot that has no outcome yet, in plan order: one after the other, or several side by side.

Whoever performs, one process writes the ledger, and an attempt is started there before it touches anything. With
several at once the order of the plan is the order in which they start.
"""

from collections.abc import Callable
from dataclasses import dataclass

from runner.contract.attempt import Attempt
from runner.contract.evidence import Timing
from runner.contract.plan import Slot
from runner.contract.study import Tier
from runner.execute.attempt import Surroundings, perform
from runner.execute.kept import Kept
from runner.execute.order import Watcher
from runner.execute.standing import Standing, slot_of
from runner.execute.unperformed import interrupted, refused
from runner.execute.workroom import remove_abandoned
from runner.ledger import Ledger
from runner.sandbox.crew import Crew


@dataclass(frozen=True, slots=True)
class _Turn:
    """One attempt that has started."""

    slot: Slot
    retry: int
    started_ns: int


@dataclass(frozen=True, slots=True)
class _Ended:
    """One attempt whose files are on disk, before it is acknowledged."""

    attempt: Attempt
    data: bytes
    """Of its attempt file."""
    ended_ns: int


def perform_all(around: Surroundings, ledger: Ledger, standing: Standing, watcher: Watcher) -> None:
    """Every slot without an outcome; those that were interrupted once more."""
    for entry in tuple(ledger.interrupted):
        _keep_interrupted(around, ledger, standing, entry.attempt, entry.at_ns)
    turns = tuple(standing.open())
    side_by_side = min(around.kind.jobs, len(turns))

    def start(slot: Slot, retry: int) -> _Turn:
        name, now = slot.attempt_id(retry), around.now_ns()
        ledger.start(name, now)
        watcher.started(name)
        return _Turn(slot, retry, now)

    def keep(ended: _Ended) -> None:
        ledger.keep(ended.attempt.attempt, ended.data, ended.ended_ns)
        standing.add(ended.attempt, ended.ended_ns)
        watcher.ended(ended.attempt)

    if side_by_side <= 1:
        do = performer(around)
        for turn in turns:
            keep(do(start(*turn)))
        return
    with Crew[_Turn, _Ended](side_by_side, performer, around) as crew:
        for turn in turns:
            if not crew.free:
                keep(crew.next())
            crew.give(start(*turn))
        while crew.busy:
            keep(crew.next())


def performer(around: Surroundings) -> Callable[[_Turn], _Ended]:
    """What performs one attempt and leaves its files on disk."""
    tiers = list(Tier)
    enough = tiers.index(around.tier) >= tiers.index(around.plan.study.tier)

    def one(turn: _Turn) -> _Ended:
        if enough:
            return _ended(perform(around, turn.slot, turn.retry, turn.started_ns))
        attempt = refused(around.plan, turn.slot, turn.retry, around.tier, around.nothing)
        return _ended(_without_files(attempt, turn.started_ns, around.now_ns()))

    return one


def _ended(kept: Kept) -> _Ended:
    return _Ended(kept.attempt, kept.canonical(), kept.timing.ended_ns)


def _keep_interrupted(around: Surroundings, ledger: Ledger, standing: Standing, name: str, started_ns: int) -> None:
    """Turn a start without an attempt file into an attempt that says so."""
    slot, retry = slot_of(around.plan, name)
    remove_abandoned(around.folder, name)
    around.folder.set_aside(name)
    attempt = interrupted(around.plan, slot, retry, around.tier, around.nothing)
    # When the runner ended is not known; that it had started by then is.
    kept = _without_files(attempt, started_ns, started_ns)
    ledger.keep(name, kept.canonical(), around.now_ns())
    standing.add(attempt, started_ns)


def _without_files(attempt: Attempt, started_ns: int, ended_ns: int) -> Kept:
    timing = Timing(attempt=attempt.attempt, started_ns=started_ns, ended_ns=ended_ns, event_ns=())
    return Kept(attempt=attempt, timing=timing, commitments=(), files=(), replaced=0)
