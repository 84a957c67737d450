"""`sealbook verify`: whether sealed runs are what was sealed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from runner.contract.analysis.gate import gate_of, out_of_reach
from runner.contract.errors import ContractError, InvalidRecordError, Problem
from runner.errors import GateMissedError
from runner.reading.find import find_runs
from runner.reading.sealed import SealedRun
from runner.verbs.answers import AsJson, print_json, said


def verify_verb(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH...", help="A sealed run, a study, a project, or a built site."),
    ],
    *,
    gates: Annotated[
        bool, typer.Option("--gates", help="Also ask of each run that it is qualified, or its matrix complete.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check sealed runs: every byte, every form, and every published number counted again.

    Needs nothing but the files. Exit code 1 if anything is wrong, with file, line and reason. What a study came to is
    nothing wrong with its run; with --gates, a run that did not come to what its study asks for ends with 1 as well.
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
    if gates and (missed := [problem for shown, run in opened for problem in _missed(shown, run)]):
        raise GateMissedError.of(*missed)
    if as_json:
        print_json({"verified": [_as_json(shown, run) for shown, run in opened]})


def _missed(shown: str, run: SealedRun) -> Iterator[Problem]:
    gate = gate_of(run.run.analysis)
    if not gate.met:
        what = f"the gate is missed: the run is to be {gate.asked.value}, and it is {gate.found.value}"
        see = "see what its attempts say"
        if why := out_of_reach(run.run.selection):
            what, see = f"{what}; {why}, so that such a run never is", f"{see}, and make a full run"
        todo = f"{see}; a later run has a gate of its own and does not change this one"
        yield Problem(f"{shown}/run.json", "analysis.disposition", what, todo)


def _as_json(shown: str, run: SealedRun) -> dict[str, object]:
    gate = gate_of(run.run.analysis)
    return {
        "path": shown,
        "study": run.run.study,
        "run": run.run.run,
        "files": len(run.files),
        "attempts": len(run.attempts),
        "seal_sha256": run.seal_sha256,
        "gate": {"asked": gate.asked.value, "found": gate.found.value, "met": gate.met},
        "tally": run.run.tally.model_dump(mode="json"),
    }
