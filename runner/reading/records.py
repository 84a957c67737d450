"""Bytes of a sealed file -> contract records: strictly, line by line, with every problem collected."""

from collections.abc import Iterator
from typing import TypeVar

from pydantic import TypeAdapter

from runner.contract.canonical import load, parse, parse_record
from runner.contract.errors import ContractError, Problem
from runner.contract.values import Record
from runner.reading.files import RESTORE, VerifiedFile

Document = TypeVar("Document", bound=Record)
Row = TypeVar("Row")


def read_document(model: type[Document], file: VerifiedFile, problems: list[Problem]) -> Document | None:
    """The one record in a `.json` file; None with the problems noted if it is not one."""
    try:
        return load(model, parse(file.data(), file=file.shown), file=file.shown)
    except ContractError as error:
        problems.extend(error.problems)
        return None


def read_rows(model: TypeAdapter[Row], file: VerifiedFile, problems: list[Problem]) -> tuple[Row, ...]:
    """Every record of a `.jsonl` file; lines that are none are noted and left out."""
    return tuple(_rows(model, file, problems))


def _rows(model: TypeAdapter[Row], file: VerifiedFile, problems: list[Problem]) -> Iterator[Row]:
    try:
        for number, line in enumerate(file.lines(), 1):
            where = f"line {number}"
            if not line.endswith(b"\n"):
                problems.append(Problem(file.shown, where, "does not end in a line feed", RESTORE))
                continue
            try:
                yield parse_record(model, line[:-1], file=file.shown, where=where)
            except ContractError as error:
                problems.extend(error.problems)
    except ContractError as error:
        problems.extend(error.problems)
