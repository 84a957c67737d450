"""`sealbook verify`: whether sealed runs are what was sealed."""

from pathlib import Path
from typing import Annotated

import typer

from runner.contract.errors import ContractError, InvalidRecordError, Problem
from runner.reading.find import find_runs
from runner.reading.sealed import SealedRun
from runner.verbs.answers import AsJson, print_json, said


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
