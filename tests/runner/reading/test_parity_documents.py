"""Sealed parity runs whose inventories and comparisons were changed and sealed again: told by file and place."""

import json
import shutil

import pytest

from runner.reading.sealed import open_run
from tests.runner.reading.forger import Forger
from tests.runner.reading.parity_defects import ROW, Defect, named

HEAD, WHEEL, SDIST = (f"artifacts/{arm}.{ROW}" for arm in ("head", "wheel", "sdist"))
INVENTORY, COMPARISON = "inventory.json", "comparison.json"
NOT_THERE = "is not there, and the attempt came so far"


@pytest.fixture
def forger(parity, tmp_path):
    return Forger.of(parity, tmp_path / "run")


def entry(inventory: dict, path: str) -> dict:
    return next(item for item in inventory["entries"] if item["path"] == path)


def difference(compared: dict, path: str) -> dict:
    return next(item for item in compared["differences"] if item["path"] == path)


def leaf(compared: dict, path: str, pointer: str) -> dict:
    return next(item for item in difference(compared, path)["leaves"] if item["pointer"] == pointer)


def without(compared: dict, path: str) -> None:
    compared["differences"].remove(difference(compared, path))


def as_equal(compared: dict, path: str) -> None:
    without(compared, path)
    compared["equal"] += 1


def whole(path: str) -> dict:
    return {"difference": "whole", "path": path, "rule": "written-ns"}


