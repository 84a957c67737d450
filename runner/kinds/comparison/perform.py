"""Performs one attempt: a fresh workspace, an agent in it, the independent check after it, and the record of both."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.backends.backend import Backend, Brief, Reply, TimeOverError, ToolUse
from runner.contract.attempt import Criterion, ReasonCode, Verdict
from runner.contract.comparison.acceptance import AcceptanceCriterion
from runner.contract.comparison.actions import Action, Replay
from runner.contract.comparison.actions import Performed as PerformedAction
from runner.contract.comparison.design import AvailableLane, ComparisonDesign
from runner.contract.comparison.detail import (
    ComparisonDetail,
    Ineligibility,
    IneligibleBecause,
    KnownAgent,
    NoObservation,
    ObservationState,
    ProbeFound,
)
from runner.contract.comparison.difference import changed_lines, unified
from runner.contract.comparison.happenings import ActedEvent
from runner.contract.comparison.ledger import Header
from runner.contract.comparison.observation import REPLAY_FILE, TURNED_DOWN
from runner.contract.comparison.tasks import TARGET, ComparisonTask, ComparisonTasks
from runner.contract.events import JudgedEvent
from runner.contract.evidence import ComparisonFacts
from runner.contract.plan import Plan, Slot, as_comparison
from runner.contract.seal import digest, tree_digest
from runner.kinds.classify import Halt, classify
from runner.kinds.comparison.acceptance import Judgement, Left, judge
from runner.kinds.comparison.difference import changed_paths
from runner.kinds.comparison.record import JudgedCriterion, documents
from runner.kinds.comparison.scripts import Scripts
from runner.kinds.comparison.stage import DriftError, Stage
from runner.kinds.journal import Journal
from runner.kinds.kind import Bench, Performed
from runner.sandbox.containment import Contained
from runner.sandbox.redact import Redactor, machine_names, machine_places
from runner.sandbox.snapshot import Snapshot, snapshot
from runner.sandbox.workspace import Workspace

NANOSECONDS = 1_000_000_000
MOST_ACTIONS = 4096
_FREE = frozenset(("path", "old", "new", "content", "value", "said"))
"""Fields of actions that hold whatever an agent writes. A symbol is an identifier, and no placeholder is one."""


@dataclass
class _Attempt:
    """One attempt while it is performed."""

    plan: Plan
    slot: Slot
    bench: Bench
    design: ComparisonDesign
    tasks: ComparisonTasks
    task: ComparisonTask
    lane: AvailableLane
    backend: Backend
    probes: Mapping[str, Path]
    workspace: Workspace
    journal: Journal
    started_ns: int
    cut: bool = False
    """Whether the agent wanted to go on, and was not let."""

    @property
    def over_cap(self) -> bool:
        """Whether the attempt's wall clock has run out."""
        return self.bench.now_ns() - self.started_ns > self.plan.study.caps.attempt_seconds * NANOSECONDS

    def brief(self) -> Brief:
        """What the agent is given, with a fresh private folder for the backend."""
        private = self.workspace.folder / "backend"
        private.mkdir(mode=0o700)
        return Brief(
            prompt=self.task.prompt,
            setup=self.task.setup,
            instructions=self.lane.instructions,
            workspace=self.workspace.work,
            private=private,
            seconds=float(self.plan.study.caps.attempt_seconds),
        )


def perform(
    plan: Plan, slot: Slot, bench: Bench, backend_for: Callable[[Plan, Slot], Backend], probes: Mapping[str, Path]
) -> Performed:
    """Perform one attempt. Whatever the agent does is a value.

    `probes` are the binaries of independent tools that were given, by tool. Raises `SandboxError` if the runner cannot
    keep the attempt apart.
    """
    design, tasks = as_comparison(plan)
    workspace = Workspace.furnish(bench.folder)
    attempt = _Attempt(
        plan=plan,
        slot=slot,
        bench=bench,
        design=design,
        tasks=tasks,
        task=tasks.check(slot.arm, slot.task),
        lane=next(lane for lane in design.available if lane.id == slot.arm),
        backend=backend_for(plan, slot),
        probes=probes,
        workspace=workspace,
        journal=Journal(Redactor(_places(workspace, probes), machine_names()), bench.now_ns),
        started_ns=bench.now_ns(),
    )
    with Contained(workspace.work) as candidate:
        stage = Stage.set_up(workspace.work, candidate, tasks, attempt.task, attempt.lane)
        actions, halt = _act(attempt, stage)
        replay = _replay(attempt, stage, actions)
        if halt is not None:
            return _halted(attempt, replay, halt)
        return _judged(attempt, stage, replay, snapshot(candidate))


