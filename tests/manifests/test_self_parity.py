"""The parity study of two commits of this repository: what it plans, pins, declares and excuses, and its fixtures."""

import re
import shutil
from pathlib import Path

import pytest

from runner.contract.artifact import ArtifactRole
from runner.contract.errors import ContractError
from runner.contract.license import LicenseState
from runner.contract.parity.design import MEASUREMENT, MUTANT
from runner.contract.parity.economics import PathClass, Stated
from runner.contract.parity.gate import AtMost
from runner.contract.parity.quantile import Statistic
from runner.contract.parity.tasks import CallStep
from runner.contract.parity.timing import Measure
from runner.contract.parity.variant import CommitVariant
from runner.contract.plan import Selection, as_parity
from runner.kinds.parity.plan import plan
from runner.reading.manifest import FrozenStudy, read_study
from runner.reading.sealed import open_run
from sitegen.errors import Collected
from sitegen.sources.content import read_protocols
from sitegen.sources.values import LANGUAGES
from tests.manifests.test_parity_protocol import HAN, said

MANIFEST = Path("manifests", "self-parity")
PROJECT = MANIFEST / "fixtures" / "project"
SCENARIOS = ("build", "verify", "altered-time", "sealed-again", "unknown-status", "edit-and-build")
TINY, TALLY = "manifests/tiny/evidence/20261201T061144Z", "manifests/tally-parity/evidence/20261201T061338Z"


@pytest.fixture(scope="module")
def parity(pytestconfig) -> FrozenStudy:
    """The shipped study; reading it checks every pin."""
    return read_study(pytestconfig.rootpath / MANIFEST)


@pytest.fixture(scope="module")
def texts(pytestconfig, parity) -> dict[str, str]:
    """The protocol that the study follows, by language, each on one line."""
    named = {(item.id, item.version): item for item in read_protocols(Path(pytestconfig.rootpath), Collected())}
    documents = named[(parity.study.protocol.id, parity.study.protocol.version)].documents
    return {language: " ".join(documents[language].body.split()) for language in LANGUAGES}


def test_it_plans_both_commits_in_every_situation_then_the_mutant_then_the_measurements(parity):
    slots = [(slot.arm, slot.task) for slot in plan(parity, Selection.full).slots]

    assert slots == [
        *((commit, f"files-{scenario}") for scenario in SCENARIOS for commit in ("base", "head")),
        (MUTANT, "files-altered-time"),
        (MEASUREMENT, "files-build"),
        (MEASUREMENT, "files-verify"),
    ]


@pytest.mark.rule("P97")
def test_both_variants_are_commits_with_all_their_digits_and_a_digest_over_their_files(parity):
    design, _ = as_parity(parity)
    base, head = design.variants

    assert isinstance(base, CommitVariant)
    assert isinstance(head, CommitVariant)
    assert (base.commit[:7], head.commit[:7], head.against) == ("82c5ba4", "f5c7b4f", "base")
    assert base.tree != head.tree
    assert base.compiled == head.compiled


@pytest.mark.rule("P133")
def test_every_field_of_the_receipt_is_stated_or_counted_and_each_path_of_the_project_has_a_class(parity):
    design, _ = as_parity(parity)
    declared = design.changes["head"]

    stated = (declared.canonical_owner, declared.cross_runtime_calls, declared.facade_exit)
    assert all(isinstance(field, Stated) for field in stated)
    assert declared.legacy_deleted.known == "counted"
    for path, found in {
        "runner/reading/folder.py": PathClass.product,
        "runner/contract/schema/run.json": PathClass.generated,
        "sitegen/messages/zh/page.po": PathClass.product,
        "templates/assets/parity.css": PathClass.product,
        "tests/goldens/pages/home.en.html": PathClass.fixtures,
        "tests/parities.py": PathClass.tests,
        "docs/adr/README.md": PathClass.docs,
        "README.zh.md": PathClass.docs,
        "pyproject.toml": PathClass.configuration,
    }.items():
        assert declared.class_of(path) is found, path


@pytest.mark.rule("P135")
def test_manifest_and_protocol_say_that_later_main_is_not_qualified(parity, texts):
    (limit,) = (limit for limit in parity.study.limits if limit.id == "later-main")

    assert "each combination needs a run of its own" in limit.text.en
    assert "每一种组合都需要另行运行" in limit.text.zh
    assert said(texts["en"], "**Later main is not qualified.** A run speaks of the later commit alone")
    assert said(texts["zh"], "**主分支此后的内容未获鉴定。** 运行的结论只针对较晚的提交")


