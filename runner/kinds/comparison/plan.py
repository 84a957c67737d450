"""Every attempt of a comparison in its counterbalanced order, and every exclusion. Pure."""

from runner.contract.analysis.comparison_count import scheduled
from runner.contract.comparison.design import ComparisonDesign, ExternalLane
from runner.contract.comparison.tasks import FIXTURE_BACKEND, Asked, ComparisonTasks
from runner.contract.plan import Exclusion, ExclusionReason, Plan, Selection, Slot, as_comparison
from runner.errors import UsageError
from runner.reading.manifest import FrozenStudy


def plan(study: FrozenStudy, selection: Selection, asked: Asked, backend: str) -> Plan:
    """Plan a run of the whole matrix, or of what was asked for.

    Raises `UsageError` for a task, a lane or a trial that there is none of, and for a lane that is not run here.
    """
    design, tasks = as_comparison(study)
    _refuse_unknown(study.study.id, design, tasks, asked)
    if backend == FIXTURE_BACKEND and not design.sessions:
        what = "the study has no transcripts for the fixture backend"
        raise UsageError(what, "give another --backend", where=study.study.id)
    planned = Plan(
        format="sealbook.plan/1",
        study=study.study,
        tasks=tasks.model_copy(update={"backend": backend, "asked": asked}),
        manifest=study.files,
        selection=selection if asked.everything else Selection.selected,
        verdict_rule="last-attempt-of-slot",
        slots=(Slot(arm=design.available[0].id, task=tasks.tasks[0].id, trial=1),),
        exclusions=tuple(
            Exclusion(arm=lane.id, task=task.id, reason=ExclusionReason.external_unrun, text=lane.reason, proof=None)
            for lane in design.lanes
            if isinstance(lane, ExternalLane)
            for task in tasks.tasks
        ),
    )
    slots = tuple(Slot(arm=lane, task=task, trial=trial) for lane, task, trial in scheduled(planned))
    return planned.model_copy(update={"slots": slots})


def _refuse_unknown(study: str, design: ComparisonDesign, tasks: ComparisonTasks, asked: Asked) -> None:
    names = [task.id for task in tasks.tasks]
    if asked.task is not None and asked.task not in names:
        raise UsageError(f"no task {asked.task!r}", f"there are: {', '.join(names)}", where=study)
    lanes = [lane.id for lane in design.available]
    if asked.lane is not None and asked.lane not in lanes:
        external = any(lane.id == asked.lane for lane in design.lanes)
        what = f"the lane {asked.lane!r} is not run here, and nothing is estimated for it" if external else None
        raise UsageError(what or f"no lane {asked.lane!r}", f"there are: {', '.join(lanes)}", where=study)
    if asked.trial is not None and asked.trial > design.repetitions:
        what = f"no trial {asked.trial}"
        raise UsageError(what, f"there are: 1 to {design.repetitions}", where=study)
