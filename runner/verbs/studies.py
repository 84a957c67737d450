"""`sealbook studies` and `sealbook plan`: what there is, and what a run would do. They write nothing."""

from typing import Annotated

import typer

from runner.contract.comparison.design import AvailableLane
from runner.contract.plan import Plan
from runner.contract.qualification.design import InstalledSubject
from runner.contract.study import Study
from runner.reading.manifest import read_study
from runner.verbs.answers import AsJson, print_json
from runner.verbs.asked import CorrectnessOnly, Quick, ReducedTimings, StudyName, project_of, selection_of, study_of


def studies_verb(
    context: typer.Context,
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only those that a quick run performs on any machine.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the studies of the project, one id a line."""
    project = project_of(context)
    if not quick and not as_json:
        for name in project.study_ids():
            typer.echo(name)
        return
    studies = [read_study(project.study_folder(name), name=f"manifests/{name}").study for name in project.study_ids()]
    chosen = [study for study in studies if not quick or _runs_anywhere(study)]
    if as_json:
        listed = [
            {"id": study.id, "quick": study.quick, "title": study.title.model_dump(), "kind": study.design.kind}
            for study in chosen
        ]
        print_json({"studies": listed})
        return
    for study in chosen:
        typer.echo(study.id)


def plan_verb(
    context: typer.Context,
    study: StudyName,
    *,
    quick: Quick = False,
    correctness_only: CorrectnessOnly = False,
    reduced_timings: ReducedTimings = False,
    as_json: AsJson = False,
) -> None:
    """Show every attempt a run would make, and every exclusion with its reason."""
    asked = study_of(context, study)
    selection = selection_of(
        asked.frozen, quick=quick, correctness_only=correctness_only, reduced_timings=reduced_timings
    )
    plan = asked.kind.plan(asked.frozen, selection)
    if as_json:
        print_json(plan.model_dump(mode="json"))
        return
    for line in _lines(plan):
        typer.echo(line)


def _lines(plan: Plan) -> list[str]:
    lines = [f"{plan.study.id}: {plan.study.title.en}", ""]
    lines += [f"  {slot.attempt_id(0)}" for slot in plan.slots]
    lines += ["", *(f"  excluded  {e.arm}.{e.task}: {e.reason.value}. {e.text.en}" for e in plan.exclusions)]
    return [*lines, "", f"{len(plan.slots)} attempts, {len(plan.exclusions)} exclusions, {plan.selection.value} run"]


def _runs_anywhere(study: Study) -> bool:
    return study.quick and any(isinstance(arm, InstalledSubject | AvailableLane) for arm in study.design.arms)
