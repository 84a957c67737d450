"""What somebody else published, for programs: the page as one JSON document, and its rows as a table.

Figures are those of the record; what is computed again stands beside them under names of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter

from runner.contract.canonical import MAX_INTEGER, Json, encode
from runner.contract.parity.change import Percentage
from runner.contract.parity.gate import Held, Unjudged
from runner.contract.reported.recompute import (
    MeasuredResult,
    RowResult,
    VersionResult,
    rank_of,
    samples_of,
)
from runner.contract.reported.record import PublishedTime, Unknown
from sitegen.pages import place
from sitegen.pages.page import Language
from sitegen.pages.reported import RECORD_FILE, ROWS_FILE, VIEW_FILE, ReportedPage
from sitegen.sources import ReportedSource
from sitegen.twins.sheet import sheet

FORMAT = "sealbook.reported-view/1"
SAYS = (
    "Figures that somebody else published, written down and computed again. Sealbook did not run this and cannot "
    "verify it; the digests below are quoted, except that of the record."
)
DECIMALS = 6


@dataclass(frozen=True, slots=True)
class ReportedRow:
    """One row; the field names are the CSV's header and the keys of the JSON document."""

    version: str
    measure: str
    case: str
    statistic: str
    samples: int | None
    """Of base, and of head; None where it is unknown, as every figure below."""
    rank: int | None
    """Which of the sorted samples the statistic is."""
    base_ns: int | None
    head_ns: int | None
    difference_ns: int | None
    change_percent_millionths: int | None
    """To the nearest millionth of a percent; None as well where the base is 0, or where no exact integer holds it."""
    verdict: str | None
    """None for a row that no gate judges."""
    reason: str | None
    published_difference_ns: int | None
    published_percent_digits: int | None
    published_percent_decimals: int | None
    published_verdict: str | None
    published_reason: str | None


HEADER = tuple(field.name for field in fields(ReportedRow))
_VALUES = attrgetter(*HEADER)


def reported_files(pages: Mapping[Language, ReportedPage]) -> Iterator[tuple[str, bytes]]:
    """The files beside one page, which `pages` shows in every language, by their places."""
    source = pages["en"].source
    rows = tuple(_rows(source))
    yield place.reported_data(source.id, RECORD_FILE), source.data
    yield place.reported_data(source.id, ROWS_FILE), b"".join(sheet(HEADER, map(_VALUES, rows)))
    yield place.reported_data(source.id, VIEW_FILE), _view(pages, source, rows)


def _view(pages: Mapping[Language, ReportedPage], source: ReportedSource, rows: tuple[ReportedRow, ...]) -> bytes:
    record = source.record
    document: dict[str, Json] = {
        "format": FORMAT,
        "derived": SAYS,
        "reproduced": False,
        "pages": {language: view.location for language, view in pages.items()},
        "title": {"en": record.title.en, "zh": record.title.zh},
        "source": record.source.model_dump(mode="json"),
        "record": {"file": place.reported_data(source.id, RECORD_FILE), "sha256": source.sha256},
        "disposition": source.found.disposition.value,
        "versions": [_version(version) for version in source.found.versions],
        "rows": [dict(zip(HEADER, _VALUES(row), strict=True)) for row in rows],
        "differs": [
            {"at": item.at, "what": item.what.value, "published": item.published, "computed": item.computed}
            for item in source.found.differs
        ],
        "does_not_establish": [
            {"id": item.id, "text": {"en": item.text.en, "zh": item.text.zh}} for item in record.limits
        ],
    }
    return encode(document)


def _version(found: VersionResult) -> Json:
    version = found.version
    identity = ("base", "head", "protocol", "receipt", "seal")
    return {
        "id": version.id,
        "name": version.name,
        "disposition": found.disposition.value,
        "gated": len(found.gated),
        "held": len(found.held),
        **{name: getattr(version, name).model_dump(mode="json") for name in identity},
    }


def _rows(source: ReportedSource) -> Iterator[ReportedRow]:
    for version in source.found.versions:
        for part in version.measured:
            for row in part.rows:
                yield _row(version, part, row)


def _row(version: VersionResult, part: MeasuredResult, found: RowResult) -> ReportedRow:
    row, judged = found.row, found.judgement
    rank = rank_of(part.measured, row)
    percentage = found.change.percentage(DECIMALS) if found.change else None
    digits = percentage.digits if isinstance(percentage, Percentage) else None
    return ReportedRow(
        version=version.version.id,
        measure=part.measure.id,
        case=row.case,
        statistic=row.statistic.value,
        samples=samples_of(part.measured),
        rank=rank[0] if rank else None,
        base_ns=_ns(row.base),
        head_ns=_ns(row.head),
        difference_ns=found.change.difference_ns if found.change else None,
        change_percent_millionths=digits if digits is not None and digits <= MAX_INTEGER else None,
        verdict=judged.verdict if judged else None,
        reason=judged.reason.value if isinstance(judged, Held | Unjudged) else None,
        published_difference_ns=row.difference_ns,
        published_percent_digits=row.percent.digits if row.percent else None,
        published_percent_decimals=row.percent.decimals if row.percent else None,
        published_verdict=row.verdict.verdict if row.verdict else None,
        published_reason=row.verdict.reason.value if row.verdict and row.verdict.reason else None,
    )


def _ns(time: PublishedTime | Unknown) -> int | None:
    return time.ns if isinstance(time, PublishedTime) else None
