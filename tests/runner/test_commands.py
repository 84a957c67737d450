"""What the commands print, and with which exit code they end. A study's outcomes never change it."""

import inspect
import json
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest

import runner.verbs
import sealbook
import sitegen.verbs
from runner.contract.attempt import Outcome
from runner.contract.schemas import schemas
from runner.kinds.kind import Bench
from runner.verbs import schema
from tests.repositories import Repository
from tests.studies import a_study

ROOT = Path(sealbook.__file__).parent


def sealed_runs(root: Path) -> list[Path]:
    return sorted(root.glob(".sealbook/runs/*/*/sealed"))


VERBS = {**runner.verbs.VERBS, **sitegen.verbs.VERBS}


def test_help_names_every_verb_and_every_verb_has_help(call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    helped = call("--help")
    assert helped.code == 0
    listed = re.findall(r"^│ ([a-z][a-z-]*)\s{2,}(\S.*?)\s*│$", helped.out, re.MULTILINE)
    assert listed == [(verb, summary) for verb, (_, summary) in VERBS.items()]
    assert {"studies", "plan", "prepare", "run", "publish", "verify", "build", "check", "serve", "doctor"} < set(VERBS)
    for verb in VERBS:
        assert f" {verb} [OPTIONS]" in call(verb, "--help").out
        assert call(verb, "-h").code == 0


@pytest.mark.parametrize("verb", VERBS)
def test_the_list_of_verbs_says_of_each_what_its_own_help_says_first(verb):
    place, summary = VERBS[verb]
    documented = inspect.getdoc(resolve_name(place))
    assert documented is not None
    assert " ".join(documented.split("\n\n")[0].split()) == summary


@pytest.mark.parametrize("asked", ["--version", "--help", "no-such-verb"])
def test_what_needs_no_verb_waits_for_none_to_be_imported(asked):
    code = (
        "import sys, sealbook\n"
        "try: sealbook.main(sys.argv[1:])\n"
        "finally: print(*(name for name in sys.modules if name.startswith(('runner.', 'sitegen.'))))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code, asked], cwd=ROOT, capture_output=True, text=True, check=False
    )
    loaded = set(finished.stdout.splitlines()[-1].split())
    assert finished.returncode == (2 if asked == "no-such-verb" else 0)
    assert loaded == {
        "runner.verbs",
        "runner.contract",
        "runner.contract.errors",
        "runner.errors",
        "runner.project",
        "sitegen.verbs",
        "sitegen.errors",
    }


def test_the_installed_command_prints_its_version():
    command = [sys.executable, "-m", "sealbook", "--version"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert finished.stdout.startswith("sealbook 0.")


def test_the_project_is_found_from_any_folder_below_and_by_option(call, project, tmp_path, monkeypatch):
    monkeypatch.chdir(project / "manifests" / "tiny" / "tasks")
    assert call("studies").out == "tiny\n"
    monkeypatch.chdir(tmp_path)
    assert call("--root", project, "studies").out == "tiny\n"
    wrong = call("--root", tmp_path, "studies")
    assert (wrong.code, "correct --root" in wrong.err) == (2, True)


def test_studies_for_a_quick_run_are_those_their_manifest_marks(call, project):
    a_study(project / "manifests", study="gated", subjects=("tool",), gated=())
    manifest = project / "manifests" / "gated" / "study.toml"
    manifest.write_text(manifest.read_text().replace("quick = true", "quick = false"))
    assert call("studies").out == "gated\ntiny\n"
    assert call("studies", "--quick").out == "tiny\n"
    assert [study["id"] for study in call("studies", "--json").json["studies"]] == ["gated", "tiny"]


def test_a_plan_shows_every_attempt_and_every_exclusion(call, project):
    shown = call("plan", "tiny")
    assert shown.code == 0
    assert "tool.identity-kept.1" in shown.out
    assert "excluded  hidden.identity: access-gated." in shown.out
    assert "excluded  tool.crash: not-offered." in shown.out
    quick = call("plan", "tiny", "--quick", "--json").json
    assert quick["selection"] == "quick"
    assert {"arm": "tool", "task": "dead-owner-kept", "trial": 1} not in quick["slots"]
    assert not (project / ".sealbook").exists(), "a plan writes nothing"


@pytest.mark.rule("R5")
def test_a_run_does_not_prepare_and_says_what_does(call, project, kind):
    ended = call("run", "tiny")
    assert ended.code == 3
    assert ended.err == "sealbook: tiny: what the study pins is not in place; run `sealbook prepare tiny`\n"
    assert call("run", "tiny", "--json").json["error"] == "not-prepared"
    assert kind.performed == []
    assert not (project / ".sealbook").exists()


def test_preparing_twice_prepares_once(call, project, kind):
    assert "tiny: prepared\n" in call("prepare", "tiny").err
    assert call("prepare", "tiny").err == "tiny: prepared already\n"


@pytest.mark.parametrize("outcome", [Outcome.accepted, Outcome.rejected, Outcome.timed_out])
def test_outcomes_never_change_the_exit_code(call, project, kind, outcome):
    kind.outcomes = {"tool": outcome}
    call("prepare", "tiny")
    ended = call("run", "tiny")
    assert ended.code == 0
    (sealed,) = sealed_runs(project)
    expected = "12/12 accepted, 18 excluded; qualified" if outcome is Outcome.accepted else "0/12 accepted, 12 "
    assert ended.out.startswith(f".sealbook/runs/tiny/{sealed.parent.name}/sealed: sealed, {expected}")
    assert call("verify", sealed).code == 0


@pytest.mark.rule("R21")
def test_a_run_that_passes_is_called_a_qualification_and_nothing_more(call, project, kind):
    call("prepare", "tiny")
    assert call("run", "tiny", "--json").json["disposition"] == "qualified"
    (sealed,) = sealed_runs(project)
    stated = json.loads((sealed / "run.json").read_bytes())
    assert stated["analysis"]["kind"] == "qualification"
    assert set(json.loads(schemas()["run.json"])["$defs"]["Disposition"]["enum"]) == {
        "qualified",
        "findings",
        "not-yet-proven",
    }


@pytest.mark.report("A7")
def test_a_run_in_which_nothing_came_to_be_judged_ends_with_3_and_is_sealed(call, project, kind):
    kind.outcomes = {"tool": Outcome.failed_to_run}
    call("prepare", "tiny")
    ended = call("run", "tiny", "--json")
    assert (ended.code, ended.json["error"]) == (3, "set-up-failed")
    (sealed,) = sealed_runs(project)
    assert call("verify", sealed).code == 0


@pytest.mark.report("A7")
def test_a_run_in_which_nothing_was_started_ends_with_3_and_is_sealed(call, project, kind):
    a_study(project / "manifests", tier="bwrap")
    call("prepare", "tiny")
    ended = call("run", "tiny", "--tier", "process", "--json")
    assert (ended.code, ended.json["error"]) == (3, "nothing-started")
    (sealed,) = sealed_runs(project)
    assert call("verify", sealed).code == 0
    assert (
        "not one of 12 attempts was started; see the reasons in attempts.jsonl"
        in call("run", "tiny", "--tier", "process").err
    )


@pytest.mark.report("A7")
@pytest.mark.parametrize(("outcome", "found"), [(Outcome.rejected, "findings"), (Outcome.timed_out, "not-yet-proven")])
def test_a_missed_gate_changes_no_exit_code_but_that_of_a_verification_that_asks_for_it(
    call, project, kind, outcome, found
):
    kind.outcomes = {"tool": outcome}
    call("prepare", "tiny")
    assert call("run", "tiny").code == 0
    (sealed,) = sealed_runs(project)
    assert call("verify", sealed).code == 0

    ended = call("verify", sealed, "--gates")

    assert ended.code == 1
    assert f"analysis.disposition: the gate is missed: the run is to be qualified, and it is {found}" in ended.err
    assert "verified, " in ended.out, "what was sealed is still what is there"
    stated = call("verify", sealed, "--gates", "--json").json
    assert (stated["error"], len(stated["problems"])) == ("gate-missed", 1)
    assert call("verify", sealed, "--json").json["verified"][0]["gate"] == {
        "asked": "qualified",
        "found": found,
        "met": False,
    }


def test_a_gate_that_is_kept_or_a_run_that_does_not_verify_is_told_as_such(call, project, kind):
    call("prepare", "tiny")
    call("run", "tiny")
    (sealed,) = sealed_runs(project)
    assert call("verify", sealed, "--gates").code == 0

    (sealed / "run.json").chmod(0o644)
    (sealed / "run.json").write_bytes(b"{}")
    assert call("verify", sealed, "--gates", "--json").json["error"] == "bad-evidence"


def test_a_stopped_run_ends_with_3_and_the_same_command_resumes_it(call, project, kind):
    def stop(attempt: str, bench: Bench) -> None:
        if attempt == "tool.persistence-kept.1":
            raise KeyboardInterrupt

    kind.during = stop
    call("prepare", "tiny")
    stopped = call("run", "tiny")
    assert stopped.code == 3
    assert "stopped on request, 3 attempts are kept; the same command resumes it" in stopped.err
    kind.during = lambda attempt, bench: None
    resumed = call("run", "tiny", "--json")
    assert resumed.code == 0
    assert resumed.json["tally"]["superseded"] == 1
    assert "is resumed: 3 of 12 are done" in resumed.err
    assert len(sealed_runs(project)) == 1


def test_a_request_to_end_before_the_first_attempt_ends_with_3_too(call, project, kind, monkeypatch):
    def facts(study, prepared):
        signal.raise_signal(signal.SIGTERM)

    call("prepare", "tiny")
    monkeypatch.setattr(kind, "facts", facts, raising=False)
    ended = call("run", "tiny", "--json")
    assert (ended.code, ended.json["error"]) == (3, "run-stopped")
    assert list((project / ".sealbook" / "runs" / "tiny").iterdir()) == [], "nothing had begun"


@pytest.mark.rule("R1", "R3")
def test_one_command_seals_a_run_with_its_result_where_it_is_told(call, project, kind, tmp_path):
    call("prepare", "tiny")
    out = tmp_path / "out"
    checkout = tmp_path / "checkout"
    work_root = tmp_path / "work-root"
    for folder in (checkout, work_root):
        folder.mkdir()
    used: set[tuple[str, Path]] = set()
    kind.during = lambda attempt, bench: used.add(((bench.prepared / "built-from").read_text(), bench.folder.parent))
    ended = call("run", "tiny", "--repo", checkout, "--out", out, "--work-root", work_root)
    assert ended.code == 0
    assert used == {(str(checkout), work_root)}, "every attempt has what was built from the checkout, and its place"
    assert json.loads((out / "run.json").read_bytes())["tally"]["accepted"] == 12
    assert call("verify", out).code == 0
    assert sealed_runs(project) == []
    again = call("run", "tiny", "--out", out)
    assert (again.code, "exists and is not empty" in again.err) == (3, True)


@pytest.mark.rule("R19")
def test_a_modified_project_is_flagged_when_it_runs_and_is_not_published(call, project, kind, required_tool):
    required_tool("git")
    repository = Repository(project)
    repository.commit()
    call("prepare", "tiny")
    (project / "content" / "site.toml").write_text("# changed\n")
    ended = call("run", "tiny")
    assert "note: the project is modified (content/site.toml); the record says so" in ended.err
    (sealed,) = sealed_runs(project)
    assert json.loads((sealed / "run.json").read_bytes())["source"]["modified"] == ["content/site.toml"]
    refused = call("publish", "tiny", sealed.parent.name)
    assert refused.code == 3
    assert "the project was modified when it was made (content/site.toml)" in refused.err
    assert call("publish", "tiny", sealed.parent.name, "--json").json["error"] == "publication-refused"


def test_a_clean_full_run_is_published_and_verifies_in_its_place(call, project, kind, required_tool):
    required_tool("git")
    Repository(project).commit()
    call("prepare", "tiny")
    assert call("run", "tiny").code == 0
    (sealed,) = sealed_runs(project)
    run = sealed.parent.name
    assert call("publish", "tiny", "nope").code == 2
    published = call("publish", "tiny", run)
    assert published.out.startswith(f"manifests/tiny/evidence/{run}: published, ")
    assert sealed_runs(project) == []
    place = project / "manifests" / "tiny" / "evidence" / run
    subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=place, check=True)
    for path in (place, place.parents[1], place.parent, project):
        verified = call("verify", path)
        assert verified.code == 0
        assert ": verified, 17 files, 12 attempts: 12/12 accepted, 18 excluded\n" in verified.out


def test_verify_prints_good_runs_and_every_problem_of_bad_ones(call, project, kind):
    call("prepare", "tiny")
    for _ in range(2):
        call("run", "tiny", "--new")
    good, bad = sealed_runs(project)
    (bad / "plan.json").unlink()
    (bad / "extra.txt").write_text("x")
    ended = call("verify", ".")
    assert ended.code == 1
    assert ended.out == f"./{good.relative_to(project)}: verified, 17 files, 12 attempts: 12/12 accepted, 18 excluded\n"
    assert ended.err.splitlines() == [
        f"sealbook: ./{bad.relative_to(project)}/extra.txt: is not sealed; remove it, or restore the sealed bytes",
        f"sealbook: ./{bad.relative_to(project)}/plan.json: is sealed, and it is not there; restore the sealed bytes",
    ]
    assert len(call("verify", ".", "--json").json["problems"]) == 2
    assert call("verify", good, "--json").json["verified"][0]["tally"]["accepted"] == 12


def test_verify_reads_the_evidence_of_a_built_site(call, project, kind, tmp_path):
    call("prepare", "tiny")
    call("run", "tiny")
    (sealed,) = sealed_runs(project)
    site = tmp_path / "site"
    shutil.copytree(sealed, site / "evidence" / "tiny" / sealed.parent.name)
    (site / "index.html").write_text("")
    assert call("verify", site).code == 0
    (site / "evidence" / "tiny" / sealed.parent.name).rename(site / "evidence" / "tiny" / "20200101T000000Z")
    moved = call("verify", site)
    assert moved.code == 1
    assert "its place says 20200101T000000Z; move it back" in moved.err


def test_the_schemas_of_the_repository_are_those_of_the_models(call):
    assert call("schema", "--check").out == f"{len(schemas())} schemas are up to date\n"


def test_a_schema_out_of_date_is_named_and_written_again(call, tmp_path, monkeypatch):
    folder = tmp_path / "schema"
    shutil.copytree(schema.FOLDER, folder)
    monkeypatch.setattr(schema, "FOLDER", folder)
    (folder / "run.json").write_text("{}")
    (folder / "old.json").write_text("{}")
    (folder / "plan.json").unlink()
    ended = call("schema", "--check")
    assert ended.code == 1
    assert [line.split(": ")[1] for line in ended.err.splitlines()] == [
        f"runner/contract/schema/{name}.json" for name in ("old", "plan", "run")
    ]
    assert call("schema").code == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == schemas()
