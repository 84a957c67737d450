"""What a plan must hold, told again from its manifest for whatever study kind: its slots in order, its exclusions."""

from collections.abc import Iterator

from runner.contract.analysis.comparison_count import scheduled
from runner.contract.comparison.design import ComparisonDesign, ExternalLane
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.schedule import left_out
from runner.contract.parity.schedule import scheduled as parity_schedule
from runner.contract.plan import ExclusionReason, Plan, Selection, as_comparison, as_qualification
from runner.contract.qualification.design import Feature, GatedSubject, InstalledSubject, QualificationDesign

Excluded = tuple[str, str, ExclusionReason, str | None]
"""Arm, task, reason and proof."""


def slots_of(plan: Plan) -> Iterator[tuple[str, str, int]]:
    """Every attempt that the manifest asks for, in the order of the plan."""
    if isinstance(plan.study.design, ComparisonDesign):
        yield from scheduled(plan)
        return
    if isinstance(plan.study.design, ParityDesign):
        yield from parity_schedule(plan, plan.selection)
        return
    excluded = {(item.arm, item.task) for item in plan.exclusions}
    _, planned = as_qualification(plan)
    for tasks in planned.subjects:
        for check in tasks.checks:
            if (tasks.subject, check.id) not in excluded:
                for trial in range(1, check.trials + 1):
                    yield tasks.subject, check.id, trial


def exclusions_of(plan: Plan) -> Iterator[Excluded]:
    """Everything that the manifest lets a plan leave out."""
    match plan.study.design:
        case ComparisonDesign():
            yield from _external(plan)
        case ParityDesign():
            yield from _unmeasured(plan)
        case QualificationDesign():
            yield from _unanswered(plan)


def _unanswered(plan: Plan) -> Iterator[Excluded]:
    design, planned = as_qualification(plan)
    tasks_of = {tasks.subject: tasks for tasks in planned.subjects}
    for subject in design.subjects:
        match subject:
            case GatedSubject():
                for feature in Feature:
                    yield subject.id, feature.value, ExclusionReason.access_gated, None
            case InstalledSubject():
                tasks = tasks_of.get(subject.id)
                if tasks is None:
                    continue
                for denied in tasks.not_offered:
                    yield subject.id, denied.feature.value, ExclusionReason.not_offered, denied.help
                for check in tasks.checks:
                    if check.slow and plan.selection is Selection.quick:
                        yield subject.id, check.id, ExclusionReason.left_out_of_quick_run, None


def _unmeasured(plan: Plan) -> Iterator[Excluded]:
    for arm, task in left_out(plan, plan.selection):
        yield arm, task, ExclusionReason.left_out_of_correctness_run, None


def _external(plan: Plan) -> Iterator[Excluded]:
    design, planned = as_comparison(plan)
    for lane in design.lanes:
        if isinstance(lane, ExternalLane):
            for task in planned.tasks:
                yield lane.id, task.id, ExclusionReason.external_unrun, None
