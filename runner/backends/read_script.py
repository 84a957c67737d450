"""Reads a script of model turns from its file."""

from pathlib import Path

from runner.backends.script import Script
from runner.contract.canonical import load, read
from runner.contract.errors import InvalidRecordError, MalformedJsonError, Problem
from runner.reading.files import open_regular, said

MAX_SCRIPT_BYTES = 16 * 1024 * 1024


def read_script(path: Path, shown: str) -> Script:
    """The script in a file. Raises `InvalidRecordError` with all that is wrong with it."""
    try:
        with open_regular(path) as stream:
            data = stream.read(MAX_SCRIPT_BYTES + 1)
    except OSError as error:
        raise InvalidRecordError(Problem(shown, "", said(error), "name a script that can be read")) from error
    if len(data) > MAX_SCRIPT_BYTES:
        raise InvalidRecordError(Problem(shown, "", f"more than {MAX_SCRIPT_BYTES} bytes", "make it shorter"))
    try:
        value = read(data, file=shown)
    except MalformedJsonError as error:
        found = (Problem(problem.file, problem.where, problem.what, "correct it") for problem in error.problems)
        raise InvalidRecordError(*found) from error
    return load(Script, value, file=shown)
