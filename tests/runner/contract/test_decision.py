"""A decision says what it is on, who decided, when and why in both languages, or it is no decision."""

import json

import pytest

from runner.contract.canonical import encode, load, parse
from runner.contract.decision import Decision, decision_id
from runner.contract.errors import InvalidRecordError

GATE = {"hold": "gate", "row": "files-clean", "number": 0}
FINDING = {"hold": "finding", "attempt": "wheel.files-clean.1", "criteria": ["same-state"]}
GOOD = {
    "format": "sealbook.decision/1",
    "decision": "20261202T030405Z",
    "study": "tiny",
    "run": "20261130T010203Z",
    "seal_sha256": "0" * 64,
    "holds": [GATE, FINDING],
    "ruling": "not-taken",
    "owner": {"name": "Ada Example", "role": "release owner"},
    "decided_at": "2026-12-02T03:04:05Z",
    "reason": {"en": "Too slow.", "zh": "太慢。"},
}


def read(**changes):
    return load(Decision, GOOD | changes, file="decision.json")


def told(**changes) -> list[tuple[str, str]]:
    """Place and defect of each problem of a changed decision."""
    with pytest.raises(InvalidRecordError) as refused:
        read(**changes)
    return [(problem.where, problem.what) for problem in refused.value.problems]


def test_a_decision_comes_back_byte_for_byte_as_it_was_written():
    data = encode(GOOD)
    assert read().canonical() == data == encode(parse(data))
    assert [hold.name for hold in read().holds] == ["files-clean:0", "wheel.files-clean.1"]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"format": "sealbook.decision/2"}, "format"),
        ({"ruling": "pass"}, "ruling"),
        ({"holds": []}, "holds"),
        ({"holds": [{**GATE, "number": -1}]}, "holds[0].number"),
        ({"holds": [{"hold": "row", "row": "files-clean"}]}, "holds[0]"),
        ({"decided_at": "2026-12-02 03:04:05"}, "decided_at"),
        ({"seal_sha256": "A" * 64}, "seal_sha256"),
        ({"reason": {"en": "", "zh": "太慢。"}}, "reason.en"),
        ({"reason": {"en": "Too slow."}}, "reason.zh"),
        ({"disposition": "pass"}, "disposition"),
    ],
)
def test_what_is_no_decision_is_refused_where_it_is_wrong(changes, where):
    assert [place for place, _ in told(**changes)] == [where]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"owner": {"name": " ", "role": "release owner"}}, "the owner's name is blank"),
        ({"owner": {"name": "Ada Example", "role": "\t"}}, "the owner's role is blank"),
        ({"reason": {"en": " \n", "zh": "太慢。"}}, "the reason in English is blank"),
        ({"reason": {"en": "Too slow.", "zh": "\u3000"}}, "the reason in Chinese is blank"),
        ({"holds": [GATE, FINDING, GATE]}, "a hold is decided once in one record, twice: files-clean:0"),
        ({"decided_at": "2026-12-02T03:04:06Z"}, "20261202T030405Z is not named after the instant"),
    ],
)
def test_blank_texts_holds_named_twice_and_a_wrong_name_are_told(changes, what):
    ((_, said),) = told(**changes)
    assert what in said


def test_everything_blank_is_told_at_once():
    ((_, said),) = told(owner={"name": " ", "role": " "}, reason={"en": " ", "zh": " "})
    assert said.count("blank") == 4


def test_decisions_of_one_second_are_told_apart_and_sort_by_their_number():
    names = [decision_id("2026-12-02T03:04:05Z", number) for number in (1, 2, 10)]
    found = [read(decision=name) for name in reversed(names)]
    assert names == ["20261202T030405Z", "20261202T030405Z-2", "20261202T030405Z-10"]
    assert [item.decision for item in sorted(found, key=lambda item: item.order)] == names


def test_a_decision_has_no_place_for_a_figure_or_a_verdict():
    assert set(json.loads(read().canonical())) == set(GOOD)
