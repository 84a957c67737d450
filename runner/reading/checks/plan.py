"""Whether a plan covers its manifest: every check is attempted or excluded for a reason that holds."""

from collections.abc import Iterator
from itertools import zip_longest

from runner.contract.errors import Problem
from runner.contract.plan import Exclusion, ExclusionReason, Plan, Selection
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
    stated = [(item.arm, item.task, item.reason, item.proof) for item in plan.exclusions]
    there = frozenset(stated)
    for item in expected:
        if item not in there:
            yield Problem(FILE, "exclusions", f"lacks {item[0]}.{item[1]} ({item[2].value})", _REMEDY)
    known = frozenset(expected)
    seen: set[Exclusion] = set()
    for index, (exclusion, entry) in enumerate(zip(plan.exclusions, stated, strict=True)):
        if entry not in known:
            what = f"nothing in the manifest excludes {exclusion.arm}.{exclusion.task} so"
            yield Problem(FILE, f"exclusions[{index}]", what, _REMEDY)
        if exclusion in seen:
            yield Problem(FILE, f"exclusions[{index}]", "stands twice", _REMEDY)
        seen.add(exclusion)
    if any(one != other for one, other in zip_longest(_stated_slots(plan), _slots(plan))):
        wanted, given = set(_slots(plan)), set(_stated_slots(plan))
        missing = [_name(slot) for slot in _slots(plan) if slot not in given]
        extra = [_name(slot) for slot in _stated_slots(plan) if slot not in wanted]
        detail = f"missing {', '.join(missing)}" if missing else f"extra {', '.join(extra)}" if extra else "order"
        yield Problem(FILE, "slots", f"are not what the manifest's checks give: {detail}", _REMEDY)


def _stated_slots(plan: Plan) -> Iterator[tuple[str, str, int]]:
    return ((slot.arm, slot.task, slot.trial) for slot in plan.slots)


def _name(slot: tuple[str, str, int]) -> str:
    return ".".join(map(str, slot))


def _slots(plan: Plan) -> Iterator[tuple[str, str, int]]:
    """Every attempt that the manifest asks for: subject by subject, check by check, trial by trial."""
    excluded = {(item.arm, item.task) for item in plan.exclusions}
    for tasks in plan.tasks.subjects:
        for check in tasks.checks:
            if (tasks.subject, check.id) not in excluded:
                for trial in range(1, check.trials + 1):
                    yield tasks.subject, check.id, trial


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