DEFECTS = {
    "an inventory of another attempt": Defect(
        f"{HEAD}/{INVENTORY}",
        lambda it: it.update(attempt=f"base.{ROW}"),
        (f"{HEAD}/{INVENTORY}: attempt: is of base.{ROW}; ",),
    ),
    "an inventory out of order": Defect(
        f"{SDIST}/{INVENTORY}",
        lambda it: it["entries"].reverse(),
        (f"{SDIST}/{INVENTORY}: entries are named once each, sorted by path",),
    ),
    "an entry that stands twice": Defect(
        f"{SDIST}/{INVENTORY}",
        lambda it: it["entries"].insert(0, it["entries"][0]),
        (f"{SDIST}/{INVENTORY}: entries are named once each, sorted by path",),
    ),
    "processes out of order": Defect(
        f"{SDIST}/{INVENTORY}",
        lambda it: it["processes"].reverse(),
        (f"{SDIST}/{INVENTORY}: processes are named once each, in order",),
    ),
    "another digest of an output": Defect(
        f"{SDIST}/{INVENTORY}",
        lambda it: entry(it, "calls/seed/stderr").update(sha256="0" * 64),
        (
            f"{SDIST}/{INVENTORY}: calls/seed/stderr: has another length or digest than the call's event",
            f"{SDIST}/{COMPARISON}: differences: counts ",
            f"{SDIST}/{COMPARISON}: differences: does not name the entries that differ",
        ),
        rules=("P99",),
    ),
    "another length of an output": Defect(
        f"{SDIST}/{INVENTORY}",
        lambda it: entry(it, "calls/seed/stderr").update(bytes=7),
        (f"{SDIST}/{INVENTORY}: calls/seed/stderr: has another length or digest than the call's event",),
    ),
    "another value of an output": Defect(
        f"{SDIST}/{INVENTORY}",
        lambda it: entry(it, "calls/command/stdout").update(value_sha256="0" * 64),
        (f"{SDIST}/{INVENTORY}: calls/command/stdout: has another form or value than what the call wrote",),
        rules=("P99",),
    ),
    "an output left out": Defect(
        f"{SDIST}/{INVENTORY}",
        lambda it: it["entries"].remove(entry(it, "calls/seed/stderr")),
        (
            f"{SDIST}/{INVENTORY}: calls/seed/stderr: is not there, and the call was made",
            f"{SDIST}/{COMPARISON}: differences: counts ",
            f"{SDIST}/{COMPARISON}: differences: does not name the entries that differ",
        ),
        rules=("P99",),
    ),
    "an output of no call": Defect(
        f"{SDIST}/{INVENTORY}",
        lambda it: it["entries"].insert(0, entry(it, "calls/seed/stderr") | {"path": "calls/a/stderr"}),
        (
            f"{SDIST}/{INVENTORY}: calls/a/stderr: is of no call that the events tell of",
            f"{SDIST}/{COMPARISON}: differences: counts ",
            f"{SDIST}/{COMPARISON}: differences: does not name the entries that differ",
        ),
    ),
    "a file of the state left out": Defect(
        f"{SDIST}/{INVENTORY}",
        lambda it: it["entries"].remove(entry(it, "state/a.txt.json")),
        (f"{SDIST}/{COMPARISON}: differences: does not name the entries that differ",),
        rules=("P99",),
    ),
    "held against another variant": Defect(
        f"{WHEEL}/{COMPARISON}",
        lambda it: it.update(left=f"base.{ROW}"),
        (f"{WHEEL}/{COMPARISON}: left: is base.{ROW}, wheel is held against the last attempt of head at its row",),
    ),
    "held against an attempt that is not there": Defect(
        f"{WHEEL}/{COMPARISON}",
        lambda it: it.update(left=f"head.{ROW}.r1"),
        (f"{WHEEL}/{COMPARISON}: left: is head.{ROW}.r1, wheel is held against the last attempt",),
    ),
    "the comparison of another attempt": Defect(
        f"{WHEEL}/{COMPARISON}",
        lambda it: it.update(right=f"sdist.{ROW}"),
        (f"{WHEEL}/{COMPARISON}: right: is of sdist.{ROW}; ",),
    ),
    "more entries said to be equal": Defect(
        f"{HEAD}/{COMPARISON}",
        lambda it: it.update(equal=it["equal"] + 1),
        (
            f"{HEAD}/{COMPARISON}: differences: counts 12 of 15 entries as equal, the inventories give 11 of 15",
            f"attempts.jsonl: head.{ROW} states as its comparison 11 of 15 entries equal",
        ),
        rules=("P99",),
    ),
    "fewer entries": Defect(
        f"{HEAD}/{COMPARISON}",
        lambda it: it.update(entries=it["entries"] - 1),
        (
            f"{HEAD}/{COMPARISON}: differences: counts 11 of 14 entries as equal, the inventories give 11 of 15",
            f"attempts.jsonl: head.{ROW} states as its comparison 11 of 15 entries equal",
            f"events/head.{ROW}.jsonl: same-paths states as observed",
            f"events/head.{ROW}.jsonl: same-output states as observed",
            f"events/head.{ROW}.jsonl: same-state states as observed",
        ),
    ),
    "a difference put down to another rule": Defect(
        f"{HEAD}/{COMPARISON}",
        lambda it: leaf(it, "state/a.txt.json", "/version").update(rule="written-ns"),
        (
            f"{HEAD}/{COMPARISON}: differences: state/a.txt.json at /version: written-ns is not the first rule",
            f"attempts.jsonl: head.{ROW} states as its comparison",
        ),
    ),
    "a place of which both sides are the same": Defect(
        f"{HEAD}/{COMPARISON}",
        lambda it: leaf(it, "state/a.txt.json", "/version").update(right='"1.0"'),
        (f"{HEAD}/{COMPARISON}: differences: state/a.txt.json at /version: both sides are the same",),
    ),
    "a value that is no JSON": Defect(
        f"{HEAD}/{COMPARISON}",
        lambda it: leaf(it, "state/a.txt.json", "/version").update(right="1.0.0"),
        (f"{HEAD}/{COMPARISON}: differences: one side of a difference is told as what is no JSON",),
    ),
    "a side that is the wrong one": Defect(
        f"{SDIST}/{COMPARISON}",
        lambda it: difference(it, "state/more").update(side="left"),
        (f"{SDIST}/{COMPARISON}: differences: state/more: names the wrong side",),
    ),
    "a lock owner that is no process of the attempt": Defect(
        f"{HEAD}/{COMPARISON}",
        lambda it: leaf(it, "calls/again/receipt", "/pid").update(right="1"),
        (f"{HEAD}/{COMPARISON}: differences: calls/again/receipt at /pid: daemon-pid is not the first rule",),
        rules=("P100",),
    ),
    "a process that was not observed": Defect(
        f"{SDIST}/{INVENTORY}",
        lambda it: it.update(processes=[]),
        (
            f"{SDIST}/{COMPARISON}: differences: calls/again/receipt at /pid: daemon-pid is not the first rule",
            f"{SDIST}/{COMPARISON}: differences: calls/first/receipt at /pid: daemon-pid is not the first rule",
        ),
        rules=("P100",),
    ),
    "another order of keys said to be equal bytes": Defect(
        f"{WHEEL}/{COMPARISON}",
        lambda it: as_equal(it, "calls/command/stdout"),
        (
            f"{WHEEL}/{COMPARISON}: differences: counts 9 of 15 entries as equal, the inventories give 8 of 15",
            f"{WHEEL}/{COMPARISON}: differences: does not name the entries that differ",
            f"attempts.jsonl: wheel.{ROW} states as its comparison",
        ),
        rules=("P101",),
    ),
    "another order of keys put down to a rule": Defect(
        f"{WHEEL}/{COMPARISON}",
        lambda it: it["differences"].__setitem__(
            it["differences"].index(difference(it, "calls/command/stdout")), whole("calls/command/stdout")
        ),
        (
            f"{WHEEL}/{COMPARISON}: differences: does not name the entries that differ",
            f"attempts.jsonl: wheel.{ROW} states as its comparison",
        ),
        rules=("P101",),
    ),
    "other bytes that are no JSON, said to be another spelling": Defect(
        f"{SDIST}/{COMPARISON}",
        lambda it: difference(it, "state/mark").update(difference="spelling"),
        (
            f"{SDIST}/{COMPARISON}: differences: does not name the entries that differ",
            f"attempts.jsonl: sdist.{ROW} states as its comparison",
            f"events/sdist.{ROW}.jsonl: same-state is judged as not-met, {COMPARISON} says otherwise",
            f"events/sdist.{ROW}.jsonl: same-state states as observed",
        ),
        rules=("P102",),
    ),
    "an unexpected path left out": Defect(
        f"{SDIST}/{COMPARISON}",
        lambda it: without(it, "state/more"),
        (
            f"{SDIST}/{COMPARISON}: differences: does not name the entries that differ",
            f"attempts.jsonl: sdist.{ROW} states as its comparison",
            f"events/sdist.{ROW}.jsonl: same-paths is judged as not-met, {COMPARISON} says otherwise",
            f"events/sdist.{ROW}.jsonl: same-paths states as observed",
        ),
        rules=("P102",),
    ),
}