def _act(attempt: _Attempt, stage: Stage) -> tuple[list[PerformedAction], Halt | None]:
    """Let the agent act until it ends, and note every action."""
    actions: list[PerformedAction] = []
    acting = attempt.backend.act(attempt.brief())
    try:
        wanted = next(acting)
        while len(actions) < MOST_ACTIONS:
            if attempt.over_cap:
                return actions, Halt(ReasonCode.wall_cap, "acting")
            performed, reply = _perform(stage, wanted)
            told = attempt.journal.record(performed, _FREE)
            actions.append(told)
            attempt.journal.note(ActedEvent(performed=told))
            if (drifted := stage.drift(performed.action)) is not None:
                attempt.journal.note(drifted)
            wanted = acting.send(reply)
        attempt.cut = True
    except StopIteration:
        pass
    except TimeOverError:
        return actions, Halt(ReasonCode.wall_cap, "acting")
    except DriftError as error:
        return actions, Halt(ReasonCode.setup_step_failed, str(error))
    finally:
        acting.close()
    try:
        stage.end()
    except DriftError as error:
        return actions, Halt(ReasonCode.setup_step_failed, str(error))
    return actions, None


def _perform(stage: Stage, wanted: Action | ToolUse) -> tuple[PerformedAction, Reply]:
    """Carry out one action. Where its answer depends on that, the length of the answer is filled in."""
    performed = stage.perform(wanted.action if isinstance(wanted, ToolUse) else wanted)
    reply = Reply(performed.result in ("noted", "done"), performed.said)
    if isinstance(wanted, ToolUse):
        answered = wanted.action.model_copy(update={"response_bytes": len(wanted.answer(reply).encode())})
        performed = performed.model_copy(update={"action": answered})
    return performed, reply


def _judged(attempt: _Attempt, stage: Stage, replay: Replay, after: Snapshot) -> Performed:
    """Judge what the agent left, and write everything down."""
    files = stage.files(after)
    scripts = Scripts(
        workspace=attempt.workspace,
        journal=attempt.journal,
        start=stage.start,
        files=files,
        seconds=attempt.plan.study.caps.process_seconds,
        output_bytes=attempt.plan.study.caps.output_bytes,
        profile=attempt.task.probe,
        binary=attempt.probes.get(attempt.task.probe.tool) if attempt.task.probe else None,
        known_sha256=_known(attempt),
        tier=attempt.bench.tier,
    )
    difference = unified(stage.base, files)
    changed = changed_paths(stage.before, after, stage.base)
    left = Left(
        start=stage.start,
        base=stage.base,
        files=files,
        changed=changed,
        lines=changed_lines(difference),
        actions=replay.actions,
        forbidden=stage.forbidden,
        printed=lambda path: scripts.printed(path, attempt.tasks.text(path)),
        probed=scripts.probed,
    )
    judged = [_criterion(attempt, item, left) for item in attempt.task.acceptance]
    made = documents(
        _header(attempt),
        replay,
        judged,
        attempt.journal.text(difference),
        {
            "before_sha256": stage.before.sha256,
            "after_sha256": after.sha256,
            "changed": [attempt.journal.text(path) for path in changed],
            "files": [[attempt.journal.text(path), digest(text.encode())] for path, text in sorted(files.items())],
        },
        _projection(attempt, files, scripts.graph),
    )
    criteria = tuple(Criterion(id=item.id, verdict=Verdict.met if item.passed else Verdict.not_met) for item in judged)
    return _performed(attempt, replay, criteria, None, made.files, made.state)


def _halted(attempt: _Attempt, replay: Replay, halt: Halt) -> Performed:
    """Nothing was judged, so that there is a session and no ledger."""
    criteria = tuple(Criterion(id=name, verdict=Verdict.not_reached) for name in attempt.task.criteria)
    state = NoObservation(reason=f"nothing was judged: {halt.at}")
    return _performed(attempt, replay, criteria, halt, {REPLAY_FILE: replay.canonical()}, state)


