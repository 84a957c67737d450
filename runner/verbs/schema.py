"""`sealbook schema`: writes the JSON Schemas of the evidence, or checks that they are up to date."""

from pathlib import Path
from typing import Annotated

import typer

import runner.contract
from runner.contract.errors import InvalidRecordError, Problem
from runner.contract.schemas import schemas

FOLDER = Path(runner.contract.__file__).parent / "schema"
SHOWN = "runner/contract/schema"


def schema_verb(
    *,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file is out of date.")] = False,
) -> None:
    """Write the JSON Schemas of study, plan, attempt, run and the rest beside the contract."""
    expected = schemas()
    present = {path.name: path.read_bytes() for path in FOLDER.glob("*.json")} if FOLDER.is_dir() else {}
    if check:
        names = sorted(name for name in {*expected, *present} if expected.get(name) != present.get(name))
        if names:
            what, todo = "differs from the models", "run `sealbook schema`"
            raise InvalidRecordError(*(Problem(f"{SHOWN}/{name}", "", what, todo) for name in names))
        typer.echo(f"{len(expected)} schemas are up to date")
        return
    FOLDER.mkdir(exist_ok=True)
    for name in sorted({*present} - {*expected}):
        (FOLDER / name).unlink()
    for name, data in expected.items():
        if present.get(name) != data:
            (FOLDER / name).write_bytes(data)
            typer.echo(f"{SHOWN}/{name}")
