"""Makes up the attempts of a plan, one after the other: every outcome and reason, retries, events, times.

What becomes of a slot depends on its place in the plan alone, so that equal plans give equal bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from zlib import crc32

from runner.contract.attempt import (
    Attempt,
    Criterion,
    Outcome,
    QualificationDetail,
    Reason,
    ReasonCode,
    Verdict,
)
from runner.contract.events import Event, Exited, FaultEvent, JudgedEvent, Output, ProcessEvent, RacedEvent
from runner.contract.evidence import Commitment, Timing
from runner.contract.plan import Plan, Slot
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.contract.values import NoModelUsage

IDS = ("ask.1", "ask.2", "race.winners", "no-leftovers")
"""What each check of the synthetic study judges."""
_MET, _NOT, _UNREACHED = Verdict.met, Verdict.not_met, Verdict.not_reached


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which an attempt can end."""

    outcome: Outcome
    code: ReasonCode | None = None
    at: str | None = None
    verdicts: tuple[Verdict, ...] = (_UNREACHED,) * 4


ACCEPTED = Ending(Outcome.accepted, verdicts=(_MET,) * 4)
INTERRUPTED = Ending(Outcome.interrupted, ReasonCode.runner_ended)
ENDINGS: tuple[tuple[int, Ending], ...] = (
    (880, ACCEPTED),
    (900, Ending(Outcome.rejected, ReasonCode.criterion_not_met, "ask.2", (_MET, _NOT, _UNREACHED, _MET))),
    (910, Ending(Outcome.rejected, ReasonCode.criterion_not_met, "race.winners", (_MET, _MET, _NOT, _MET))),
    (918, Ending(Outcome.failed_to_run, ReasonCode.setup_step_failed, "ask")),
    (926, Ending(Outcome.failed_to_run, ReasonCode.process_not_started, "ask")),
    (930, Ending(Outcome.failed_to_run, ReasonCode.boundary_not_reached, "race")),
    (934, Ending(Outcome.failed_to_run, ReasonCode.runner_fault)),
    (950, Ending(Outcome.timed_out, ReasonCode.wall_cap, "race", (_MET, _MET, _UNREACHED, _MET))),
    (956, Ending(Outcome.timed_out, ReasonCode.wall_cap, "race", (_MET,) * 4)),
    (968, Ending(Outcome.refused, ReasonCode.tier_too_weak, "made up")),
    (976, INTERRUPTED),
    (985, Ending(Outcome.not_started, ReasonCode.run_ended_before)),
)
"""Of a thousand slots, up to this one they end so; the rest is interrupted, made again, and accepted."""


def ending_of(position: int) -> Ending | None:
    """How the slot at `position` ends; None for one that is interrupted, made again and accepted."""
    roll = crc32(str(position).encode()) % 1000
    return next((ending for limit, ending in ENDINGS if roll < limit), None)


def slots_for(attempts: int) -> int:
    """How many slots give exactly `attempts` attempts; a retry takes a second one."""
    made = slots = 0
    while made < attempts:
        made += 1 if ending_of(slots) or made + 1 == attempts else 2
        slots += 1
    return slots


@dataclass(frozen=True, slots=True)
class MadeUp:
    """One attempt with everything that a sealed run holds of it."""

    attempt: Attempt
    timing: Timing
    events: bytes
    """The bytes of its events file; empty if it has none."""
    artifacts: dict[str, bytes]
    commitments: tuple[Commitment, ...]


