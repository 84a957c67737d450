"""Reads what `--config` names. The only place where a backend's settings are taken from a file."""

from pathlib import Path
from typing import TypeVar

from runner.contract.errors import InvalidRecordError, Problem
from runner.contract.values import Record
from runner.reading.files import open_regular, said
from runner.reading.toml import MAX_MANIFEST_BYTES, read_toml

Model = TypeVar("Model", bound=Record)


def read_configuration(model: type[Model], path: Path, shown: str) -> Model:
    """The settings in a TOML file. Raises `InvalidRecordError` with everything that is wrong with it."""
    try:
        with open_regular(path) as stream:
            data = stream.read(MAX_MANIFEST_BYTES + 1)
    except OSError as error:
        raise InvalidRecordError(Problem(shown, "", said(error), "name a configuration that can be read")) from error
    return read_toml(model, data, file=shown)
