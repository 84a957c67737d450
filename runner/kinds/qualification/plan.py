"""Every attempt of a qualification and every exclusion, in the order of the manifest. Pure."""

from collections.abc import Iterator

from runner.contract.errors import InvalidRecordError, Problem
from runner.contract.plan import Exclusion, ExclusionReason, Plan, Selection, Slot, as_qualification
from runner.contract.qualification.design import Feature, GatedSubject, InstalledSubject
from runner.contract.qualification.steps import ServiceStep
from runner.contract.qualification.tasks import SubjectTasks
from runner.contract.values import Text
from runner.reading.manifest import FrozenStudy

LEFT_OUT = Text(
    en="Waits in real time for minutes, so a quick run leaves it out.",
    zh="需要实时等待数分钟，快速运行不包含此项。",
)


def plan(study: FrozenStudy, selection: Selection) -> Plan:
    """Plan a run: subject by subject, check by check, trial by trial.

    Raises `InvalidRecordError` if a service starts a program that the design does not list, and
    if nothing is left to attempt.
    """
    problems = tuple(_unlisted_services(study))
    slots = tuple(_slots(study, selection))
    if not slots:
        what = f"a {selection.value} run has nothing to attempt"
        problems += (Problem(f"{study.name}/study.toml", "design", what, "add a check that is not slow"),)
    if problems:
        raise InvalidRecordError(*problems)
    return Plan(
        format="sealbook.plan/1",
        study=study.study,
        tasks=study.tasks,
        manifest=study.files,
        selection=selection,
        verdict_rule="last-attempt-of-slot",
        slots=slots,
        exclusions=tuple(_exclusions(study, selection)),
    )


def _slots(study: FrozenStudy, selection: Selection) -> Iterator[Slot]:
    _, planned = as_qualification(study)
    for tasks in planned.subjects:
        for check in tasks.checks:
            if not (check.slow and selection is Selection.quick):
                for trial in range(1, check.trials + 1):
                    yield Slot(arm=tasks.subject, task=check.id, trial=trial)


def _exclusions(study: FrozenStudy, selection: Selection) -> Iterator[Exclusion]:
    design, planned = as_qualification(study)
    tasks_of = {tasks.subject: tasks for tasks in planned.subjects}
    for subject in design.subjects:
        match subject:
            case GatedSubject():
                for feature in Feature:
                    yield Exclusion(
                        arm=subject.id,
                        task=feature.value,
                        reason=ExclusionReason.access_gated,
                        text=subject.reason,
                        proof=None,
                    )
            case InstalledSubject():
                yield from _of_installed(tasks_of[subject.id], selection)


def _of_installed(tasks: SubjectTasks, selection: Selection) -> Iterator[Exclusion]:
    for entry in tasks.not_offered:
        yield Exclusion(
            arm=tasks.subject,
            task=entry.feature.value,
            reason=ExclusionReason.not_offered,
            text=entry.reason,
            proof=entry.help,
        )
    for check in tasks.checks:
        if check.slow and selection is Selection.quick:
            yield Exclusion(
                arm=tasks.subject,
                task=check.id,
                reason=ExclusionReason.left_out_of_quick_run,
                text=LEFT_OUT,
                proof=None,
            )


def _unlisted_services(study: FrozenStudy) -> Iterator[Problem]:
    """Services may be subjects' own programs or tools that the design lists, and nothing else."""
    design, planned = as_qualification(study)
    for tasks in planned.subjects:
        for check in tasks.checks:
            for index, step in enumerate(check.steps):
                program = step.argv[0] if isinstance(step, ServiceStep) else "{command}"
                if not program.startswith("{") and program not in design.tools:
                    yield Problem(
                        f"{study.name}/study.toml",
                        f"design.tools, {tasks.subject}.{check.id}, steps[{index}].argv[0]",
                        f"{program!r} is not one of `design.tools`",
                        "list it there in study.toml",
                    )
