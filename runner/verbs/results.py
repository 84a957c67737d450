"""`sealbook publish` and `sealbook audit`: what becomes of a sealed run."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from runner import environment
from runner.audit import audit
from runner.provenance.git import source_of
from runner.publish import opened, publish
from runner.verbs.answers import AsJson, print_json
from runner.verbs.asked import StudyName, study_of


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
    typer.echo(audited(found, attempt))


def audited(found: Mapping[str, Any], attempt: str) -> str:
    """What an audit found, in words: one line, and one for each reason why nothing may be concluded."""
    reasons = found["eligibility"].get("reasons", ())
    said = "ineligible" if reasons else "an eligible single observation"
    lines = [f"{attempt}: {said}, {found['outcome']}; no lane is compared and nothing is claimed"]
    return "\n".join([*lines, *(f"{attempt}: {reason['text']}" for reason in reasons)])
