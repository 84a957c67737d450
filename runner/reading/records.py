"""Bytes of a sealed file -> contract records: strictly, line by line, with every problem collected."""

from collections.abc import Iterator
from typing import Protocol, TypeVar

from runner.contract.canonical import load, parse
from runner.contract.errors import ContractError, Problem
from runner.contract.values import Record
from runner.reading.files import RESTORE, VerifiedFile

Document = TypeVar("Document", bound=Record)
Row = TypeVar("Row")
Made_co = TypeVar("Made_co", covariant=True)


class Reader(Protocol[Made_co]):
    """Makes a record of one canonical line."""

    def __call__(self, data: bytes, *, file: str, where: str) -> Made_co:
        """The record. Raises `ContractError` with every problem, which are called by `file` and `where`."""


def read_document(model: type[Document], file: VerifiedFile, problems: list[Problem]) -> Document | None:
    """The one record in a `.json` file; None with the problems noted if it is not one."""
    try:
        return load(model, parse(file.data(), file=file.shown), file=file.shown)
    except ContractError as error:
        problems.extend(error.problems)
        return None


def read_rows(read: Reader[Row], file: VerifiedFile, problems: list[Problem]) -> tuple[Row, ...]:
    """Every record of a `.jsonl` file; lines that are none are noted and left out."""
    return tuple(_rows(read, file, problems))


def _rows(read: Reader[Row], file: VerifiedFile, problems: list[Problem]) -> Iterator[Row]:
    try:
        for number, line in enumerate(file.lines(), 1):
            where = f"line {number}"
            if not line.endswith(b"\n"):
                problems.append(Problem(file.shown, where, "does not end in a line feed", RESTORE))
                continue
            try:
                yield read(line[:-1], file=file.shown, where=where)
            except ContractError as error:
                problems.extend(error.problems)
    except ContractError as error:
        problems.extend(error.problems)
