"""What follows from published figures: change, verdict and disposition, and where the publication says otherwise."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from runner.contract.parity.change import Change, Percentage, change
from runner.contract.parity.disposition import GateDisposition, disposition, overall
from runner.contract.parity.gate import Held, Pairs, Passed, Unjudged, judge
from runner.contract.parity.quantile import is_largest, rank
from runner.contract.reported.record import (
    Measure,
    Measured,
    PairedSamples,
    PublishedDisposition,
    PublishedTime,
    Reported,
    Row,
    SeparateSamples,
    Unknown,
    UnknownSamples,
    Version,
)


@dataclass(frozen=True, slots=True)
class RowResult:
    """What follows from one row."""

    row: Row
    change: Change | None
    """None where base or head is unknown."""
    judgement: Passed | Held | Unjudged | None
    """None for a row that no gate judges."""


@dataclass(frozen=True, slots=True)
class MeasuredResult:
    """What follows from the rows of one measure in one version."""

    place: int
    """Its place among those of the version, from 0."""
    measure: Measure
    measured: Measured
    rows: tuple[RowResult, ...]


@dataclass(frozen=True, slots=True)
class VersionResult:
    """What follows from one version, by its own rows alone."""

    version: Version
    measured: tuple[MeasuredResult, ...]
    disposition: GateDisposition

    @property
    def gated(self) -> tuple[RowResult, ...]:
        """The rows that a gate judges."""
        return tuple(row for part in self.measured for row in part.rows if row.judgement is not None)

    @property
    def held(self) -> tuple[RowResult, ...]:
        """The rows that are held."""
        return tuple(row for row in self.gated if isinstance(row.judgement, Held))


class Compared(StrEnum):
    """What of a publication is compared with what follows from its figures."""

    difference = "difference"
    percentage = "percentage"
    verdict = "verdict"
    version_disposition = "version-disposition"
    overall_disposition = "overall-disposition"


@dataclass(frozen=True, slots=True)
class Differs:
    """One place where what is published does not follow."""

    at: str
    """The key path of the published value."""
    what: Compared
    published: str
    computed: str


@dataclass(frozen=True, slots=True)
class Recomputed:
    """Everything that follows from the figures of one publication."""

    versions: tuple[VersionResult, ...]
    disposition: GateDisposition
    differs: tuple[Differs, ...]


def recompute(record: Reported) -> Recomputed:
    """Compute again whatever the publication's figures decide.

    Rows of a measure that the record does not declare are left out: `consistency` names them.
    """
    versions = tuple(_version(record, version) for version in record.versions)
    whole = overall([version.disposition for version in versions])
    return Recomputed(versions, whole, tuple(_differs(record, versions, whole)))


def samples_of(measured: Measured) -> int | None:
    """How many samples of base, and of head, the rows of a measure rest on; None where that is unknown."""
    match measured.samples:
        case PairedSamples():
            return measured.samples.complete
        case SeparateSamples():
            return measured.samples.each
        case UnknownSamples():
            return None


def rank_of(measured: Measured, row: Row) -> tuple[int, bool] | None:
    """Which of the sorted samples a row's statistic is, and whether it is their largest; None where it is unknown."""
    count = samples_of(measured)
    if not count:
        return None
    return rank(count, row.statistic.percent), is_largest(count, row.statistic)


def _version(record: Reported, version: Version) -> VersionResult:
    parts = []
    for place, measured in enumerate(version.measured):
        if measure := record.measure(measured.measure):
            rows = tuple(_row(measure, measured, row) for row in measured.rows)
            parts.append(MeasuredResult(place, measure, measured, rows))
    judged = (row.judgement for part in parts for row in part.rows if row.judgement is not None)
    return VersionResult(version, tuple(parts), disposition(judged, whole=version.rows_given == "all"))


def _row(measure: Measure, measured: Measured, row: Row) -> RowResult:
    base, head = _ns(row.base), _ns(row.head)
    found = None if base is None or head is None else change(base, head)
    if measure.gate is None or measure.gate.statistic is not row.statistic:
        return RowResult(row, found, None)
    pairs = measured.samples if isinstance(measured.samples, Pairs) else None
    return RowResult(row, found, judge(measure.gate, base, head, pairs))


def _ns(time: PublishedTime | Unknown) -> int | None:
    return time.ns if isinstance(time, PublishedTime) else None


def _differs(record: Reported, versions: tuple[VersionResult, ...], whole: GateDisposition) -> Iterator[Differs]:
    for number, found in enumerate(versions):
        place = f"versions[{number}]"
        for part in found.measured:
            for index, row in enumerate(part.rows):
                yield from _row_differs(f"{place}.measured[{part.place}].rows[{index}]", row)
        yield from _disposition_differs(
            f"{place}.disposition", Compared.version_disposition, found.version.disposition, found.disposition
        )
    yield from _disposition_differs("disposition", Compared.overall_disposition, record.disposition, whole)


def _row_differs(place: str, found: RowResult) -> Iterator[Differs]:
    row, computed = found.row, found.change
    if row.difference_ns is not None:
        known = f"{computed.difference_ns} ns" if computed else "unknown"
        if computed is None or computed.difference_ns != row.difference_ns:
            yield Differs(f"{place}.difference_ns", Compared.difference, f"{row.difference_ns} ns", known)
    if row.percent is not None:
        percentage = computed.percentage(row.percent.decimals) if computed else None
        if percentage != row.percent:
            said = as_text(percentage) if isinstance(percentage, Percentage) else "undefined" if computed else "unknown"
            yield Differs(f"{place}.percent", Compared.percentage, as_text(row.percent), said)
    if row.verdict is not None:
        stated, judged = row.verdict, found.judgement
        reason = judged.reason if isinstance(judged, Held) else None
        if judged is None or stated.verdict != judged.verdict or stated.reason not in (None, reason):
            published = f"{stated.verdict}: {stated.reason}" if stated.reason else stated.verdict
            yield Differs(f"{place}.verdict", Compared.verdict, published, _judged(judged))


def _disposition_differs(
    place: str, what: Compared, stated: PublishedDisposition | Unknown, computed: GateDisposition
) -> Iterator[Differs]:
    if isinstance(stated, PublishedDisposition) and stated.disposition is not computed:
        yield Differs(place, what, stated.disposition, computed)


def _judged(judgement: Passed | Held | Unjudged | None) -> str:
    match judgement:
        case None:
            return "no gate judges this row"
        case Passed():
            return judgement.verdict
        case Held() | Unjudged():
            return f"{judgement.verdict}: {judgement.reason}"


def as_text(value: Percentage) -> str:
    """A percentage with its sign and all its decimals, as messages and data files write it: `+0.797684 %`."""
    return f"{decimal_text(value.digits, value.decimals, signed=True)} %"


def decimal_text(digits: int, decimals: int, *, signed: bool = False) -> str:
    """A decimal fraction of so many digits after the point: 797684 with 6 decimals is `0.797684`."""
    whole, rest = divmod(abs(digits), 10**decimals)
    sign = "-" if digits < 0 else "+" if signed and digits > 0 else ""
    return f"{sign}{whole}.{rest:0{decimals}d}" if decimals else f"{sign}{whole}"
