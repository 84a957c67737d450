"""Whether a plan covers its manifest: every check is attempted or excluded for a reason that holds."""

from collections.abc import Iterator
from itertools import zip_longest

from runner.contract.comparison.tasks import ComparisonTasks
from runner.contract.errors import ContractError, Problem
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.tasks import ParityTasks
from runner.contract.plan import Exclusion, Plan, Selection
from runner.reading.checks.planned import exclusions_of, slots_of
from runner.reading.overlap import read_overlap

FILE = "plan.json"
_REMEDY = "the plan was not made from this manifest; do not rely on this run"


def check_plan(plan: Plan) -> Iterator[Problem]:
    """Problems of a plan as such."""
    manifest = {file.path: file.sha256 for file in plan.manifest}
    for pin in plan.study.pinned:
        if manifest.get(pin.path) != pin.sha256:
            yield Problem(FILE, "manifest", f"lacks {pin.path} as the study pins it", _REMEDY)
    yield from _kind(plan, manifest)
    expected = list(exclusions_of(plan))
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
    if any(one != other for one, other in zip_longest(_stated_slots(plan), slots_of(plan))):
        wanted, given = set(slots_of(plan)), set(_stated_slots(plan))
        missing = [_name(slot) for slot in slots_of(plan) if slot not in given]
        extra = [_name(slot) for slot in _stated_slots(plan) if slot not in wanted]
        detail = f"missing {', '.join(missing)}" if missing else f"extra {', '.join(extra)}" if extra else "order"
        yield Problem(FILE, "slots", f"are not what the manifest's checks give: {detail}", _REMEDY)


def _stated_slots(plan: Plan) -> Iterator[tuple[str, str, int]]:
    return ((slot.arm, slot.task, slot.trial) for slot in plan.slots)


def _name(slot: tuple[str, str, int]) -> str:
    return ".".join(map(str, slot))


def _kind(plan: Plan, manifest: dict[str, str]) -> Iterator[Problem]:
    """What only one study kind can have wrong."""
    if not isinstance(plan.tasks, ComparisonTasks | ParityTasks):
        return
    for file in plan.tasks.files:
        if manifest.get(file.path) != file.sha256:
            yield Problem(FILE, "tasks.files", f"{file.path} is not the file that the manifest pins", _REMEDY)
    if isinstance(plan.study.design, ParityDesign) and isinstance(plan.tasks, ParityTasks):
        yield from _parity(plan.study.design, plan.tasks)
    elif (
        isinstance(plan.tasks, ComparisonTasks)
        and (plan.selection is Selection.selected) == plan.tasks.asked.everything
    ):
        yield Problem(FILE, "selection", f"{plan.selection.value} stated, tasks.asked says otherwise", _REMEDY)


def _parity(design: ParityDesign, tasks: ParityTasks) -> Iterator[Problem]:
    if tasks.reference != design.variants[0].id:
        what = f"{tasks.reference} stated, the first variant is {design.variants[0].id}"
        yield Problem(FILE, "tasks.reference", what, _REMEDY)
    if tasks.backends != tuple(backend.id for backend in design.backends):
        yield Problem(FILE, "tasks.backends", "are not those of the design, in its order", _REMEDY)
    for folder in (folder for scenario in tasks.scenarios for folder in scenario.folders if not tasks.below(folder)):
        yield Problem(FILE, "tasks.files", f"lacks what lies below {folder}", _REMEDY)
    for name in design.overlaps.values():
        try:
            read_overlap(tasks, name)
        except KeyError:
            yield Problem(FILE, "tasks.files", f"lacks {name}, which lists the other open changes", _REMEDY)
        except ContractError as error:
            yield from (
                Problem(FILE, f"tasks.files, {name}, {item.where}", item.what, _REMEDY) for item in error.problems
            )
