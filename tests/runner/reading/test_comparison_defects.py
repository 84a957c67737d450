"""Comparison manifests with one defect each: refused before anything runs, by file and place."""

from dataclasses import replace

import pytest

from runner.contract.errors import InvalidRecordError
from runner.reading.manifest import read_study
from tests.comparisons import EDITS, GOOD, INSPECTION, PATCH, REMOVED, SYMBOLS, TEXT, Tiny, both_lanes, tool, usage

DRIFT = (usage(), INSPECTION, *EDITS)
BY_SYMBOL = (usage(), INSPECTION, tool(REMOVED))


def drifting(*actions: str, **more) -> Tiny:
    return Tiny(drift=True, sessions=both_lanes(*actions, symbols=BY_SYMBOL), **more)


DEFECTS = {
    "drift-zero-times": (
        drifting(usage(), *EDITS),
        "tiny/tasks/narrow.by-text.toml: actions: inspects what identifies its target 0 times",
    ),
    "drift-twice": (
        drifting(*DRIFT, INSPECTION),
        "tiny/tasks/narrow.by-text.toml: actions: inspects what identifies its target 2 times",
    ),
    "drift-undeclared": (
        Tiny(sessions=both_lanes(*DRIFT)),
        "tiny/tasks/narrow.by-text.toml: actions: marks an identifying inspection, and narrow declares no drift",
    ),
    "patch-does-not-fit": (
        drifting(*DRIFT, patch=PATCH.replace(" def show", " def shown")),
        "tiny/fixtures/drift.patch: shop/uses.py does not hold at line 1 what the patch expects",
    ),
    "patch-of-another-file": (
        drifting(*DRIFT, patch=PATCH.replace("uses.py", "other.py")),
        "tiny/fixtures/drift.patch: shop/other.py is no file of the fixture",
    ),
    "patch-of-two-hunks": (
        drifting(*DRIFT, patch=PATCH + "@@ -9,1 +9,1 @@\n-x\n+y\n"),
        "tiny/fixtures/drift.patch: a patch holds one hunk",
    ),
    "text-in-the-lane-of-symbols": (
        Tiny(sessions={SYMBOLS: EDITS, TEXT: GOOD[TEXT]}),
        "tiny/tasks/narrow.by-symbol.toml: actions[0].operation: replace_text is no operation of the lane by-symbol",
    ),
    "symbols-in-the-lane-of-text": (
        Tiny(sessions=both_lanes(tool(REMOVED))),
        "tiny/tasks/narrow.by-text.toml: actions[0].operation: remove_parameter is no operation of the lane by-text",
    ),
    "unknown-action": (
        Tiny(sessions=both_lanes('action = "accept"\n')),
        "tiny/tasks/narrow.by-text.toml: actions[0]: input tag 'accept' found using 'action'",
    ),
    "unknown-operation": (
        Tiny(sessions=both_lanes(tool('{ op = "shell", path = "x", argv = ["rm"] }'))),
        "tiny/tasks/narrow.by-text.toml: actions[0].operation: input tag 'shell' found using 'op'",
    ),
    "verdict-in-an-action": (
        Tiny(sessions=both_lanes(usage() + "accepted = true\n")),
        "tiny/tasks/narrow.by-text.toml: actions[0].accepted: extra inputs are not permitted",
    ),
    "session-of-an-unavailable-lane": (
        Tiny(design='[[design.sessions]]\ntask = "narrow"\nlane = "elsewhere"\ntranscript = "tasks/x.toml"\n'),
        "tiny/study.toml: design: sessions of lanes that are not available: elsewhere",
    ),
    "rule-about-no-drift": (
        Tiny(rules={"noticed": '{ rule = "noticed" }'}),
        "a rule asks about a drift, and none is declared",
    ),
    "rule-about-no-probe": (
        Tiny(rules={"probed": '{ rule = "probe", commands = ["check"] }'}),
        "a rule asks the probe, and no probe is declared",
    ),
    "unknown-rule": (
        Tiny(rules={"good": '{ rule = "ask_the_agent" }'}),
        "tiny/tasks/narrow.toml: acceptance[0].rules[0]: input tag 'ask_the_agent' found using 'rule'",
    ),
}


@pytest.mark.rule("T79")
@pytest.mark.parametrize("name", DEFECTS)
def test_each_defect_is_named_by_file_and_place(tmp_path, name):
    tiny, said = DEFECTS[name]

    with pytest.raises(InvalidRecordError) as caught:
        tiny.read(tmp_path)
    assert any(said in str(problem) for problem in caught.value.problems), [*map(str, caught.value.problems)]


def test_a_session_that_is_missing_is_named(tmp_path):
    folder = Tiny(tasks=("narrow", "other")).write(tmp_path)
    text = (folder / "study.toml").read_text()
    gone = '[[design.sessions]]\ntask = "other"\nlane = "by-text"\ntranscript = "tasks/other.by-text.toml"\n'
    assert gone in text
    (folder / "study.toml").write_text(text.replace(gone, ""))

    with pytest.raises(InvalidRecordError, match="no session for other in by-text; add one"):
        read_study(folder)


def test_what_a_task_needs_must_be_pinned(tmp_path):
    folder = Tiny().write(tmp_path)
    task = folder / "study.toml"
    text = task.read_text()
    start = text.index('[[pinned]]\npath = "fixtures/script.py"')
    end = text.index("[[pinned]]", start + 1)
    task.write_text(text[:start] + text[end:])

    with pytest.raises(InvalidRecordError, match=r"fixtures/script\.py is not pinned"):
        read_study(folder)


def test_all_defects_of_a_study_are_told_at_once(tmp_path):
    tiny = replace(drifting(usage(), *EDITS), patch="nothing\n")

    with pytest.raises(InvalidRecordError) as caught:
        tiny.read(tmp_path)
    assert {problem.file for problem in caught.value.problems} == {
        "tiny/fixtures/drift.patch",
        "tiny/tasks/narrow.by-text.toml",
    }
