"""The shipped parity study: what it plans, pins and excuses, and the client that it times requests with."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.contract.artifact import ArtifactRole
from runner.contract.license import LicenseState
from runner.contract.parity.design import MEASUREMENT, MUTANT
from runner.contract.parity.gate import AtMost, StrictlyBelow
from runner.contract.parity.quantile import Statistic
from runner.contract.parity.rules import RuleClass, covers_entry
from runner.contract.parity.tasks import AskStep, CallStep, EditStep, Members, RestartStep, Scenario
from runner.contract.parity.timing import Measure
from runner.contract.parity.variant import Build, Variant
from runner.contract.plan import Selection, as_parity
from runner.kinds.parity.plan import plan
from runner.reading.manifest import FrozenStudy, read_study

MANIFEST = Path("manifests", "mypy-parity")
VARIANTS = ("base", "head", "wheel", "sdist")
BACKENDS = ("files", "sqlite")
SCENARIOS = ("clean", "type-errors", "syntax-error", "missing-import", "incremental-edit", "invalid-configuration")
TIMED = [f"{backend}-{scenario}" for backend in BACKENDS for scenario in ("clean", "incremental-edit")]
CACHE = "state/cache/3.11"


@pytest.fixture(scope="module")
def parity(pytestconfig) -> FrozenStudy:
    """The shipped parity study; reading it checks every pin."""
    return read_study(pytestconfig.rootpath / MANIFEST)


def expected(scenario: Scenario, step: str) -> tuple[int, tuple[Members, ...]]:
    """Status and records that a call must come to."""
    found = scenario.step(step)
    assert isinstance(found, CallStep | AskStep)
    assert found.expect.records is not None
    return found.expect.exit, found.expect.records


@pytest.mark.rule("P98")
def test_it_plans_every_variant_in_every_row_then_the_mutant_then_the_measurements(parity):
    slots = [(slot.arm, slot.task) for slot in plan(parity, Selection.full).slots]
    rows = [f"{backend}-{scenario}" for backend in BACKENDS for scenario in SCENARIOS]

    assert slots[:48] == [(variant, row) for row in rows for variant in VARIANTS]
    assert slots[48:] == [(MUTANT, "files-incremental-edit"), *((MEASUREMENT, row) for row in TIMED)]


def test_a_run_for_correctness_alone_leaves_out_the_measurements_and_says_so(parity):
    planned = plan(parity, Selection.correctness_only)

    assert Counter(slot.arm for slot in planned.slots) == {**dict.fromkeys(VARIANTS, 12), MUTANT: 1}
    assert [(item.arm, item.task) for item in planned.exclusions] == [(MEASUREMENT, row) for row in TIMED]


@pytest.mark.rule("P97")
def test_each_variant_has_a_pinned_revision_and_file_and_one_that_it_is_held_against(parity):
    design, _ = as_parity(parity)
    files = {item.file: item for item in design.artifacts}

    assert [(item.id, item.revision, item.build, item.against) for item in design.variants] == [
        ("base", "2.3.1", Build.source_tree, None),
        ("head", "2.4.1", Build.source_tree, "base"),
        ("wheel", "2.4.1", Build.wheel, "head"),
        ("sdist", "2.4.1", Build.built, "head"),
    ]
    for variant in design.variants:
        assert isinstance(variant, Variant)
        assert files[variant.artifact].version == variant.revision


@pytest.mark.rule("P131")
def test_every_file_of_the_manifest_is_pinned_and_all_variants_get_the_same_project(parity, pytestconfig):
    folder = pytestconfig.rootpath / MANIFEST
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    ours = {name for name in files if not name.startswith("evidence/")}
    _, tasks = as_parity(parity)

    assert {pin.path for pin in parity.study.pinned} == ours - {"study.toml"}
    assert {scenario.project for scenario in tasks.scenarios} == {"fixtures/shop"}
    assert set(tasks.below("fixtures/shop")) == {
        *("mypy.ini", "till.py", "shop/__init__.py", "shop/basket.py", "shop/prices.py"),
    }


def test_each_scenario_asks_two_daemons_and_then_the_full_command_and_no_request_changes_what_is_kept(parity):
    _, tasks = as_parity(parity)

    for scenario in tasks.scenarios:
        asked = [step for step in scenario.steps if isinstance(step, AskStep)]
        assert [step.id for step in asked[-2:]] == ["ask", "ask-again"]
        assert all(step.keeps_state for step in asked)
        assert sum(isinstance(step, RestartStep) for step in scenario.steps) == 1
        assert not scenario.ends_with_daemon
        seed, full = scenario.steps[0], scenario.steps[-1]
        assert isinstance(seed, CallStep)
        assert isinstance(full, CallStep)
        assert seed.args == full.args
        assert seed.expect.exit == 0


@pytest.mark.rule("P104")
def test_each_scenario_states_status_place_severity_and_code_and_both_daemons_must_say_the_same(parity):
    _, tasks = as_parity(parity)

    for scenario in tasks.scenarios:
        first, again, full = (expected(scenario, name) for name in ("ask", "ask-again", "full"))
        assert first == again
        assert first[1] == full[1]
        for record in full[1]:
            assert set(record) == {"file", "line", "severity", "code"}


def test_the_incremental_edit_brings_an_error_into_a_file_that_it_does_not_touch(parity):
    _, tasks = as_parity(parity)
    scenario = next(item for item in tasks.scenarios if item.id == "incremental-edit")
    ids = [step.id for step in scenario.steps]
    (edit,) = (step for step in scenario.steps if isinstance(step, EditStep))
    status, (record,) = expected(scenario, "ask")

    assert ids.index("ask-before") < ids.index("edit") < ids.index("ask")
    assert set(tasks.below(edit.files)) == {"shop/prices.py"}
    assert (status, record["file"]) == (1, "shop/basket.py")


def test_builds_of_one_release_are_excused_nothing_but_times_processes_and_temporary_names(parity):
    design, _ = as_parity(parity)

    for variant in ("wheel", "sdist"):
        rules = [rule for scenario in SCENARIOS for rule in design.rules_for(variant, scenario)]
        assert {rule.id for rule in rules} == {"daemon-process", "daemon-socket", "data-mtime"}
        assert {rule.rule_class for rule in rules} == {RuleClass.normalisation}


@pytest.mark.parametrize("entry", [f"{CACHE}/{{}}", f"{CACHE}/cache.3.db#files2/{{}}"])
@pytest.mark.parametrize(
    "name", ["shop/basket.data.json", "shop/prices.deps.json", "till.data.json", "@root.deps.json"]
)
def test_nothing_excuses_what_is_kept_of_the_project_itself_but_named_members(parity, entry, name):
    design, _ = as_parity(parity)

    whole = [rule for rule in design.rules if rule.form == "whole-entry"]
    assert not [rule.id for rule in whole if covers_entry(rule, entry.format(name))]
    assert [rule.id for rule in whole if covers_entry(rule, entry.format("builtins.data.json"))] == ["bundled-stubs"]


def test_other_words_are_excused_of_syntax_errors_alone(parity):
    design, _ = as_parity(parity)
    wording = [rule for rule in design.rules if any(pattern.startswith("calls/") for pattern in rule.entries)]

    assert {rule.id: rule.scenarios for rule in wording if rule.rule_class is RuleClass.declared} == {
        "words-of-syntax-errors": ("syntax-error",),
    }


@pytest.mark.rule("P114")
def test_the_timings_are_frozen_to_64_pairs_and_16_128_256_samples_of_equal_builds(parity):
    design, _ = as_parity(parity)
    timing = design.timing

    assert [timing.count(measure) for measure in (Measure.command, Measure.cold, Measure.warm, Measure.burst)] == [
        *(64, 16, 128, 256),
    ]
    assert [f"{row.backend}-{row.scenario}" for row in timing.rows] == TIMED
    assert {design.variant(name).build for name in (timing.base, timing.head)} == {Build.source_tree}


def test_the_full_command_has_two_limits_and_the_warm_request_one_bound(parity):
    design, _ = as_parity(parity)

    assert [(gate.measure, gate.gate) for gate in design.timing.gates] == [
        (
            Measure.command,
            AtMost(statistic=Statistic.p95, percent_millionths=5_000_000, difference_ns=25_000_000),
        ),
        (Measure.warm, StrictlyBelow(statistic=Statistic.p95, bound_ns=25_000_000)),
    ]


def test_every_file_that_is_fetched_has_a_license_row_and_none_is_cleared(parity):
    design, _ = as_parity(parity)
    rows = parity.licenses.rows

    assert {row.detected.artifact for row in rows} == {item.file for item in design.artifacts}
    assert LicenseState.cleared not in {row.state for row in rows}
    conflicts = {row.id for row in rows if row.state is LicenseState.conflict}
    assert conflicts == {"mypy-base", "mypy-head", "mypy-wheel", "librt", "typing-extensions"}
    assert {item.role for item in design.artifacts} == {
        *(ArtifactRole.source, ArtifactRole.subject, ArtifactRole.dependency, ArtifactRole.build_tool),
    }


ARGUMENTS = ("--use-fine-grained-cache", "--cache-dir", "cache", ".")


@pytest.fixture
def project(tmp_path) -> Iterator[Path]:
    """A project beside which a real daemon can run; it is stopped afterwards."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "till.py").write_text("change: int = 1\n")
    yield folder
    asked(folder, "-m", "mypy.dmypy", "--status-file", "daemon.json", "stop")


