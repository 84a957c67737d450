"""Whether a plan covers its manifest: every check is attempted or excluded for a reason that holds."""

from collections.abc import Iterator

from runner.contract.errors import Problem
from runner.contract.plan import ExclusionReason, Plan, Selection, Slot
from runner.contract.qualification.design import Feature, GatedSubject, InstalledSubject

FILE = "plan.json"
_REMEDY = "the plan was not made from this manifest; do not rely on this run"


def check_plan(plan: Plan) -> Iterator[Problem]:
    """Problems of a plan as such."""
    manifest = {file.path: file.sha256 for file in plan.manifest}
    for pin in plan.study.pinned:
        if manifest.get(pin.path) != pin.sha256:
            yield Problem(FILE, "manifest", f"lacks {pin.path} as the study pins it", _REMEDY)
    expected = list(_exclusions(plan))
    for item in expected:
        if item not in [(e.arm, e.task, e.reason, e.proof) for e in plan.exclusions]:
            yield Problem(FILE, "exclusions", f"lacks {item[0]}.{item[1]} ({item[2].value})", _REMEDY)
    for index, exclusion in enumerate(plan.exclusions):
        entry = (exclusion.arm, exclusion.task, exclusion.reason, exclusion.proof)
        if entry not in expected:
            what = f"nothing in the manifest excludes {exclusion.arm}.{exclusion.task} so"
            yield Problem(FILE, f"exclusions[{index}]", what, _REMEDY)
        if exclusion in plan.exclusions[:index]:
            yield Problem(FILE, f"exclusions[{index}]", "stands twice", _REMEDY)
    if plan.slots != tuple(_slots(plan)):
        missing = [slot.attempt_id(0) for slot in _slots(plan) if slot not in plan.slots]
        extra = [slot.attempt_id(0) for slot in plan.slots if slot not in set(_slots(plan))]
        detail = f"missing {', '.join(missing)}" if missing else f"extra {', '.join(extra)}" if extra else "order"
        yield Problem(FILE, "slots", f"are not what the manifest's checks give: {detail}", _REMEDY)


def _slots(plan: Plan) -> Iterator[Slot]:
    """Every attempt that the manifest asks for: subject by subject, check by check, trial by trial."""
    excluded = {(item.arm, item.task) for item in plan.exclusions}
    for tasks in plan.tasks.subjects:
        for check in tasks.checks:
            if (tasks.subject, check.id) not in excluded:
                for trial in range(1, check.trials + 1):
                    yield Slot(arm=tasks.subject, task=check.id, trial=trial)


def _exclusions(plan: Plan) -> Iterator[tuple[str, str, ExclusionReason, str | None]]:
    """Arm, task, reason and proof of everything that the manifest lets a plan leave out."""
    tasks_of = {tasks.subject: tasks for tasks in plan.tasks.subjects}
    for subject in plan.study.design.subjects:
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
