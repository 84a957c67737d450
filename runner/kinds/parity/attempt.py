"""What every attempt of this kind begins and ends with: its stage, the criteria of the harness itself, its outcome."""

from collections.abc import Iterator
from pathlib import Path

from runner.contract.attempt import Criterion, Verdict
from runner.contract.events import LeftoverEvent
from runner.contract.parity.detail import Did, ParityDetail
from runner.contract.parity.tasks import MODULE_ROOT, NO_LEFTOVERS
from runner.contract.plan import Plan, Slot, as_parity
from runner.contract.qualification.judge import Judgement
from runner.contract.values import NoModelUsage
from runner.errors import SandboxError
from runner.kinds.classify import Halt, classify
from runner.kinds.journal import Journal
from runner.kinds.kind import Bench, Performed
from runner.kinds.parity.stage import RUN, TREE, Stage
from runner.kinds.parity.trees import Trees
from runner.sandbox.abandoned import Leftover
from runner.sandbox.custody import Custody
from runner.sandbox.redact import Redactor, machine_names, machine_places
from runner.sandbox.witness import witnesses
from runner.sandbox.workspace import Workspace


def stage_for(plan: Plan, task: str, bench: Bench, seconds: int) -> Stage:
    """An empty stage in the attempt's private folder. Raises `SandboxError` if that is not where the row belongs."""
    if bench.folder.name != f"sealbook-{room(task)}":
        what = "another folder has the name of the row's own, so that its variants would see unequal paths"
        raise SandboxError(what, "end the other runner or remove what it left", where=f"sealbook-{room(task)}")
    design, tasks = as_parity(plan)
    workspace = Workspace.furnish(bench.folder)
    trees = Trees(bench.prepared)
    places = {
        workspace.folder / TREE: "tree",
        workspace.work: "work",
        workspace.state: "state",
        workspace.folder / RUN: "run",
        workspace.home: "home",
        workspace.tmp: "tmp",
        workspace.control: "control",
        workspace.folder: "attempt",
        trees.env: "env",
        bench.prepared: "prepared",
        **machine_places(),
    }
    return Stage(
        design=design,
        tasks=tasks,
        caps=plan.study.caps,
        bench=bench,
        trees=trees,
        workspace=workspace,
        custody=Custody(workspace.folder),
        journal=Journal(Redactor(places, machine_names()), bench.now_ns),
        started_ns=bench.now_ns(),
        seconds=seconds,
    )


def room(task: str) -> str:
    """What the folder of a row is named after: one for all its variants."""
    return f"parity.{task}"


def performed(
    stage: Stage,
    criteria: tuple[Criterion, ...],
    halt: Halt | None,
    did: Did,
    artifacts: dict[str, bytes],
    private: dict[str, Path],
    *,
    over_cap: bool,
) -> Performed:
    """What an attempt came to, from what was judged and what halted it."""
    classified = classify(criteria, halt, over_cap=over_cap)
    return Performed(
        outcome=classified.outcome,
        reason=classified.reason,
        passed_after_cap=classified.passed_after_cap,
        criteria=criteria,
        usage=NoModelUsage(),
        detail=ParityDetail(what=did),
        events=stage.journal.events,
        event_ns=stage.journal.instants,
        replaced=stage.journal.replaced,
        artifacts=artifacts,
        private=private,
    )


def criteria_of(stage: Stage, slot: Slot) -> Iterator[Criterion]:
    """Every criterion of the slot with its verdict; what was not judged was not reached."""
    for name in stage.tasks.criteria(slot.arm, slot.task):
        yield Criterion(id=name, verdict=stage.verdicts.get(name, Verdict.not_reached))


def judge_leftovers(stage: Stage, leftovers: tuple[Leftover, ...]) -> None:
    """Judge that no process outlived the attempt; those that did are ended by now."""
    for leftover in leftovers:
        stage.journal.note(LeftoverEvent(program=stage.journal.text(leftover.program)))
    said = Judgement(not leftovers, "no process outlives the attempt", f"{len(leftovers)} did")
    stage.judged(NO_LEFTOVERS, NO_LEFTOVERS, said)


def judge_module_root(stage: Stage) -> None:
    """Judge that every process that imported the package had it from the variant's own tree."""
    found = witnesses(stage.witnesses)
    elsewhere = [item.origin for item in found if not item.origin.is_relative_to(stage.tree)]
    met = bool(found) and not elsewhere
    seen = f"{len(elsewhere)} from elsewhere, such as {elsewhere[0]}" if elsewhere else f"all {len(found)} from there"
    wanted = f"every process imports {stage.design.package} from {stage.tree}"
    stage.judged(MODULE_ROOT, MODULE_ROOT, Judgement(met, wanted, seen if found else "no process imported it"))
