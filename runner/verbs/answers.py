"""What verbs print on standard output: words for people, one JSON object for machines."""

import sys
from typing import Annotated, TypeAlias

import rfc8785
import typer

from runner.contract.tally import Tally

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object for a machine.")]


def print_json(value: object) -> None:
    """Print one canonical JSON object, in UTF-8 whatever the terminal speaks."""
    sys.stdout.buffer.write(rfc8785.dumps(value) + b"\n")  # type: ignore[arg-type]
    sys.stdout.buffer.flush()


def said(tally: Tally) -> str:
    """A tally in words: the headline, and whatever else is not zero."""
    parts = {
        "rejected": tally.rejected,
        "failed to run": tally.failed_to_run,
        "timed out": tally.timed_out,
        "refused": tally.refused,
        "interrupted": tally.interrupted,
        "not started": tally.not_started,
        "superseded": tally.superseded,
        "excluded": tally.excluded,
    }
    rest = [f"{count} {name}" for name, count in parts.items() if count]
    return ", ".join([f"{tally.accepted}/{tally.planned} accepted", *rest])
