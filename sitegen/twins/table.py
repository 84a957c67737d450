"""What the page of a table counts, as one JSON document: rows by value, and its measured columns in numbers."""

from collections import Counter

from runner.contract.canonical import Json, encode
from sitegen.tables import Numbers, Summary, Table, summary

FORMAT = "sealbook.table-view/1"


def table_twin(table: Table, study: str, run: str) -> bytes:
    """The canonical JSON of the counts of `table`, which shows the attempts of a run.

    Minimum, median and maximum are left out where no number is finite, because they are undefined.
    """
    document: dict[str, Json] = {
        "format": FORMAT,
        "study": study,
        "run": run,
        "rows": table.rows,
        "counts": {
            column.key: {column.values[code] or "none": number for code, number in Counter(column.codes).items()}
            for column in table.choices
        },
        "statistics": [_statistics(column, summary(column.cells)) for column in table.measured],
    }
    return encode(document)


def _statistics(column: Numbers, found: Summary) -> Json:
    counts: dict[str, Json] = {
        "column": column.key,
        "unit": "ns" if column.kind == "duration" else None,
        "finite": found.finite,
        "unknown": found.unknown,
        "undefined": found.undefined,
        "non_finite": found.non_finite,
    }
    if found.spread is None:
        return counts
    median = found.spread.median
    return counts | {
        "minimum": found.spread.minimum,
        "median": {"numerator": median.numerator, "denominator": median.denominator},
        "maximum": found.spread.maximum,
    }
