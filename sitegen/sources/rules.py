"""Reads docs/rules-record.json: what the tests that prove rules came to."""

from pathlib import Path

from runner.contract.canonical import load, read
from runner.contract.errors import Problem
from sitegen.errors import ContentError
from sitegen.sources.values import RulesRecord

RECORD = "docs/rules-record.json"


def read_rules(root: Path) -> RulesRecord | None:
    """The record, or None while there is none. Raises `SiteError` or `ContractError` if it is bad."""
    path = root / RECORD
    if not path.is_file():
        return None
    try:
        data = path.read_bytes()
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise ContentError(Problem(RECORD, "", why, "record the rules again")) from error
    return load(RulesRecord, read(data, file=RECORD), file=RECORD)
