"""A sealed `.jsonl` file as a sequence of records that are parsed when they are asked for.

A run may have a hundred thousand attempts, some kilobytes each as a record. Kept are where each line begins and its
digest; a line that is read again is compared with that, so that no record ever differs from what was verified.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar, overload

from pydantic import TypeAdapter

from runner.contract.canonical import parse_record
from runner.contract.errors import ContractError, Problem, SealMismatchError
from runner.reading.files import RESTORE, VerifiedFile, open_regular, said

Row = TypeVar("Row")
_DIGEST = 32


@dataclass(frozen=True, slots=True)
class _Lines:
    """Where each line of a verified file begins and ends, and the SHA-256 of each, one after the other."""

    ends: "array[int]"
    digests: bytes


class RowLog(Sequence[Row], Generic[Row]):
    """The records of a sealed file, in its order. Each is read from the disk when it is asked for.

    Whatever reads raises `SealMismatchError` if the file has changed since it was verified.
    """

    __slots__ = ("_file", "_lines", "_model")

    def __init__(self, model: TypeAdapter[Row], file: VerifiedFile, lines: _Lines) -> None:
        self._model = model
        self._file = file
        self._lines = lines

    def moved(self, path: Path) -> "RowLog[Row]":
        """The same records in a file that has been moved to `path`."""
        return RowLog(self._model, replace(self._file, path=path), self._lines)

    def __len__(self) -> int:
        return len(self._lines.ends) - 1

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(index, slice):
            return tuple(row for row, _ in self._read(range(len(self))[index]))
        try:
            wanted = range(len(self))[index]
        except IndexError:
            raise IndexError(f"no record {index} among {len(self)}") from None
        ((row, _),) = self._read(range(wanted, wanted + 1))
        return row

    def __iter__(self) -> Iterator[Row]:
        return (row for row, _ in self._read(range(len(self))))

    def quoted(self, wanted: range) -> Iterator[tuple[Row, bytes]]:
        """The records of these indexes, each with its line as it stands in the file, without the line feed."""
        return ((row, line[:-1]) for row, line in self._read(wanted))

    def _read(self, wanted: range) -> Iterator[tuple[Row, bytes]]:
        ends = self._lines.ends
        try:
            with open_regular(self._file.path) as stream:
                for index in wanted:
                    if stream.tell() != ends[index]:
                        stream.seek(ends[index])
                    line = stream.read(ends[index + 1] - ends[index])
                    if hashlib.sha256(line).digest() != self._lines.digests[_DIGEST * index : _DIGEST * (index + 1)]:
                        what = "changed after it was compared with the seal"
                        raise SealMismatchError(Problem(self._file.shown, f"line {index + 1}", what, "verify again"))
                    yield self._model.validate_json(line), line
        except OSError as error:
            raise SealMismatchError(Problem(self._file.shown, "", said(error), RESTORE)) from error


def read_log(
    model: TypeAdapter[Row],
    file: VerifiedFile,
    problems: list[Problem],
    see: Callable[[int, Row], None],
) -> RowLog[Row]:
    """Read a file for the first time: strictly, telling `see` of each record and its line, from 1.

    Lines that are no record are noted in `problems`; then the log is not one to be used.
    """
    ends = array("Q", [0])
    digests = bytearray()
    try:
        for number, line in enumerate(file.lines(), 1):
            ends.append(ends[-1] + len(line))
            digests += hashlib.sha256(line).digest()
            where = f"line {number}"
            if not line.endswith(b"\n"):
                problems.append(Problem(file.shown, where, "does not end in a line feed", RESTORE))
                continue
            try:
                row = parse_record(model, line[:-1], file=file.shown, where=where)
            except ContractError as error:
                problems.extend(error.problems)
            else:
                see(number, row)
    except ContractError as error:
        problems.extend(error.problems)
    return RowLog(model, file, _Lines(ends, bytes(digests)))