@pytest.mark.parametrize("defect", named(DEFECTS))
def test_each_defect_of_a_document_is_named_by_file_and_place(forger, defect):
    assert defect.told(forger) == set(defect.said)


def test_what_the_tests_change_is_accepted_as_it_is(forger):
    forger.seal()
    run = open_run(forger.folder)
    assert [f"{item.arm} {item.outcome.value}" for item in run.attempts] == [
        "base accepted",
        "head accepted",
        "wheel accepted",
        "sdist rejected",
        "mutant accepted",
        "measurement accepted",
    ]
    kinds = [item["difference"] for item in json.loads(run.data(f"{WHEEL}/{COMPARISON}"))["differences"]]
    assert kinds.count("spelling") == 3


@pytest.mark.parametrize(
    ("arm", "document"),
    [("base", INVENTORY), ("head", INVENTORY), ("head", COMPARISON), ("measurement", "samples.json")],
)
def test_an_accepted_attempt_without_a_document_that_it_must_have_is_named(forger, arm, document):
    path = f"artifacts/{arm}.{ROW}/{document}"
    (forger.folder / path).unlink()
    if not any((forger.folder / path).parent.iterdir()):
        (forger.folder / path).parent.rmdir()
    forger.line("attempts.jsonl", f"{arm}.{ROW}", lambda it: it["artifacts"].remove(path))
    assert f"run/{path}: {NOT_THERE}; do not rely on this run" in forger.problems()


def test_a_comparison_of_what_is_held_against_nothing_is_named(forger):
    path = f"artifacts/base.{ROW}/{COMPARISON}"
    shutil.copy(forger.folder / HEAD / COMPARISON, forger.folder / path)
    forger.line("attempts.jsonl", f"base.{ROW}", lambda it: it["artifacts"].insert(0, path))
    found = forger.problems()
    assert f"run/{path}: is there, and the attempt did not come so far; do not rely on this run" in found


def test_a_comparison_that_attempts_state_otherwise_is_named(forger):
    def twist(attempt: dict) -> None:
        attempt["detail"]["what"]["comparison"]["unexplained"] = 0

    forger.line("attempts.jsonl", f"sdist.{ROW}", twist)
    found = forger.problems()
    assert [
        problem for problem in found if problem.startswith(f"run/attempts.jsonl: sdist.{ROW} states as its comparison")
    ]
    assert [problem for problem in found if problem.startswith("run/run.json: analysis.rows[0].variants[3].comparison")]
