"""The shipped record of what somebody else published: all nine rows follow from their figures, and every hold stays."""

from pathlib import Path

import pytest

from runner.contract.parity.change import Percentage
from runner.contract.parity.disposition import GateDisposition
from runner.contract.parity.gate import Held
from runner.contract.parity.quantile import Statistic
from runner.contract.reported.recompute import RowResult, VersionResult, recompute
from runner.contract.reported.record import (
    PublishedDigest,
    PublishedDisposition,
    PublishedRevision,
    PublishedTime,
    Reported,
    Unknown,
)
from runner.reading.reported import read_reported

ROOT = Path(__file__).parents[2]
FILE = "content/reported/loopx-6634.toml"
HELD = GateDisposition.owner_review_hold
ROWS = {
    ("v3", "file-monitor"): ("832.624079", "900.477825", "+67.853746", "+8.149386", "exceeds-both"),
    ("v4", "file-active"): ("635.585804", "638.786536", "+3.200732", "+0.503588", "pass"),
    ("v4", "file-monitor"): ("783.327287", "809.739958", "+26.412671", "+3.371856", "exceeds-difference"),
    ("v4", "sqlite-active"): ("672.619207", "663.347898", "-9.271309", "-1.378389", "pass"),
    ("v4", "sqlite-monitor"): ("898.165726", "803.763056", "-94.402670", "-10.510607", "pass"),
    ("v5", "file-active"): ("687.480170", "692.964086", "+5.483916", "+0.797684", "pass"),
    ("v5", "file-monitor"): ("828.078621", "839.394325", "+11.315704", "+1.366501", "pass"),
    ("v5", "sqlite-active"): ("684.077129", "648.319723", "-35.757406", "-5.227102", "pass"),
    ("v5", "sqlite-monitor"): ("2115.061687", "2293.734649", "+178.672962", "+8.447648", "exceeds-both"),
}
"""Each row of the complete command as published: base, head and difference in milliseconds, percent, verdict."""
NATIVE = {
    ("v3", "file-monitor"): (None, "2.158608", "not-below-bound"),
    ("v4", "file-active"): ("1.115814", "0.691607", "pass"),
    ("v4", "file-monitor"): ("1.342389", "1.085817", "pass"),
    ("v4", "sqlite-active"): ("1.309567", "0.766808", "pass"),
    ("v4", "sqlite-monitor"): ("1.136332", "0.711574", "pass"),
    ("v5", "file-active"): ("1.283278", "0.775725", "pass"),
    ("v5", "file-monitor"): ("1.494543", "0.601709", "pass"),
    ("v5", "sqlite-active"): ("1.716340", "1.092049", "pass"),
    ("v5", "sqlite-monitor"): ("1.674389", "0.870583", "pass"),
}
"""The same of the warm transaction, of which no difference is published."""
SEALS = {
    "v3": "eed5fe661e5c274da88d03452f8d9cf3ca6ebbefc7036da60ec088129a8244e0",
    "v4": "ecef977f9c3334c212237c7df285a52f3c376dfb363de416d8606a46fae9a846",
    "v5": "7ea402ab79903ebec2a6ae6b4b478b1bec9da8fbbdeaea38ae4020ed42439e0d",
}


@pytest.fixture(scope="module")
def record() -> Reported:
    return read_reported(ROOT / FILE, name=FILE)


@pytest.fixture(scope="module")
def versions(record) -> tuple[VersionResult, ...]:
    return recompute(record).versions


def rows(versions: tuple[VersionResult, ...], measure: str) -> dict[tuple[str, str], RowResult]:
    """The rows of a measure that its gate judges, by version and case."""
    return {
        (version.version.id, row.row.case): row
        for version in versions
        for part in version.measured
        if part.measure.id == measure
        for row in part.rows
        if row.row.statistic is Statistic.p95
    }


def millionths(text: str) -> int:
    """`+67.853746` as a whole number of its sixth decimals."""
    return int(text.replace(".", ""))


def ns(time: PublishedTime | Unknown) -> int | None:
    return time.ns if isinstance(time, PublishedTime) else None


def verdict(row: RowResult) -> str:
    assert row.judgement is not None
    return row.judgement.reason.value if isinstance(row.judgement, Held) else row.judgement.verdict


@pytest.mark.rule("P116", "P118")
@pytest.mark.parametrize("key", ROWS, ids="-".join)
def test_each_of_the_nine_rows_follows_to_six_decimals_with_the_verdict_as_published(versions, key):
    base, head, difference, percent, expected = ROWS[key]
    row = rows(versions, "command")[key]

    assert (ns(row.row.base), ns(row.row.head)) == (millionths(base), millionths(head))
    assert row.change is not None
    assert row.change.difference_ns == row.row.difference_ns == millionths(difference)
    assert row.change.percentage(6) == row.row.percent == Percentage(digits=millionths(percent), decimals=6)
    assert verdict(row) == expected


@pytest.mark.rule("P116")
@pytest.mark.parametrize("key", NATIVE, ids="-".join)
def test_each_warm_row_is_judged_by_its_strict_bound(versions, key):
    base, head, expected = NATIVE[key]
    row = rows(versions, "native")[key]

    assert (ns(row.row.base), ns(row.row.head)) == (base and millionths(base), millionths(head))
    assert verdict(row) == expected


def test_these_rows_are_all_rows_that_a_gate_judges(versions):
    assert (set(rows(versions, "command")), set(rows(versions, "native"))) == (set(ROWS), set(NATIVE))
    assert sum(len(version.gated) for version in versions) == 18


@pytest.mark.rule("P121")
def test_no_later_version_closes_the_hold_of_an_earlier_one(record, versions):
    """V4 passes what V3 was held for in part, and V5 what V4 was held for; each stays held all the same."""
    command = rows(versions, "command")

    assert [version.disposition for version in versions] == [HELD, HELD, HELD]
    assert [verdict(command[version, "file-monitor"]) for version in ("v3", "v4", "v5")] == [
        "exceeds-both",
        "exceeds-difference",
        "pass",
    ]
    for seen in range(1, 4):
        earlier = recompute(record.model_copy(update={"versions": record.versions[:seen]}))
        assert earlier.versions == versions[:seen]
        assert earlier.disposition is HELD


@pytest.mark.rule("P121")
def test_each_version_keeps_its_source_and_its_seal_and_what_is_not_published_is_unknown(record):
    known = {version.id: version for version in record.versions}

    assert {name: version.seal for name, version in known.items()} == {
        name: PublishedDigest(sha256=digest) for name, digest in SEALS.items()
    }
    assert len({version.head for version in known.values() if isinstance(version.head, PublishedRevision)}) == 3
    assert len({version.base for version in known.values() if isinstance(version.base, PublishedRevision)}) == 3
    assert [isinstance(version.protocol, Unknown) for version in record.versions] == [True, False, False]
    assert [isinstance(version.receipt, Unknown) for version in record.versions] == [True, True, False]


def test_every_published_figure_verdict_and_disposition_follows(record):
    found = recompute(record)

    assert (found.differs, found.disposition) == ((), HELD)
    assert {version.disposition for version in record.versions} == {PublishedDisposition(disposition=HELD)}