def _performed(
    attempt: _Attempt,
    replay: Replay,
    criteria: tuple[Criterion, ...],
    halt: Halt | None,
    files: Mapping[str, bytes],
    state: ObservationState,
) -> Performed:
    classified = classify(criteria, halt, over_cap=attempt.over_cap)
    reasons = tuple(
        item.model_copy(update={"text": attempt.journal.text(item.text)})
        for item in (*attempt.backend.ineligible, *_cut_off(attempt))
    )
    records = {name: attempt.journal.data(data) for name, data in attempt.backend.records.items()}
    return Performed(
        outcome=classified.outcome,
        reason=classified.reason,
        passed_after_cap=classified.passed_after_cap,
        criteria=criteria,
        usage=attempt.backend.usage,
        detail=ComparisonDetail(
            backend=replay.backend,
            fixture=replay.fixture,
            who=KnownAgent(about=replay.agent),
            actions=len(replay.actions),
            drift_applications=replay.drift_applications,
            turned_down=sum(item.result in TURNED_DOWN for item in replay.actions),
            observed=state,
            ineligible=reasons,
        ),
        events=attempt.journal.events,
        event_ns=attempt.journal.instants,
        replaced=attempt.journal.replaced + attempt.backend.replaced,
        artifacts={**files, **records},
    )


def _cut_off(attempt: _Attempt) -> tuple[Ineligibility, ...]:
    if not attempt.cut:
        return ()
    text = f"the session was cut off after {MOST_ACTIONS} actions, and nobody knows what would have followed"
    return (Ineligibility(because=IneligibleBecause.record_not_whole, text=text),)


def _criterion(attempt: _Attempt, criterion: AcceptanceCriterion, left: Left) -> JudgedCriterion:
    found = [_published(attempt, judge(rule, left)) for rule in criterion.rules]
    for number, said in enumerate(found, 1):
        attempt.journal.note(
            JudgedEvent(
                step=criterion.id,
                criterion=criterion.id,
                instance=number if len(found) > 1 else 0,
                expected=said.expected,
                observed=said.observed,
                verdict=Verdict.met if said.met else Verdict.not_met,
            )
        )
    rules = [(said.met, said.expected, said.observed) for said in found]
    return JudgedCriterion(criterion.id, all(said.met for said in found), rules)


def _published(attempt: _Attempt, said: Judgement) -> Judgement:
    """A judgement in words that may be published; it was made on what there really is."""
    return Judgement(said.met, attempt.journal.text(said.expected), attempt.journal.text(said.observed))


def _replay(attempt: _Attempt, stage: Stage, actions: list[PerformedAction]) -> Replay:
    backend = attempt.backend
    return Replay(
        fixture=backend.fixture,
        backend=backend.name,
        task=attempt.slot.task,
        lane=attempt.slot.arm,
        trial=attempt.slot.trial,
        agent=backend.agent,
        streams=() if attempt.cut else tuple(backend.streams),
        claimed_outcome=attempt.journal.text(claimed) if (claimed := backend.claimed_outcome) else None,
        drift_applications=stage.drifts,
        actions=tuple(actions),
    )


def _header(attempt: _Attempt) -> Header:
    manifest = next(file.sha256 for file in attempt.plan.manifest if file.path == "study.toml")
    return Header(
        study=attempt.plan.study.id,
        manifest_sha256=manifest,
        task=attempt.slot.task,
        lane=attempt.slot.arm,
        trial=attempt.slot.trial,
        state=attempt.design.pairing.state,
        fixture=attempt.backend.fixture,
        agent=attempt.backend.agent,
        prompt_sha256=attempt.task.prompt_sha256,
    )


def _projection(attempt: _Attempt, files: Mapping[str, str], graph: str) -> dict[str, object] | None:
    """What the probe projected from a copy of the candidate, bound to the digest of what it was made from."""
    if not graph or attempt.task.probe is None:
        return None
    return {
        "fixture": attempt.backend.fixture,
        "tool": attempt.task.probe.tool,
        "source_sha256": tree_digest((path, digest(text.encode())) for path, text in files.items()),
        "limits": attempt.task.probe.limits.model_dump(),
        "graph": graph,
    }


def _known(attempt: _Attempt) -> str:
    """The digest that the probe's binary had when the run began, empty where none was given."""
    facts, profile = attempt.bench.facts, attempt.task.probe
    if profile is None or not isinstance(facts, ComparisonFacts):
        return ""
    found = (probe for probe in facts.probes if isinstance(probe, ProbeFound) and probe.tool == profile.tool)
    return next((probe.file.sha256 for probe in found), "")


def _places(workspace: Workspace, probes: Mapping[str, Path]) -> dict[Path, str]:
    return {
        workspace.work: TARGET,
        workspace.folder: "attempt",
        **{path: f"probe-{tool}" for tool, path in probes.items()},
        **machine_places(),
    }