@pytest.mark.rule("P136")
def test_no_inventory_of_open_changes_is_supplied_and_the_protocol_says_what_that_means(parity, texts):
    design, _ = as_parity(parity)

    assert design.overlaps == {}
    assert said(texts["en"], "Where nobody did, they are *not supplied*")
    assert said(texts["zh"], "若无人提供，则标为“未提供”")


def test_the_full_command_is_timed_in_64_pairs_and_has_two_limits_as_the_protocol_says(parity, texts):
    design, _ = as_parity(parity)
    (gate,) = design.timing.gates

    assert (design.timing.measures, design.timing.pairs) == ((Measure.command,), 64)
    assert gate.gate == AtMost(statistic=Statistic.p95, percent_millionths=5_000_000, difference_ns=25_000_000)
    assert said(texts["en"], "64 matched pairs", "at most 5 % and by at most 25 ms; both", "1,000 times")
    assert said(texts["zh"], "64 个匹配对", "至多增加 5%，且至多增加 25 毫秒；两项均须", "如此 1,000 次")
    assert design.timing.resamplings == 1000


def test_nothing_but_eight_pages_of_two_builds_is_excused(parity):
    design, _ = as_parity(parity)
    (rule,) = design.rules

    assert (rule.scenarios, rule.form) == (("build", "edit-and-build"), "whole-entry")
    assert len(rule.entries) * len(LANGUAGES) == 8
    assert all("**" not in entry and entry.count("*") == 1 for entry in rule.entries)


def test_every_file_that_is_fetched_and_both_commits_have_a_license_row_and_none_is_cleared(parity):
    design, _ = as_parity(parity)
    rows = parity.licenses.rows
    commits = {f"commit {commit}" for commit in design.commits.values()}

    assert {item.role for item in design.artifacts} == {ArtifactRole.dependency}
    assert {row.detected.artifact for row in rows} == {item.file for item in design.artifacts} | commits
    assert LicenseState.cleared not in {row.state for row in rows}
    conflicts = {row.id for row in rows if row.state is LicenseState.conflict}
    assert conflicts == {"jinja2", "rfc8785", "typing-extensions"}


@pytest.mark.rule("P131")
def test_every_file_of_the_manifest_is_pinned_and_both_commits_get_the_same_project(parity, pytestconfig):
    folder = pytestconfig.rootpath / MANIFEST
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    _, tasks = as_parity(parity)

    ours = {name for name in files if not name.startswith("evidence/")}
    assert {pin.path for pin in parity.study.pinned} == ours - {"study.toml"}
    assert {scenario.project for scenario in tasks.scenarios} == {"fixtures/project"}


def laid_out(pytestconfig, tmp_path, edit: str = "") -> Path:
    """The project of the fixtures, with the files of an edit copied over it."""
    folder = tmp_path / "project"
    shutil.copytree(pytestconfig.rootpath / PROJECT, folder)
    if edit:
        shutil.copytree(pytestconfig.rootpath / MANIFEST / "fixtures" / "edits" / edit, folder, dirs_exist_ok=True)
    return folder


@pytest.mark.parametrize("run", [TINY, TALLY])
def test_the_runs_of_the_fixture_are_sealed_and_verify(run, pytestconfig):
    assert open_run(pytestconfig.rootpath / PROJECT / run).run.run == run.rpartition("/")[2]


@pytest.mark.parametrize("edit", ["altered-time", "sealed-again"])
def test_an_altered_run_is_refused_with_the_words_that_the_scenario_states(edit, parity, pytestconfig, tmp_path):
    _, tasks = as_parity(parity)
    (scenario,) = (item for item in tasks.scenarios if item.id == edit)
    command = scenario.step("command")
    assert isinstance(command, CallStep)

    with pytest.raises(ContractError) as refused:
        open_run(laid_out(pytestconfig, tmp_path, edit) / TINY, name=TINY)
    told = "\n".join(map(str, refused.value.problems))
    assert [text for text in command.expect.holds if text not in told] == []


def test_chinese_prose_has_full_width_punctuation_and_a_space_beside_latin_words(pytestconfig):
    path = pytestconfig.rootpath / "content" / "protocols" / "software-parity" / "1.1.zh.md"
    prose = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)

    assert not re.findall(rf"{HAN}[,;:!?()]", prose)
    assert not re.findall(rf"{HAN}[A-Za-z0-9`]|[A-Za-z0-9`]{HAN}", prose)
