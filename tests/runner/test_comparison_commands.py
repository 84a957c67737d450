"""The commands that concern a comparison: one selection, the whole matrix, and wrong requests in plain words."""

import pytest

from tests.comparisons import SYMBOLS, TEXT, Tiny
from tests.repositories import Repository
from tests.studies import a_study

LANES = f"{SYMBOLS}, {TEXT}"


@pytest.fixture
def compared(tmp_path, monkeypatch):
    """A project with one comparison and one qualification, in which the command is called."""
    root = tmp_path / "project"
    Tiny(repetitions=2).write(root / "manifests")
    a_study(root / "manifests", study="checks")
    (root / "content").mkdir()
    (root / "content" / "site.toml").write_text("")
    (root / ".gitignore").write_text(".sealbook/\n")
    monkeypatch.chdir(root)
    return root


@pytest.mark.rule("T67")
def test_one_selection_is_one_attempt_sealed_where_it_was_asked_for(call, compared, tmp_path):
    asked = ("--task", "narrow", "--lane", TEXT, "--trial", "2", "--backend", "fixture")
    ended = call("run", "tiny", *asked, "--out", tmp_path / "one", "--json")

    assert (ended.code, ended.json["tally"]["accepted"], ended.json["disposition"]) == (0, 1, "partial")
    assert call("verify", tmp_path / "one").code == 0
    missed = call("verify", tmp_path / "one", "--gates")
    assert (missed.code, "the run is to be complete, and it is partial" in missed.err) == (1, True)


@pytest.mark.rule("T86")
def test_without_selectors_the_whole_matrix_is_run_and_a_second_call_begins_another(call, compared):
    ended = call("run", "tiny", "--json")

    assert (ended.code, ended.json["tally"]["accepted"], ended.json["disposition"]) == (0, 4, "complete")
    assert call("verify", ended.json["sealed"], "--gates").code == 0


@pytest.mark.rule("T67", "T68")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--task", "nope"], "tiny: no task 'nope'; there are: narrow"),
        (["--task", "../x"], "tiny: --task '../x' is no name; give one that `sealbook plan` lists"),
        (["--lane", "x" * 61], f"tiny: --lane '{'x' * 61}' is no name; give one that `sealbook plan` lists"),
        (["--lane", "nope"], f"tiny: no lane 'nope'; there are: {LANES}"),
        (
            ["--lane", "elsewhere"],
            f"tiny: the lane 'elsewhere' is not run here, and nothing is estimated for it; there are: {LANES}",
        ),
        (["--trial", "3"], "tiny: no trial 3; there are: 1 to 2"),
        (["--backend", "psychic"], "tiny: no backend 'psychic'; there are: agent, chat, fixture"),
        (["--probe", "mypy"], "tiny: --probe 'mypy' is not TOOL=PATH; give it as --probe mypy=/path/to/mypy"),
        (["--probe", "mypy=/bin/true"], "tiny: no task asks a probe 'mypy'; there are: none"),
        (["--repo", "."], "tiny: a comparison has no subject that could be built from a checkout; leave --repo out"),
    ],
)
def test_a_wrong_selector_is_refused_in_plain_words_and_nothing_is_run(call, compared, arguments, said):
    ended = call("run", "tiny", *arguments)

    assert ended.code == (3 if "--repo" in arguments else 2)
    assert f"sealbook: {said}\n" in ended.err
    assert not list((compared / ".sealbook").rglob("ledger.jsonl"))


def test_selectors_of_a_comparison_are_refused_for_a_qualification(call, compared):
    ended = call("run", "checks", "--lane", "tool")

    assert ended.code == 2
    assert "checks: --task, --lane, --trial, --backend, --config and --probe belong to a comparison" in ended.err


def test_a_comparison_needs_no_preparation_and_is_among_the_quick_studies(call, compared):
    assert call("prepare", "tiny").err == "tiny: prepared already\n"
    assert call("studies", "--quick").out == "checks\ntiny\n"
    plan = call("plan", "tiny")
    assert "4 attempts, 1 exclusions, full run" in plan.out


def test_a_selected_run_is_not_published(call, compared):
    run = call("run", "tiny", "--lane", TEXT, "--json").json["run"]
    ended = call("publish", "tiny", run)

    assert ended.code == 3
    assert "it is a run of selected attempts, which leaves the others out" in ended.err


@pytest.mark.rule("T83", "T84")
def test_an_audit_speaks_of_one_observation_and_only_at_the_commit_it_was_made_from(call, compared):
    repository = Repository(compared)
    repository.commit()
    run = call("run", "tiny", "--task", "narrow", "--trial", "1", "--json").json["run"]
    name = f"{TEXT}.narrow.1"

    audited = call("audit", "tiny", run, name, "--json").json
    assert audited["eligibility"]["status"] == "eligible-single-observation"
    assert (audited["eligibility"]["complete_matrix_present"], audited["fixture"]) == (False, True)
    assert audited["metrics"]["model_input_tokens"]["value"] == 20
    assert audited["claims"]["lane_comparison"] == "not-claimed"
    assert not (compared / ".sealbook" / "runs").is_relative_to(compared / "manifests")

    wrong = call("audit", "tiny", run, f"{TEXT}.narrow.9")
    assert (wrong.code, "no attempt" in wrong.err) == (2, True)

    (compared / "later.txt").write_text("later\n")
    repository.commit("later")
    drifted = call("audit", "tiny", run, name)
    assert drifted.code == 3
    assert "and the project is at" in drifted.err
