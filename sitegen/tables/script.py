"""A table -> the script that a page loads it from, once for all languages.

From disk a browser loads scripts and fetches nothing, so the file assigns one global. Columns are
few long strings, which load faster than many short ones:

- `rows`: how many there are;
- `columns`, each with `key`, `kind` and, by kind,
  `names` (one a line) with `order` (each row's rank, left out where rows stand in order),
  `values` (as they stand in an address), or `texts`;
- `cells`: whole numbers joined by commas, in base ten. `7*3` is three times 7, `1~9` is 1 to 9. In
  a column with values or texts they are indexes; in a column of numbers `?` is unknown, `!` undefined,
  `n` not a number, `+` and `-` the infinities;
- `targets` and `target`: templates and, coded like cells, which of them each row has.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sitegen.tables.table import Choices, Column, Names, NoNumber, Numbers, Numeric, Table, Targets, Texts
from sitegen.visible import in_a_line

GLOBAL = "window.sealbookRows"
_TOKENS = {
    NoNumber.unknown: "?",
    NoNumber.undefined: "!",
    NoNumber.nan: "n",
    NoNumber.plus_infinity: "+",
    NoNumber.minus_infinity: "-",
}
_DIGITS = re.compile(r"(\d+)", re.ASCII)


def rows_script(table: Table) -> bytes:
    """The script of `table`. It holds no markup, wherever somebody puts it."""
    head = f'{GLOBAL}={{"rows":{table.rows},"columns":['
    return b"".join((head.encode(), b",\n".join(_column(column) for column in table.columns), b"]};\n"))


def _column(column: Column) -> bytes:
    match column:
        case Names():
            shown = [in_a_line(name) for name in column.names]
            order = _order(shown)
            return _json(
                {"key": column.key, "kind": "name", "names": "\n".join(shown)}
                | ({"order": coded(order)} if order else {})
                | _targets(column.targets)
            )
        case Choices():
            return _json({"key": column.key, "kind": "choice", "values": column.values, "cells": coded(column.codes)})
        case Texts():
            texts = [in_a_line(text) for text in column.texts]
            return _json({"key": column.key, "kind": "text", "texts": texts, "cells": coded(column.codes)})
        case Numbers():
            return _json(
                {"key": column.key, "kind": column.kind, "cells": coded(column.cells)} | _targets(column.targets)
            )


def coded(cells: Sequence[Numeric]) -> str:
    """Cells as the script holds them; equal neighbours and ranges are short."""
    if isinstance(cells, range) and cells.step == 1 and len(cells) > 1:
        return f"{cells[0]}~{cells[-1]}"
    return ",".join(_runs(cells))


def _runs(cells: Iterable[Numeric]) -> Iterator[str]:
    for cell, same in groupby(cells):
        times = sum(1 for _ in same)
        token = _TOKENS[cell] if isinstance(cell, NoNumber) else str(cell)
        yield token if times == 1 else f"{token}*{times}"


def _targets(found: Targets | None) -> dict[str, object]:
    return {"targets": found.templates, "target": coded(found.codes)} if found else {}


def _order(names: Sequence[str]) -> list[int]:
    """Each name's rank, numbers in it taken as numbers; empty where the names stand in that order."""

    def key(row: int) -> list[tuple[int, str]]:
        parts = _DIGITS.split(names[row].casefold())
        parts[1::2] = (part.lstrip("0") for part in parts[1::2])
        return [(len(part) if index % 2 else 0, part) for index, part in enumerate(parts)]

    ordered = sorted(range(len(names)), key=key)
    if ordered == list(range(len(names))):
        return []
    ranks = [0] * len(names)
    for rank, row in enumerate(ordered):
        ranks[row] = rank
    return ranks


def _json(value: dict[str, object]) -> bytes:
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").encode()