def asked(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-P", *args]
    environment = {"PATH": os.defpath, "HOME": str(folder.parent)}
    return subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120)


def lines(pytestconfig, folder: Path, count: int) -> list[dict]:
    client = pytestconfig.rootpath / MANIFEST / "fixtures" / "warm_client.py"
    finished = asked(folder, str(client), "daemon.json", str(count), "--", *ARGUMENTS)
    assert (finished.returncode, finished.stderr) == (0, "")
    return [json.loads(line) for line in finished.stdout.splitlines()]


def test_the_client_tells_of_each_request_between_two_lines_that_name_the_daemon(project, pytestconfig):
    started = asked(project, "-m", "mypy.dmypy", "--status-file", "daemon.json", "run", "--", *ARGUMENTS)
    assert started.returncode == 0, started
    pid = json.loads((project / "daemon.json").read_text())["pid"]

    first, *requests, last = lines(pytestconfig, project, 5)

    assert (first, last) == ({"pid": pid}, {"pid": pid})
    assert [set(line) for line in requests] == [{"ns", "sha256", "status"}] * 5
    assert {(line["status"], line["ns"] > 0) for line in requests} == {(0, True)}
    assert len({line["sha256"] for line in requests}) == 1
    (project / "till.py").write_text('change: int = "one"\n')
    (_, wrong, _) = lines(pytestconfig, project, 1)
    assert wrong["status"] == 1
    assert wrong["sha256"] != requests[0]["sha256"]


def test_without_a_daemon_the_client_tells_of_each_request_that_failed_and_sends_none_again(project, pytestconfig):
    first, *requests, last = lines(pytestconfig, project, 3)

    assert (first, last) == ({"pid": None}, {"pid": None})
    assert requests == [{"error": "the receipt names no connection"}] * 3
