"""What is written down of an attempt: who made it, without the machine's own names, and never more than happened."""

import json
import sys
from difflib import unified_diff

import pytest

from runner.contract.attempt import Outcome, Verdict
from tests.comparisons import (
    EDITS,
    GOOD,
    INSPECTION,
    NOTICED,
    REMOVED,
    TEXT,
    USES,
    Tiny,
    both_lanes,
    replaced,
    tool,
    written,
)
from tests.runner.kinds.comparison.test_perform import NAME, attempt, document, verdicts


@pytest.mark.rule("T70")
def test_everything_that_a_fixture_writes_says_so(tmp_path):
    sealed, found = attempt(tmp_path, Tiny())

    assert sealed.data(f"artifacts/{NAME}/candidate.diff").startswith(b"fixture: a script made this difference")
    for path in (path for path in found.artifacts if path.endswith(".json")):
        assert json.loads(sealed.data(path))["fixture"] is True, path


def test_no_published_file_tells_where_the_runner_is_installed(tmp_path):
    content = f'PLACE = "{sys.prefix}/lib"\n'
    sealed, found = attempt(tmp_path, Tiny(sessions=both_lanes(tool(written("shop/place.py", content)), *EDITS)))

    assert found.outcome is Outcome.rejected
    for path in (found.events, *found.artifacts):
        assert sys.prefix.encode() not in sealed.data(path), path
    assert b"{runner}/lib" in sealed.data(f"artifacts/{NAME}/candidate.diff")
    assert b"{runner}/lib" in sealed.data(f"artifacts/{NAME}/transcript.json")
    assert sealed.run.replaced > 0


def test_what_a_script_prints_is_judged_as_it_was_printed(tmp_path):
    tiny = Tiny(
        rules={"place": '{ rule = "output", script = "fixtures/script.py", prints = "{runner}\\n" }'},
        files={"fixtures/script.py": "import sys\n\nprint(sys.prefix)\n"},
    )

    assert verdicts(attempt(tmp_path, tiny)[1]) == {"place": Verdict.not_met}


def test_a_session_that_was_cut_off_gives_no_metrics(tmp_path, monkeypatch):
    monkeypatch.setattr("runner.kinds.comparison.perform.MOST_ACTIONS", 3)
    sealed, found = attempt(tmp_path, Tiny())

    assert found.detail.actions == 3
    assert found.detail.observed.observation == "unusable"
    assert [item.because.value for item in found.detail.ineligible] == ["record-not-whole"]
    assert sealed.run.analysis.lanes[1].metrics.totals == "none"


def test_a_session_that_ends_with_the_last_action_that_is_allowed_is_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("runner.kinds.comparison.perform.MOST_ACTIONS", len(GOOD[TEXT]))

    assert attempt(tmp_path, Tiny())[1].detail.observed.observation == "usable"


RAISED = {
    "folder": 'path = "shop"',
    "through-a-file": 'path = "shop/sums.py/x"',
    "name-too-long": f'path = "{"n" * 300}"',
}


@pytest.mark.parametrize("name", RAISED)
def test_a_path_that_is_no_file_is_turned_down_and_no_attempt_to_leave(tmp_path, name):
    mistake = tool(f'{{ op = "write_text", {RAISED[name]}, content = "x" }}')
    _, found = attempt(tmp_path, Tiny(sessions=both_lanes(mistake, *EDITS)))

    assert found.detail.turned_down == 1
    assert verdicts(found)["authority"] is Verdict.met


def test_a_drift_that_was_undone_in_a_function_that_is_still_there_is_lost(tmp_path):
    drifted = USES.replace('"EUR"', "str()")
    before, after = (text.splitlines(keepends=True) for text in (USES, drifted))
    patch = "".join(unified_diff(before, after, "a/shop/uses.py", "b/shop/uses.py"))
    tiny = Tiny(
        drift=True,
        patch=patch,
        rules={"recovery": '{ rule = "recovered", path = "shop/uses.py", keeps = ["show"] }'},
        sessions=both_lanes(
            INSPECTION,
            *NOTICED,
            tool(replaced("shop/uses.py", "return total(lines, str())", 'return total(lines, "EUR")')),
            symbols=(INSPECTION, tool(REMOVED)),
        ),
    )

    sealed, found = attempt(tmp_path, tiny)

    assert verdicts(found) == {"recovery": Verdict.not_met}
    assert "lost: show" in document(sealed, "acceptance.json")["rows"][0]["rules"][0]["observed"]
