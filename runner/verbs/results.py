"""`sealbook publish` and `sealbook verify`: what becomes of a sealed run."""

from pathlib import Path
from typing import Annotated

import typer

from runner import environment
from runner.audit import audit
from runner.contract.errors import ContractError, InvalidRecordError, Problem
from runner.provenance.git import source_of
from runner.publish import opened, publish
from runner.reading.find import find_runs
from runner.reading.sealed import SealedRun
from runner.verbs.asked import AsJson, StudyName, print_json, study_of
from runner.verbs.running import said


def publish_verb(
    context: typer.Context,
    study: StudyName,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run's id, such as 20261130T014455Z.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Move a sealed run under its study. It stays there unchanged for ever.

    Refused unless it is a full run that was made from the commit the project is at, with nothing
    modified.
    """
    asked = study_of(context, study)
    head = source_of(asked.frozen.folder, environment.home())
    published = publish(asked.runs, run, asked.frozen.folder, head)
    shown = asked.project.shown(published.folder)
    if as_json:
        print_json({"published": shown, "seal_sha256": published.run.seal_sha256})
        return
    typer.echo(f"{shown}: published, {len(published.run.files)} files; commit it to share it")


def audit_verb(
    context: typer.Context,
    study: StudyName,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The id of a run that is not published.")],
    attempt: Annotated[str, typer.Argument(metavar="ATTEMPT", help="Such as source-first.signature-migration.1.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Say what may be said of one observation of a comparison before its matrix is complete.

    The whole run is verified first. Refused unless it was made from the commit the project is at.
    """
    asked = study_of(context, study)
    found = audit(opened(asked.runs, run), source_of(asked.frozen.folder, environment.home()), attempt)
    if as_json:
        print_json(found)
        return
    typer.echo(
        f"{attempt}: an eligible single observation, {found['outcome']}; no lane is compared and nothing is claimed"
    )


def verify_verb(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH...", help="A sealed run, a study, a project, or a built site."),
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Check sealed runs: every byte, every form, and every published number counted again.

    Needs nothing but the files. Exit code 1 if anything is wrong, with file, line and reason.
    """
    opened: list[tuple[str, SealedRun]] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            for found in find_runs(path, str(path)):
                try:
                    opened.append((found.shown, found.open()))
                except ContractError as error:
                    problems.extend(error.problems)
        except ContractError as error:
            problems.extend(error.problems)
    if not as_json:
        for shown, run in opened:
            typer.echo(
                f"{shown}: verified, {len(run.files)} files, {len(run.attempts)} attempts: {said(run.run.tally)}"
            )
    if problems:
        raise InvalidRecordError(*problems)
    if as_json:
        print_json({"verified": [_as_json(shown, run) for shown, run in opened]})


def _as_json(shown: str, run: SealedRun) -> dict[str, object]:
    return {
        "path": shown,
        "study": run.run.study,
        "run": run.run.run,
        "files": len(run.files),
        "attempts": len(run.attempts),
        "seal_sha256": run.seal_sha256,
        "tally": run.run.tally.model_dump(mode="json"),
    }
