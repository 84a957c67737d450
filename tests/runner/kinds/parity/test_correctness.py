"""One thing is wrong with one variant, and exactly that is found: never excused, never passed, never left running."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from runner.contract.analysis.parity import ParityAnalysis, Performance, Sameness, Sensitivity
from runner.contract.attempt import Attempt, Outcome, ReasonCode, Verdict
from runner.contract.parity.detail import HeldAgainst, MutantDetail, ParityDetail, VariantDetail
from runner.contract.parity.disposition import GateDisposition
from runner.contract.plan import Selection
from runner.reading.sealed import SealedRun
from tests.parities import GATES, SCENARIOS, Toy

ONE = "[[scenarios]]".join(SCENARIOS.split("[[scenarios]]")[:1] + SCENARIOS.split("[[scenarios]]")[2:])
"""The scenario with the bad word alone."""
SHAPED = "def shaped(record):\n    return record\n"


def small(**more: Any) -> Toy:
    """A study with one row."""
    return Toy(**({"scenarios": ONE, "backends": ("files",), "timed": (("files", "bad-word"),)} | more))


def attempt(run: SealedRun, arm: str) -> Attempt:
    return next(item for item in run.attempts if item.arm == arm)


def failed(run: SealedRun, arm: str) -> list[str]:
    return [item.id for item in attempt(run, arm).criteria if item.verdict is Verdict.not_met]


def comparison(run: SealedRun, arm: str) -> dict:
    return json.loads(run.data(f"artifacts/{attempt(run, arm).attempt}/comparison.json"))


def held(run: SealedRun, arm: str) -> HeldAgainst:
    detail = attempt(run, arm).detail
    assert isinstance(detail, ParityDetail)
    assert isinstance(detail.what, VariantDetail)
    assert isinstance(detail.what.comparison, HeldAgainst)
    return detail.what.comparison


def analysis(run: SealedRun) -> ParityAnalysis:
    assert isinstance(run.run.analysis, ParityAnalysis)
    return run.run.analysis


def head(tmp_path: Path, module: str, old: str, new: str, **more: object) -> SealedRun:
    """A run in which the variant `head` is changed so."""
    return small(changed={"head": {module: (old, new)}}, **more).run(tmp_path)


@pytest.mark.rule("P101")
def test_the_same_values_with_their_keys_in_another_order_are_counted_apart_and_never_as_equal_bytes(tmp_path):
    run = head(tmp_path, "core", "json.dumps(item)", "json.dumps(item, sort_keys=True)")
    differences = {item["path"]: item["difference"] for item in comparison(run, "head")["differences"]}
    assert differences["calls/command/stdout"] == "spelling"
    # Also where a line that is no JSON stands beside.
    assert differences["calls/first/stdout"] == differences["calls/again/stdout"] == "spelling"
    assert held(run, "head").spelling == 3
    assert failed(run, "head") == []


def test_a_changed_value_in_the_durable_state_is_a_finding_with_its_place_and_both_sides(tmp_path):
    run = head(tmp_path, "core", SHAPED, "def shaped(record):\n    return {**record, 'words': 99}\n")
    assert failed(run, "head") == ["same-state"]
    leaves = [
        (item["path"], leaf["pointer"], leaf["left"], leaf["right"])
        for item in comparison(run, "head")["differences"]
        if item["difference"] == "values"
        for leaf in item["leaves"]
        if leaf["rule"] is None
    ]
    assert leaves == [("state/a.txt.json", "/words", "2", "99"), ("state/b.txt.json", "/words", "2", "99")]
    assert analysis(run).correctness is Sameness.findings
    assert analysis(run).disposition is GateDisposition.owner_review_hold


@pytest.mark.rule("P102")
def test_an_extra_file_fails_the_row_by_its_path_alone(tmp_path):
    run = head(
        tmp_path, "core", '    mark.write_text("")\n', '    mark.write_text("")\n    (state / "more").write_text("x")\n'
    )
    assert failed(run, "head") == ["same-paths"]
    sides = [(item["path"], item["side"]) for item in comparison(run, "head")["differences"] if "side" in item]
    assert sides == [("state/more", "right")]


@pytest.mark.rule("P102")
def test_bytes_that_are_no_json_and_differ_fail_the_row(tmp_path):
    run = head(tmp_path, "core", 'mark.write_text("")', 'mark.write_text("other")')
    assert failed(run, "head") == ["same-state"]
    assert {"difference": "bytes", "path": "state/mark"} in comparison(run, "head")["differences"]


@pytest.mark.rule("P100")
def test_a_lock_owner_that_is_no_process_of_the_attempt_is_not_excused(tmp_path):
    run = head(tmp_path, "daemon", '"pid": os.getpid()', '"pid": 1')
    assert "same-output" in failed(run, "head")
    (leaf,) = [
        leaf
        for item in comparison(run, "head")["differences"]
        if item["path"] == "calls/first/receipt"
        for leaf in item["leaves"]
        if leaf["pointer"] == "/pid"
    ]
    assert (leaf["right"], leaf["rule"]) == ("1", None)


@pytest.mark.rule("P103", "P128")
def test_a_daemon_that_does_not_stop_is_judged_and_ended_with_its_attempt(tmp_path, monkeypatch):
    monkeypatch.setattr("runner.kinds.parity.daemon.GONE_SECONDS", 0.3)
    run = head(tmp_path, "daemon", "                    return\n", "                    continue\n")
    assert {"restart.stopped", "daemon-stopped", "no-leftovers"} <= set(failed(run, "head"))
    assert [name for name in failed(run, "wheel") if not name.startswith("same-")] == []


@pytest.mark.rule("P112")
def test_a_variant_that_cannot_be_compared_failed_to_run_and_proves_nothing(tmp_path):
    run = small(
        changed={"base": {"main": ("import sys\n", "import sys, time\ntime.sleep(60)\n")}}, process_seconds=2
    ).run(tmp_path)
    assert attempt(run, "base").outcome is Outcome.timed_out
    found = attempt(run, "head")
    assert found.outcome is Outcome.failed_to_run
    assert found.reason is not None
    assert (found.reason.code, found.reason.at) == (ReasonCode.reference_missing, "base.files-bad-word.1")
    assert attempt(run, "wheel").outcome is Outcome.accepted
    assert analysis(run).correctness is Sameness.not_yet_proven
    assert analysis(run).disposition is GateDisposition.not_yet_proven


@pytest.mark.rule("P107")
def test_a_package_that_comes_from_elsewhere_is_noticed_in_each_process(tmp_path):
    outside = tmp_path / "outside"
    (outside / "tally").mkdir(parents=True)
    for path, text in Toy().sources("head").items():
        (outside / path).write_text(text)
    started = "import runpy\nrunpy.run_module('tally', run_name='__main__')\n"
    moved = f"import sys\nsys.path.insert(0, {str(outside)!r})\n{started}"
    elsewhere = {
        "tasks/scenarios.toml": ONE.replace('"-m", "tally", ', '"elsewhere.py", ', 1),
        "fixtures/project/elsewhere.py": moved,
    }
    run = small(texts=elsewhere).run(tmp_path)
    assert "module-root" in failed(run, "base")


@pytest.mark.rule("P110", "P111")
def test_a_mutant_that_fails_as_stated_is_the_proof_and_the_original_stays_as_it_was(tmp_path):
    run = small().run(tmp_path)
    found = attempt(run, "mutant")
    assert found.outcome is Outcome.accepted
    assert isinstance(found.detail, ParityDetail)
    assert isinstance(found.detail.what, MutantDetail)
    assert found.detail.what.matches == 1
    assert found.detail.what.failed[0] == "first.exit"
    assert found.detail.what.original_sha256 != found.detail.what.mutant_sha256
    assert analysis(run).mutation is Sensitivity.rejected


@pytest.mark.rule("P110")
def test_a_mutation_that_matches_twice_mutates_nothing_and_proves_nothing(tmp_path):
    run = small(find="findings", replace="found").run(tmp_path)
    assert failed(run, "mutant") == ["target-once"]
    assert analysis(run).mutation is Sensitivity.survived


@pytest.mark.rule("P111")
@pytest.mark.parametrize(
    ("replace", "expected"),
    [
        ('if "bad" in line.split() and True:', {"mutant-rejected", "mutant-exit-status"}),
        ("if 1 / 0:", {"mutant-rejected", "mutant-exit-status", "nothing-else-failed"}),
    ],
    ids=["survives", "fails for another reason"],
)
def test_a_mutant_that_survives_or_fails_otherwise_is_a_failed_qualification(tmp_path, replace, expected):
    run = small(replace=replace).run(tmp_path)
    assert set(failed(run, "mutant")) == expected
    assert analysis(run).mutation is Sensitivity.survived
    assert analysis(run).disposition is GateDisposition.owner_review_hold


@pytest.mark.rule("P104")
def test_each_member_that_a_scenario_states_of_an_answer_is_asserted_in_every_call(tmp_path):
    run = head(tmp_path, "core", '"code": "bad-word"', '"code": "worse"')
    assert [name for name in failed(run, "head") if "." in name] == [
        "first.records",
        "again.records",
        "command.records",
    ]


@pytest.mark.rule("P105")
def test_a_call_that_must_keep_the_durable_state_is_judged_by_what_is_there_before_and_after(tmp_path):
    quiet = '[[scenarios.steps]]\nstep = "call"\nid = "quiet"\nargs = ["-c", "pass"]\n'
    quiet += "keeps_state = true\nexpect = { exit = 0 }\n"
    asked = ONE.replace('id = "again"\n', 'id = "again"\nkeeps_state = true\n') + quiet
    run = small(scenarios=asked).run(tmp_path)
    # The program notes when it wrote, so that asking it again changes what it keeps.
    assert failed(run, "base") == ["again.state-kept"]
    assert next(item for item in attempt(run, "base").criteria if item.id == "quiet.state-kept").verdict is Verdict.met


@pytest.mark.rule("P120")
def test_a_gate_that_is_not_kept_holds_the_whole_study_however_right_everything_else_is(tmp_path):
    gates = GATES.replace("bound_ns = 2000000000", "bound_ns = 1")
    run = small(gates=gates, pairs=2, cold=1, warm=2, burst=2).run(tmp_path, Selection.full)
    assert (analysis(run).correctness, analysis(run).mutation) == (Sameness.same, Sensitivity.rejected)
    assert run.run.tally.accepted == run.run.tally.planned
    assert analysis(run).performance is Performance.owner_review_hold
    assert analysis(run).disposition is GateDisposition.owner_review_hold


@pytest.mark.rule("P98", "P99", "P130")
def test_every_variant_in_every_backend_and_scenario_is_one_run_and_one_row_holds_them_all(tmp_path):
    run = Toy().run(tmp_path)
    assert [row.row for row in analysis(run).rows] == [
        "files-clean",
        "files-bad-word",
        "sqlite-clean",
        "sqlite-bad-word",
    ]
    assert all([item.arm for item in row.variants] == ["base", "head", "wheel", "sdist"] for row in analysis(run).rows)
    assert run.run.tally.accepted == run.run.tally.planned == 17
    assert analysis(run).correctness is Sameness.same
    for item in (item for item in run.attempts if item.arm in ("head", "wheel", "sdist")):
        left = json.loads(run.data(f"artifacts/{item.attempt}/comparison.json"))["left"]
        assert left.partition(".")[2] == f"{item.task}.1", "what is held against each other is of one row"


@pytest.mark.long
@pytest.mark.rule("P99")
def test_outputs_that_differ_beyond_what_is_kept_are_not_taken_for_the_same(tmp_path):
    told = 'return "".join(json.dumps(item) + "\\n" for item in findings)'
    ends = {"base": "a", "head": "b", "wheel": "b", "sdist": "b"}
    changed = {arm: {"core": (told, f'return "x" * 70_000 + "{end}"')} for arm, end in ends.items()}
    silent = re.sub(r", records = \[.*\]", "", ONE)
    run = small(changed=changed, scenarios=silent).run(tmp_path)
    assert failed(run, "base") == []
    assert failed(run, "head") == ["same-output"]
    assert failed(run, "wheel") == failed(run, "sdist") == []
    found = [item["path"] for item in comparison(run, "head")["differences"] if item["difference"] == "bytes"]
    assert found == ["calls/again/stdout", "calls/command/stdout", "calls/first/stdout", "calls/seed/stdout"]
