"""The plan holds every attempt and every exclusion, and is the same for the same manifest."""

import json
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.contract.canonical import load
from runner.contract.errors import ContractError, InvalidRecordError
from runner.contract.plan import ExclusionReason, Selection
from runner.contract.qualification.design import Feature
from runner.contract.qualification.tasks import TaskFile
from runner.kinds.qualification.kind import Qualification
from runner.reading.checks.plan import check_plan
from tests.studies import NOT_OFFERED, a_study

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from(["", "{", "{zz}", "{i}", "run", "race", "x" * 5000, "/", "\0", "../x"]),
    st.just([]),
    st.just({}),
    st.just([{}]),
)


def test_slots_come_by_subject_check_and_trial(tmp_path):
    study = a_study(tmp_path, subjects=("b", "a"), trials=2)
    plan = Qualification().plan(study, Selection.full)
    names = [slot.attempt_id(0) for slot in plan.slots]

    assert names[:3] == ["b.identity-kept.1", "b.identity-kept.2", "b.hold-persistence-kept.1"]
    assert names[len(names) // 2] == "a.identity-kept.1"
    assert len(names) == 2 * 2 * (len(Feature) - len(NOT_OFFERED))
    assert list(check_plan(plan)) == []
    assert Qualification().plan(study, Selection.full).canonical() == plan.canonical()


@pytest.mark.rule("R6")
def test_a_gated_subject_is_excluded_feature_by_feature_with_its_reason(tmp_path):
    plan = Qualification().plan(a_study(tmp_path), Selection.full)
    gated = [item for item in plan.exclusions if item.arm == "hidden"]

    assert [item.task for item in gated] == [feature.value for feature in Feature]
    assert {item.reason for item in gated} == {ExclusionReason.access_gated}
    assert {item.text.en for item in gated} == {"Its source is not public."}
    assert not [slot for slot in plan.slots if slot.arm == "hidden"]


def test_what_is_not_offered_is_excluded_with_its_help_as_proof(tmp_path):
    plan = Qualification().plan(a_study(tmp_path), Selection.full)
    denied = [item for item in plan.exclusions if item.arm == "tool"]

    assert {item.task for item in denied} == {feature.value for feature in NOT_OFFERED}
    assert {(item.reason, item.proof) for item in denied} == {(ExclusionReason.not_offered, "fixtures/help/tool.txt")}


def test_a_quick_run_leaves_slow_checks_out_and_says_so_in_both_languages(tmp_path):
    study = a_study(tmp_path, slow=(Feature.dead_owner,))
    full, quick = (Qualification().plan(study, selection) for selection in (Selection.full, Selection.quick))
    (left_out,) = [item for item in quick.exclusions if item not in full.exclusions]

    assert len(full.slots) - len(quick.slots) == 1
    assert (left_out.task, left_out.reason) == ("dead-owner-kept", ExclusionReason.left_out_of_quick_run)
    assert left_out.text.en != left_out.text.zh
    assert list(check_plan(quick)) == []


def test_a_run_with_nothing_to_attempt_is_refused_in_words(tmp_path):
    study = a_study(tmp_path, slow=tuple(Feature))

    with pytest.raises(InvalidRecordError, match=r"tiny/study.toml: design: a quick run has nothing to attempt"):
        Qualification().plan(study, Selection.quick)


def places(value, path=()):
    """Every place inside a nested value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


@pytest.mark.long
@settings(max_examples=300)
@given(data=st.data())
def test_a_mutated_task_file_is_read_or_refused_with_places_and_never_crashes(data, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp() / "mutated"
    if not folder.exists():
        a_study(folder)
    tasks = tomllib.loads((folder / "tiny" / "tasks" / "tool.toml").read_text(encoding="utf-8"))
    tasks = json.loads(json.dumps(tasks))
    tasks["checks"] = [*tasks["checks"], json.loads(json.dumps(RICH))]
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from([place for place in places(tasks) if place]))
        parent = tasks
        for key in path[:-1]:
            parent = parent[key]
        if data.draw(st.booleans()) or not isinstance(parent, dict):
            parent[path[-1]] = data.draw(JUNK)
        else:
            parent[data.draw(st.sampled_from(["zz", "do", "id", "setup", path[-1]]))] = data.draw(JUNK)
    problems = refusal(tasks)

    assert all(problem.file == "tasks/tool.toml" and problem.what for problem in problems)
    assert all("\n" not in problem.what for problem in problems)


def refusal(tasks):
    """The problems for which a task file is refused; none if it is read. Any other error is a crash."""
    try:
        load(TaskFile, tasks, file="tasks/tool.toml")
    except ContractError as error:
        return error.problems
    return ()


BOTH = {"en": "x", "zh": "x"}
RICH = {
    "id": "rich",
    "feature": "identity",
    "title": BOTH,
    "statement": BOTH,
    "trials": 1,
    "steps": [
        {"id": "serve", "do": "service", "port": "broker", "argv": ["{command}", "{port.broker}"]},
        {
            "id": "go",
            "do": "start",
            "argv": ["{command}"],
            "boundary": {"at": "sqlite", "moment": "before", "statement": "COMMIT"},
        },
        {"id": "kill", "do": "kill", "target": "go"},
        {"id": "wait", "do": "wait", "milliseconds": 5, "why": BOTH},
        {
            "id": "race",
            "do": "race",
            "argv": ["{command}", "{i}"],
            "contenders": 2,
            "winners": 1,
            "winner": [{"expect": "exit", "code": 0}],
        },
        {
            "id": "run",
            "do": "run",
            "argv": ["{command}"],
            "env": {"A": "{work}"},
            "expect": [{"expect": "json-count", "at": "/x", "count": 1, "where": {"/y": "{state}"}}],
            "capture": [{"name": "x", "at": "/x"}],
        },
    ],
}
