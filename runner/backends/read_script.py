"""Reads a script of model turns from its file."""

from pathlib import Path

from runner.backends.configuration import read_bounded
from runner.backends.script import Script
from runner.contract.canonical import load, read
from runner.contract.errors import InvalidRecordError, MalformedJsonError, Problem

MAX_SCRIPT_BYTES = 16 * 1024 * 1024


def read_script(path: Path, shown: str) -> Script:
    """The script in a file. Raises `InvalidRecordError` with all that is wrong with it."""
    data = read_bounded(path, MAX_SCRIPT_BYTES, shown, "script")
    try:
        value = read(data, file=shown)
    except MalformedJsonError as error:
        found = (Problem(problem.file, problem.where, problem.what, "correct it") for problem in error.problems)
        raise InvalidRecordError(*found) from error
    return load(Script, value, file=shown)
