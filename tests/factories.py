"""Makes sealed runs, quickly and without a subprocess, by the product's own code.

`a_sealed_run(tmp_path, a_study(tmp_path / "manifests"))` plans, performs and seals a study of tests/studies.py with
a scripted kind, which is told for each slot how it ends.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from runner.contract.attempt import Attempt, Criterion, Outcome, QualificationDetail, Reason, ReasonCode, Verdict
from runner.contract.events import Event, Exited, JudgedEvent, Output, ProcessEvent
from runner.contract.evidence import (
    CommittedSource,
    Environment,
    Facts,
    PinnedSubject,
    QualificationFacts,
    RunnerIdentity,
    Source,
)
from runner.contract.plan import Plan, Selection, Slot
from runner.contract.qualification.design import InstalledSubject
from runner.contract.qualification.tasks import NO_LEFTOVERS
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.contract.values import FileDigest, NoModelUsage
from runner.execute.order import Order
from runner.execute.run import execute
from runner.kinds.kind import Bench, Performed, Unperformed
from runner.kinds.qualification.kind import Qualification
from runner.kinds.qualification.plan import plan as qualification_plan
from runner.reading.manifest import FrozenStudy
from runner.reading.sealed import SealedRun

COMMIT = "c0ffee" * 6 + "c0ff"
_ALONE = "no process outlives the attempt"
STARTED_AT = "2026-11-30T01:02:03Z"


@dataclass
class TickingClock:
    """A clock that moves a millisecond each time it is read: equal runs have equal times."""

    started_at: str = STARTED_AT

    def instant(self) -> str:
        return self.started_at

    def since(self, instant: str, at_least_ns: int) -> Callable[[], int]:
        del instant
        now = [at_least_ns]

        def read() -> int:
            now[0] += 1_000_000
            return now[0]

        return read


@dataclass
class ScriptedKind:
    """A study kind that replays how each attempt ends. It plans and performs, and starts no process.

    `outcomes` says so by attempt, by check or by arm; what is not named is accepted.
    """

    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    late: frozenset[str] = frozenset()
    """Attempts that met every criterion, and the last one after the cap."""
    output: str = '{"held": true}\n'
    during: Callable[[str, Bench], None] = lambda attempt, bench: None
    artifacts: Mapping[str, bytes] = field(default_factory=dict)
    private: Mapping[str, bytes] = field(default_factory=dict)
    performed: list[str] = field(default_factory=list)
    tiers: frozenset[Tier] = frozenset(Tier)
    jobs: int = 1

    def plan(self, study: FrozenStudy, selection: Selection) -> Plan:
        return qualification_plan(study, selection)

    def check(self, plan: Plan) -> None:
        pass

    def room(self, slot: Slot, retry: int) -> str:
        return Qualification().room(slot, retry)

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        name = slot.attempt_id(0)
        self.performed.append(name)
        self.during(name, bench)
        outcome = next(
            (self.outcomes[key] for key in (name, slot.task, slot.arm) if key in self.outcomes), Outcome.accepted
        )
        ids = plan.tasks.criteria(slot.arm, slot.task)
        verdicts, reason = _ending(outcome, ids)
        if name in self.late:
            outcome, verdicts = Outcome.timed_out, (Verdict.met,) * len(ids)
            reason = Reason(code=ReasonCode.wall_cap, at=None)
        events = _events(plan, slot, ids, verdicts, self.output)
        for file, data in self.private.items():
            (bench.folder / file).write_bytes(data)
        return Performed(
            outcome=outcome,
            reason=reason,
            passed_after_cap=outcome is Outcome.timed_out and set(verdicts) == {Verdict.met},
            criteria=tuple(Criterion(id=i, verdict=v) for i, v in zip(ids, verdicts, strict=True)),
            usage=NoModelUsage(),
            detail=QualificationDetail(steps_performed=1, processes_started=1, clock_shifts=0, kills=0, leftovers=0),
            events=events,
            event_ns=tuple(bench.now_ns() for _ in events),
            replaced=0,
            artifacts=self.artifacts,
            private={file: bench.folder / file for file in self.private},
        )

    def unperformed(self, plan: Plan, facts: Facts) -> Unperformed:
        return Qualification().unperformed(plan, facts)

    def prepare(self, study: FrozenStudy, folder: Path, say: Callable[[str], None]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        say(f"prepared {study.study.id}")

    def is_prepared(self, study: FrozenStudy, folder: Path) -> bool:
        return folder.is_dir()

    def build_checkout(self, study: FrozenStudy, prepared: Path, checkout: Path, folder: Path) -> None:
        folder.mkdir()
        (folder / "built-from").write_text(str(checkout))

    def is_built_from(self, study: FrozenStudy, checkout: Path, folder: Path) -> bool:
        return (folder / "built-from").read_text() == str(checkout)

    def facts(self, study: FrozenStudy, prepared: Path) -> QualificationFacts:
        return QualificationFacts(
            subjects=tuple(
                PinnedSubject(
                    subject=subject.id,
                    artifacts=subject.artifacts,
                    files=tuple(FileDigest(path=p, bytes=len(p), sha256=digest(p.encode())) for p in subject.curated),
                )
                for subject in study.study.design.arms
                if isinstance(subject, InstalledSubject)
            )
        )


def _ending(outcome: Outcome, ids: tuple[str, ...]) -> tuple[tuple[Verdict, ...], Reason | None]:
    """Verdicts and reason of an attempt that ends so."""
    unjudged = (Verdict.not_reached,) * len(ids)
    if outcome is Outcome.accepted:
        return (Verdict.met,) * len(ids), None
    if outcome is Outcome.rejected:
        return (Verdict.not_met, *unjudged[1:]), Reason(code=ReasonCode.criterion_not_met, at=ids[0])
    if outcome is Outcome.timed_out:
        return (Verdict.met, *unjudged[1:]), Reason(code=ReasonCode.wall_cap, at=ids[1])
    assert outcome is Outcome.failed_to_run, f"no kind ends an attempt as {outcome}"
    return unjudged, Reason(code=ReasonCode.setup_step_failed, at="ask")


def _events(
    plan: Plan, slot: Slot, ids: tuple[str, ...], verdicts: tuple[Verdict, ...], output: str
) -> tuple[Event, ...]:
    stdout = Output(
        text=output,
        total_bytes=len(output.encode()),
        kept_bytes=len(output.encode()),
        sha256=digest(output.encode()),
        replaced=0,
    )
    silent = Output(text="", total_bytes=0, kept_bytes=0, sha256=digest(b""), replaced=0)
    events: list[Event] = [
        ProcessEvent(
            step="ask",
            instance=0,
            argv=("{env}/bin/tool", "claim"),
            cwd=".",
            env=(),
            clock_shift_seconds=0,
            end=Exited(code=1 if Verdict.not_met in verdicts else 0),
            stdout=stdout,
            stderr=silent,
        )
    ]
    for criterion, verdict in zip(ids, verdicts, strict=True):
        if verdict is not Verdict.not_reached:
            observed = "exit 0" if verdict is Verdict.met else "exit 1"
            words = {"ask.2": ('no output holds "no"', "it is not there"), NO_LEFTOVERS: (_ALONE, "0 did")}
            expected, observed = words.get(criterion, ("exit 0", observed))
            events.append(
                JudgedEvent(
                    step="ask", criterion=criterion, instance=0, expected=expected, observed=observed, verdict=verdict
                )
            )
    return tuple(events)


def an_order(
    folder: Path,
    frozen: FrozenStudy,
    kind: ScriptedKind | None = None,
    *,
    selection: Selection = Selection.full,
    tier: Tier = Tier.process,
    source: Source | None = None,
    started_at: str = STARTED_AT,
    checkout: Path | None = None,
    out: Path | None = None,
    new: bool = False,
) -> Order:
    """What is to be run, with all that a machine adds replaced by fixed values."""
    work_root = folder / "work-root"
    work_root.mkdir(parents=True, exist_ok=True)
    (folder / "prepared").mkdir(exist_ok=True)
    return Order(
        frozen=frozen,
        kind=kind or ScriptedKind(),
        selection=selection,
        tier=tier,
        runs=folder / ".sealbook" / "runs" / frozen.study.id,
        prepared=folder / "prepared",
        work_root=work_root,
        source=source or CommittedSource(commit=COMMIT, modified=()),
        runner=RunnerIdentity(version="0.1.0", files=1, sha256=digest(b"runner")),
        environment=Environment(
            python="3.11.7", implementation="CPython", system="Linux", release="6.1", machine="x86_64", cpus=2
        ),
        clock=TickingClock(started_at),
        new_salt=lambda: b"s" * 32,
        checkout=checkout,
        out=out,
        new=new,
    )


class Silent:
    """Watches a run and says nothing."""

    def planned(self, run: str, slots: int, *, resumed: bool, done: int) -> None:
        pass

    def started(self, attempt: str) -> None:
        pass

    def ended(self, attempt: Attempt) -> None:
        pass


def a_sealed_run(folder: Path, frozen: FrozenStudy, kind: ScriptedKind | None = None, **options: object) -> SealedRun:
    """Perform and seal a run of a study below `folder`, as in a project's root."""
    return execute(an_order(folder, frozen, kind, **options), Silent())  # type: ignore[arg-type]


class Counting(Protocol):
    """What counts attempts one by one."""

    def add(self, attempt: Attempt, /) -> object: ...


Counted = TypeVar("Counted", bound=Counting)


def counted(count: Counted, attempts: Iterable[Attempt]) -> Counted:
    """What counts, once it has taken these attempts."""
    for attempt in attempts:
        count.add(attempt)
    return count


def current(attempts: Iterable[Attempt]) -> frozenset[str]:
    """The names of the attempts that count, the last one of each slot, found in another way than the reader does."""
    last: dict[tuple[str, str, int], tuple[int, str]] = {}
    for attempt in attempts:
        slot = (attempt.arm, attempt.task, attempt.trial)
        last[slot] = max(last.get(slot, (-1, "")), (attempt.retry, attempt.attempt))
    return frozenset(name for _, name in last.values())
