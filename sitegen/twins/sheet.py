"""Rows of plain values as CSV that a spreadsheet opens without computing anything."""

import csv
from collections.abc import Iterable, Iterator, Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet takes a cell that begins so for something to compute."""
GUARD = "'"
"""Put before such a cell, it makes a spreadsheet take the cell for text."""


def sheet(header: Sequence[str], rows: Iterable[Iterable[str | int | None]]) -> Iterator[bytes]:
    """RFC 4180 in UTF-8 with a header, line by line; a text that a spreadsheet would compute begins with `'`.

    None is an empty cell.
    """
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow(header)
    yield lines.taken()
    for row in rows:
        writer.writerow(_cells(row))
        yield lines.taken()


def _cells(row: Iterable[str | int | None]) -> Iterator[str]:
    for value in row:
        match value:
            case None:
                yield ""
            case bool():
                yield "true" if value else "false"
            case int():
                yield str(value)
            case _:
                yield GUARD + value if value.startswith(FORMULA) else value


class _Lines:
    """What `csv` writes to: the text of a line until it is taken."""

    def __init__(self) -> None:
        self._written: list[str] = []

    def write(self, text: str) -> None:
        """Keep one piece."""
        self._written.append(text)

    def taken(self) -> bytes:
        """What was written since."""
        data = "".join(self._written).encode()
        self._written.clear()
        return data