@dataclass
class Author:
    """Makes up the attempts of one plan. Events that are equal are made once."""

    plan: Plan
    attempts: int
    """How many it makes altogether."""
    _events: dict[tuple[str, str, Ending, int], tuple[bytes, int]] = field(default_factory=dict)

    def write(self) -> Iterator[MadeUp]:
        """Every attempt, in plan order."""
        made = 0
        now_ns = 0
        for position, slot in enumerate(self.plan.slots):
            ending = ending_of(position)
            if ending is None and made + 1 < self.attempts:
                yield self._one(position, slot, 0, INTERRUPTED, now_ns)
                made += 1
                now_ns += 1_000_000
                done = self._one(position, slot, 1, ACCEPTED, now_ns)
            else:
                done = self._one(position, slot, 0, ending or ACCEPTED, now_ns)
            yield done
            made += 1
            now_ns = done.timing.ended_ns + 1_000_000

    def _one(self, position: int, slot: Slot, retry: int, ending: Ending, now_ns: int) -> MadeUp:
        name = slot.attempt_id(retry)
        data, events = self._events_of(slot, ending)
        artifacts = {}
        if data and position % 499 == 0:
            artifacts[f"artifacts/{name}/report.txt"] = f"{name}: {ending.outcome.value}\n".encode()
        attempt = Attempt(
            attempt=name,
            arm=slot.arm,
            task=slot.task,
            trial=slot.trial,
            retry=retry,
            outcome=ending.outcome,
            reason=Reason(code=ending.code, at=ending.at) if ending.code else None,
            passed_after_cap=ending.outcome is Outcome.timed_out and set(ending.verdicts) == {_MET},
            criteria=tuple(Criterion(id=i, verdict=v) for i, v in zip(IDS, ending.verdicts, strict=True)),
            usage=NoModelUsage(),
            tier=Tier.process,
            events=f"events/{name}.jsonl" if data else None,
            artifacts=tuple(artifacts),
            detail=QualificationDetail(
                steps_performed=2 if events else 0,
                processes_started=5 if events else 0,
                clock_shifts=0,
                kills=0,
                leftovers=0,
            ),
        )
        step_ns = 1_000_000 + crc32(name.encode()) % 40_000_000
        timing = Timing(
            attempt=name,
            started_ns=now_ns,
            ended_ns=now_ns + (events + 1) * step_ns,
            event_ns=tuple(now_ns + (number + 1) * step_ns for number in range(events)),
        )
        commitments: tuple[Commitment, ...] = ()
        if data and position % 401 == 0:
            commitments = (Commitment(attempt=name, name="state.db", bytes=4096, salted_sha256=digest(name.encode())),)
        return MadeUp(attempt, timing, data, artifacts, commitments)

    def _events_of(self, slot: Slot, ending: Ending) -> tuple[bytes, int]:
        key = (slot.arm, slot.task, ending, slot.trial % 5)
        if key not in self._events:
            events = tuple(_events(slot, ending))
            self._events[key] = b"".join(event.canonical() + b"\n" for event in events), len(events)
        return self._events[key]


def _events(slot: Slot, ending: Ending) -> Iterator[Event]:
    if ending.outcome in (Outcome.refused, Outcome.interrupted, Outcome.not_started):
        return
    if ending.code is ReasonCode.runner_fault:
        yield FaultEvent(message="made up: no space left on device")
        return
    feature = slot.task.rpartition("-")[0]
    said = f'{{"arm": "{slot.arm}", "claimed": "{slot.task}", "generation": {slot.trial % 5}, "说明": "已占用"}}\n'
    verdicts = dict(zip(IDS, ending.verdicts, strict=True))
    denied = "denied: " if verdicts["ask.2"] is _NOT else ""
    yield _process(
        "ask",
        ("{env}/bin/made-up", "claim", feature),
        said * (40 if slot.trial % 5 == 4 else 1),
        "" if ending is ACCEPTED else f"{denied}{slot.arm}: {ending.outcome.value} after 3 retries\n",
        code=1 if ending.outcome is Outcome.failed_to_run else 0,
    )
    for criterion, verdict in verdicts.items():
        step = criterion.partition(".")[0] if "." in criterion else "ask"
        if verdict is _UNREACHED:
            continue
        won = 1 if verdict is _MET else 2
        words = {
            "ask.1": ("exit 0", "exit 0"),
            "ask.2": ('no output holds "denied"', "it is there" if denied else "it is not there"),
            "race.winners": ("1 of 2 contenders win", f"{won} of 2 won"),
        }
        if criterion == "race.winners":
            for number in (1, 2):
                argv = ("{env}/bin/made-up", "claim", feature, str(number))
                yield _process(step, argv, "", "", code=number > won, instance=number)
            yield RacedEvent(step="race", contenders=2, winners=won, expected_winners=1)
        expected, observed = words.get(criterion, ("as stated", "as expected"))
        yield JudgedEvent(
            step=step, criterion=criterion, instance=0, expected=expected, observed=observed, verdict=verdict
        )


def _process(
    step: str, argv: tuple[str, ...], stdout: str, stderr: str, *, code: int, instance: int = 0
) -> ProcessEvent:
    return ProcessEvent(
        step=step,
        instance=instance,
        argv=argv,
        cwd=".",
        env=(),
        clock_shift_seconds=0,
        end=Exited(code=int(code)),
        stdout=_output(stdout),
        stderr=_output(stderr),
    )


def _output(text: str) -> Output:
    data = text.encode()
    return Output(text=text, total_bytes=len(data), kept_bytes=len(data), sha256=digest(data), replaced=0)
