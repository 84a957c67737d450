"""One bad record a defect, made by one change: each problem is told with file and key path, all of them at once."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from runner.contract.canonical import encode
from runner.contract.errors import InvalidRecordError
from runner.contract.parity.change import Percentage
from runner.contract.parity.change import change as change_of
from runner.contract.reported.consistency import problems
from runner.contract.reported.recompute import recompute
from runner.contract.reported.record import Reported
from runner.reading.reported import read_reported
from tests.hostile.toml import toml
from tests.sitegen.reported import CONTRADICTED, NAME, Data, a_report, row, time, unknown

SHOWN = f"content/reported/{NAME}.toml"
Change = Callable[[Data], object]


def a_file(folder, data: Data, name: str = NAME):
    path = folder / f"{name}.toml"
    path.write_text(toml(data), encoding="utf-8")
    return path


def told(folder, change: Change) -> list[str]:
    """Every problem of the small record after one change."""
    data = a_report()
    change(data)
    with pytest.raises(InvalidRecordError) as caught:
        read_reported(a_file(folder, data), name=SHOWN)
    assert {problem.file for problem in caught.value.problems} == {SHOWN}
    return [f"{problem.where}: {problem.what}; {problem.todo}" for problem in caught.value.problems]


def put(*path: int | str, value: Any) -> Change:
    """Set one value."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return change


