"""Reads a record of what somebody else published, computes it again, and refuses what does not follow."""

from pathlib import Path

from runner.contract.errors import InvalidRecordError, Problem
from runner.contract.reported.consistency import problems
from runner.contract.reported.record import Reported
from runner.reading.files import open_regular, said
from runner.reading.toml import MAX_MANIFEST_BYTES, read_toml

SUFFIX = ".toml"


def read_reported(path: Path, *, name: str) -> Reported:
    """The record in `path`; `name` is how messages call the file.

    Raises `InvalidRecordError` with every problem of the file: of its form, or else of what it says.
    """
    try:
        with open_regular(path) as stream:
            data = stream.read(MAX_MANIFEST_BYTES + 1)
    except OSError as error:
        raise InvalidRecordError(Problem(name, "", said(error), "create it or correct its name")) from error
    record = read_toml(Reported, data, file=name)
    found = list(problems(record, file=name))
    if record.id != path.name.removesuffix(SUFFIX):
        what = f"{record.id!r} differs from the name of the file"
        found.append(Problem(name, "id", what, f"give both the same name, which ends in {SUFFIX}"))
    if found:
        raise InvalidRecordError(*found)
    return record
