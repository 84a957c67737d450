"""Reads what `--config` names, and what that names. The only place where a backend's settings are taken from a file."""

from pathlib import Path
from typing import TypeVar

from runner.contract.errors import InvalidRecordError, Problem
from runner.contract.values import Record
from runner.reading.files import open_regular, said
from runner.reading.toml import MAX_MANIFEST_BYTES, read_toml

Model = TypeVar("Model", bound=Record)


def read_configuration(model: type[Model], path: Path, shown: str) -> Model:
    """The settings in a TOML file. Raises `InvalidRecordError` with everything that is wrong with it."""
    return read_toml(model, read_bounded(path, MAX_MANIFEST_BYTES, shown, "configuration"), file=shown)


def read_bounded(path: Path, most: int, shown: str, what: str) -> bytes:
    """The bytes of a file of not more than `most`. Raises `InvalidRecordError`; `what` is what the file was to be."""
    try:
        with open_regular(path) as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise InvalidRecordError(Problem(shown, "", said(error), f"name a {what} that can be read")) from error
    if len(data) > most:
        raise InvalidRecordError(Problem(shown, "", f"more than {most} bytes", "make it shorter"))
    return data