def gone(*path: int | str) -> Change:
    """Remove one value."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return change


def against(at: str, published: str, computed: str) -> str:
    """What is said where a published value does not follow."""
    what = f"published {published}, but its own figures give {computed}"
    return f"{at}: {what}; correct it, or declare it in `findings` with at = {at!r}"


ROW = ("versions", 0, "measured", 0, "rows", 0)
AT = "versions[0].measured[0].rows[0]"
DEFECTS: dict[str, tuple[Change, *tuple[str, ...]]] = {
    "field-missing": (gone("source", "transcribed"), "source.transcribed: field required; see the schema"),
    "field-unknown": (put("score", value=1), "score: extra inputs are not permitted (found 1); see the schema"),
    "format-of-the-future": (
        put("format", value="sealbook.reported/2"),
        "format: input should be 'sealbook.reported/1' (found 'sealbook.reported/2'); see the schema",
    ),
    "time-as-float": (
        put(*ROW, "head", value={"fact": "published", "ns": 5.5}),
        f"{AT}.head.ns: 5.5 is a float; use an integer",
    ),
    "unknown-without-reason": (
        put("versions", 0, "receipt", value={"fact": "unknown"}),
        "versions[0].receipt.reason: field required; see the schema",
    ),
    "digest-too-short": (
        put("versions", 0, "seal", value={"fact": "published", "sha256": "abc"}),
        "versions[0].seal.sha256: string should match pattern '^[0-9a-f]{64}$' (found 'abc'); see the schema",
    ),
    "gate-without-limit": (
        put("measures", 0, "gate", value={"rule": "at-most", "statistic": "p95"}),
        "measures[0].gate: a gate needs percent_millionths, difference_ns, or both; correct it",
    ),
    "more-pairs-than-planned": (
        put("versions", 0, "measured", 0, "samples", "complete", value=65),
        "versions[0].measured[0].samples: 65 pairs are complete, planned are 64; correct it",
    ),
    "no-limit-stated": (
        put("limits", value=[]),
        "limits: tuple should have at least 1 item after validation, not 0; see the schema",
    ),
    "id-differs-from-file": (
        put("id", value="other"),
        "id: 'other' differs from the name of the file; give both the same name, which ends in .toml",
    ),
    "case-twice": (
        put("cases", 1, "id", value="file"),
        "cases: stands twice: file; name each once",
        "versions[0].measured[0].rows[1].case: no case 'database'; name one of file, file, empty",
        "versions[1].measured[0].rows[1].case: no case 'database'; name one of file, file, empty",
    ),
    "measure-not-declared": (
        put("versions", 1, "measured", 1, "measure", value="hot"),
        "versions[1].measured[1].measure: no measure 'hot'; name one of command, warm, cold",
    ),
    "measure-twice-in-a-version": (
        put("versions", 1, "measured", 1, "measure", value="command"),
        "versions[1].measured: stands twice: command; put the rows of a measure together",
    ),
    "row-twice": (
        put("versions", 1, "measured", 1, "rows", 1, "statistic", value="p95"),
        "versions[1].measured[1].rows: stands twice: file p95; give a case each statistic once",
    ),
    "version-out-of-order": (
        put("versions", 1, "ran", value={"fact": "published", "instant": "2026-09-30"}),
        (
            "versions[1].ran.instant: 2026-09-30 lies before 2026-10-01T02:03:04Z of a version above; "
            "put versions in order of time"
        ),
    ),
    "more-decimals-than-printed": (
        put("versions", 1, "measured", 1, "rows", 0, "head", value={"fact": "published", "ns": 210_500_000}),
        (
            "versions[1].measured[1].rows[0].head.ns: 210500000 ns has more than 0 decimals of a millisecond; "
            "write it as published, or correct `decimals` of its measure"
        ),
    ),
    "pass-with-a-reason": (
        put("versions", 0, "measured", 0, "rows", 2, "verdict", "reason", value="exceeds-both"),
        "versions[0].measured[0].rows[2].verdict.reason: a pass with the reason exceeds-both; remove it",
        against("versions[0].measured[0].rows[2].verdict", "pass: exceeds-both", "pass"),
    ),
    "figures-of-no-pair": (
        put("versions", 0, "measured", 0, "samples", "complete", value=0),
        "versions[0].measured[0].samples.complete: no pair is complete, but there are figures; correct the count",
        against(f"{AT}.verdict", "hold: exceeds-both", "hold: incomplete-pairs"),
        against("versions[0].measured[0].rows[2].verdict", "pass", "hold: incomplete-pairs"),
    ),
    "difference-does-not-follow": (
        put(*ROW, "difference_ns", value=30_000_001),
        against(f"{AT}.difference_ns", "30000001 ns", "30000000 ns"),
    ),
    "percentage-does-not-follow": (
        put(*ROW, "percent", "digits", value=6_000_001),
        against(f"{AT}.percent", "+6.000001 %", "+6.000000 %"),
    ),
    "percentage-over-zero": (
        put("versions", 0, "measured", 0, "rows", 2, "percent", value={"digits": 0, "decimals": 1}),
        against("versions[0].measured[0].rows[2].percent", "0.0 %", "undefined"),
    ),
    "difference-of-an-unknown": (
        put("versions", 0, "measured", 1, "rows", 0, "difference_ns", value=1),
        against("versions[0].measured[1].rows[0].difference_ns", "1 ns", "unknown"),
    ),
    "verdict-does-not-follow": (
        put(*ROW, "verdict", value={"verdict": "pass"}),
        against(f"{AT}.verdict", "pass", "hold: exceeds-both"),
    ),
    "reason-does-not-follow": (
        put(*ROW, "verdict", "reason", value="exceeds-difference"),
        against(f"{AT}.verdict", "hold: exceeds-difference", "hold: exceeds-both"),
    ),
    "verdict-on-a-row-without-gate": (
        put("versions", 1, "measured", 1, "rows", 0, "verdict", value={"verdict": "pass"}),
        against("versions[1].measured[1].rows[0].verdict", "pass", "no gate judges this row"),
    ),
    "verdict-without-its-figure": (
        put("versions", 1, "measured", 0, "rows", 1, "verdict", value={"verdict": "pass"}),
        against("versions[1].measured[0].rows[1].verdict", "pass", "unjudged: head-unknown"),
    ),
    "hold-of-a-version-denied": (
        put("versions", 0, "disposition", "disposition", value="pass"),
        against("versions[0].disposition", "pass", "owner-review-hold"),
    ),
    "pass-from-a-part": (
        put("versions", 1, "disposition", value={"fact": "published", "disposition": "pass"}),
        against("versions[1].disposition", "pass", "not-yet-proven"),
    ),
    "hold-lifted-by-a-later-version": (
        put("disposition", "disposition", value="not-yet-proven"),
        against("disposition", "not-yet-proven", "owner-review-hold"),
    ),
    "finding-where-nothing-differs": (
        put("findings", 0, "at", value="disposition"),
        against(CONTRADICTED, "+0.25 %", "+0.20 %"),
        (
            "findings[0].at: nothing published at 'disposition' differs from its figures; "
            "name a place that differs, or remove the finding"
        ),
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_record_with_one_defect_is_refused_with_its_key_path_and_what_to_do(tmp_path, defect):
    change, expected = DEFECTS[defect][0], DEFECTS[defect][1:]

    assert told(tmp_path, change) == list(expected)


def test_all_problems_of_a_record_are_told_at_once(tmp_path):
    def change(data: Data) -> None:
        put(*ROW, "difference_ns", value=1)(data)
        put("versions", 0, "disposition", "disposition", value="pass")(data)
        put("cases", 2, "id", value="void")(data)

    assert [line.partition(": ")[0] for line in told(tmp_path, change)] == [
        "versions[0].measured[0].rows[2].case",
        f"{AT}.difference_ns",
        "versions[0].disposition",
    ]


def test_a_declared_difference_is_kept_with_both_values(tmp_path):
    record = read_reported(a_file(tmp_path, a_report()), name=SHOWN)

    found = recompute(record).differs
    assert [(item.at, item.published, item.computed) for item in found] == [(CONTRADICTED, "+0.25 %", "+0.20 %")]


def test_a_record_reads_back_from_its_canonical_bytes(tmp_path):
    record = read_reported(a_file(tmp_path, a_report()), name=SHOWN)

    assert Reported.model_validate_json(record.canonical()) == record


@pytest.mark.rule("P121")
def test_a_later_version_never_changes_what_an_earlier_one_amounts_to(tmp_path):
    data = a_report()
    before = recompute(read_reported(a_file(tmp_path, data), name=SHOWN)).versions
    passing = a_report()["versions"][1] | {"id": "v3", "rows_given": "all"}
    passing["measured"][0]["rows"] = [
        {"case": "file", "statistic": "p95", "base": time(500), "head": time(500)},
    ]
    data["versions"].append(passing)
    after = recompute(read_reported(a_file(tmp_path, data), name=SHOWN))

    assert after.versions[:2] == before
    assert (after.versions[2].disposition, after.disposition) == ("pass", "owner-review-hold")


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda path: None, "no such file or directory"),
        (lambda path: path.mkdir(), "not a regular file"),
        (lambda path: path.symlink_to("/etc/hostname"), "a symbolic link"),
        (lambda path: path.write_bytes(b"\xff"), "not UTF-8"),
        (lambda path: path.write_text("x" * 600_000), "more than 524288"),
    ],
)
def test_what_is_no_file_of_text_is_refused_by_its_name(tmp_path, make, what):
    path = tmp_path / f"{NAME}.toml"
    make(path)

    with pytest.raises(InvalidRecordError, match=what) as caught:
        read_reported(path, name=SHOWN)
    assert caught.value.problems[0].file == SHOWN


def test_an_unknown_instant_between_two_known_ones_does_not_hide_their_order(tmp_path):
    def change(data: Data) -> None:
        later = a_report()["versions"][1] | {"id": "v3", "ran": {"fact": "published", "instant": "2026-01-01"}}
        data["versions"][1]["ran"] = unknown()
        data["versions"].append(later)
        del later["measured"][0]["rows"][0]["percent"]

    assert [line.partition(": ")[0] for line in told(tmp_path, change)] == ["versions[2].ran.instant"]


@given(st.integers(1, 2**40), st.integers(0, 2**40), st.integers(0, 9), st.integers(-3, 3))
def test_of_any_figures_exactly_what_follows_from_them_is_taken(base, head, decimals, off):
    found = change_of(base, head).percentage(decimals)
    assert isinstance(found, Percentage)
    assume(abs(found.digits) < 2**52)
    data = a_report()
    data["measures"][0]["decimals"] = 6
    data["findings"] = []
    data["versions"][0]["disposition"] = data["disposition"] = unknown()
    data["versions"][1]["measured"][0]["rows"] = [
        row(
            "file",
            {"fact": "published", "ns": base},
            {"fact": "published", "ns": head},
            difference_ns=head - base + off,
            percent={"digits": found.digits + off, "decimals": decimals},
        )
    ]

    told = problems(Reported.model_validate_json(encode(data)), file=SHOWN)
    places = [problem.where.rpartition(".")[2] for problem in told]
    assert places == (["difference_ns", "percent"] if off else [])
