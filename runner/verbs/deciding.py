"""`sealbook decide`: what the owner of a study decides on holds of a published run."""

from typing import Annotated

import typer

from runner.contract.decision import Ruling
from runner.decide import Wanted, drafted, record
from runner.environment import SystemClock
from runner.store import in_turn
from runner.verbs.answers import AsJson, print_json
from runner.verbs.asked import StudyName, study_of


def decide_verb(
    context: typer.Context,
    study: StudyName,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The id of a published run that holds something.")],
    *,
    ruling: Annotated[Ruling | None, typer.Option("--ruling", help="What is decided.")] = None,
    hold: Annotated[
        list[str] | None,
        typer.Option(
            "--hold", metavar="HOLD", help="What it is decided on: ROW:NUMBER or ATTEMPT; may be given several times."
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Decide on everything that the run holds.")] = False,
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who decides.")] = "",
    role: Annotated[str, typer.Option("--role", metavar="ROLE", help="In which role.")] = "",
    reason_en: Annotated[str, typer.Option("--reason-en", metavar="TEXT", help="Why, in English.")] = "",
    reason_zh: Annotated[str, typer.Option("--reason-zh", metavar="TEXT", help="Why, in Chinese.")] = "",
    as_json: AsJson = False,
) -> None:
    """Record what the owner decides on holds of a published run, sealed beside it.

    Every option but --json is needed; of --hold and --all one is, and without either the holds are
    listed. The record names who decides as given, which proves no identity. It changes nothing of the
    run, whose holds stay, and is never changed itself: a later decision is another record.
    """
    asked = study_of(context, study)
    name = asked.frozen.study.id
    wanted = Wanted(ruling, by, role, reason_en, reason_zh, tuple(hold or ()), every)

    def waiting() -> None:
        typer.echo(f"{name}: another process records a decision, waiting for that", err=True)

    draft = drafted(asked.frozen.folder, asked.runs, run, wanted, SystemClock().instant())
    with in_turn(asked.project.deciding(name), waiting):
        recorded = record(draft)
    decision, shown = recorded.decision, asked.project.shown(recorded.sealed.path)
    decided = [item.name for item in decision.holds]
    if as_json:
        print_json(
            {
                "decided": shown,
                "ruling": decision.ruling.value,
                "holds": decided,
                "undecided": list(draft.undecided),
                "seal_sha256": recorded.seal_sha256,
            }
        )
        return
    rest = f"; not decided: {', '.join(draft.undecided)}" if draft.undecided else ""
    typer.echo(f"{shown}: recorded, {decision.ruling.value} on {', '.join(decided)}{rest}; commit it to share it")
