"""Subjects are made from pinned files alone, a checkout beside them, and neither touches the user's programs.

pip is driven for real; the "index" is a folder that the user's own pip configuration names.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from runner.contract.artifact import Artifact, ArtifactRole
from runner.contract.attempt import Outcome
from runner.contract.events import ProcessEvent
from runner.contract.evidence import CheckoutSubject, CommittedSource, PinnedSubject, QualificationFacts
from runner.contract.plan import Slot, as_qualification
from runner.contract.qualification.design import InstalledSubject
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.errors import NotPreparedError, PreparationError, UsageError
from runner.kinds.kind import Bench
from runner.kinds.qualification.help_output import check_help
from runner.kinds.qualification.installed import Installed
from runner.kinds.qualification.kind import Qualification
from runner.reading.manifest import FrozenStudy
from runner.sandbox.workspace import private_child
from tests.runner.kinds.distributions import (
    MODULE,
    source_files,
    write_sdist,
    write_tree,
    write_wheel,
)
from tests.runner.kinds.qualification.laboratory import Laboratory, a_check, of_kind, step
from tests.studies import a_study

KIND = Qualification()
LOOK = "import helper, sys; assert helper.X; open(sys.argv[1])"
FILES = {"tool/__init__.py": "", "tool/main.py": MODULE.format(word="pinned")}


def with_artifacts(study: FrozenStudy, *artifacts: Artifact) -> FrozenStudy:
    """The study with other artifacts of its subject."""
    design, _ = as_qualification(study)
    subjects = tuple(
        item.model_copy(update={"artifacts": artifacts}) if isinstance(item, InstalledSubject) else item
        for item in design.subjects
    )
    changed = study.study.model_copy(update={"design": design.model_copy(update={"subjects": subjects})})
    return replace(study, study=changed)


def pin(path: Path, name: str, role: ArtifactRole) -> Artifact:
    """An artifact as the manifest pins it."""
    return Artifact(name=name, version="1.0", file=path.name, sha256=digest(path.read_bytes()), role=role)


@dataclass(frozen=True, slots=True)
class Shop:
    """A study, the folder that serves as its index, and what was prepared of it."""

    study: FrozenStudy
    index: Path
    prepared: Path
    said: tuple[str, ...]


@pytest.fixture(scope="module")
def user_configuration(tmp_path_factory) -> Iterator[Path]:
    """A user whose pip configuration names a folder as the only index, and who has secrets."""
    index = tmp_path_factory.mktemp("index")
    config = tmp_path_factory.mktemp("config") / "pip.conf"
    config.write_text(f"[global]\nno-index = true\nfind-links = {index}\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PIP_FIND_LINKS", "PIP_CONSTRAINT", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
            patch.delenv(name, raising=False)
        patch.setenv("PIP_CONFIG_FILE", str(config))
        yield index


@pytest.fixture(scope="module")
def shop(user_configuration: Path, tmp_path_factory) -> Shop:
    """One subject with a dependency and its source, prepared once."""
    index = user_configuration
    subject = write_wheel(index, "tool", "1.0", FILES, {"tool": "tool.main:main"})
    helper = write_wheel(index, "helper", "1.0", {"helper.py": "X = 1\n"})
    source = write_sdist(index, source_files("from source"))
    study = with_artifacts(
        a_study(tmp_path_factory.mktemp("study")),
        pin(subject, "tool", ArtifactRole.subject),
        pin(helper, "helper", ArtifactRole.dependency),
        pin(source, "tool", ArtifactRole.source),
    )
    prepared = tmp_path_factory.mktemp("prepared")
    said: list[str] = []
    KIND.prepare(study, prepared, said.append)
    return Shop(study, index, prepared, tuple(said))


def perform(shop: Shop, prepared: Path, tmp_path: Path, *steps):
    """An attempt on what was prepared or built."""
    laboratory = Laboratory(shop.study, prepared, tmp_path)
    check = a_check(*steps)
    with private_child(tmp_path, "probe") as folder:
        bench = Bench(folder, prepared, Tier.process, QualificationFacts(subjects=()), time.monotonic_ns)
        return KIND.perform(laboratory.plan(check), Slot(arm="tool", task="probe", trial=1), bench)


@pytest.mark.rule("R5")
def test_preparation_is_its_own_step_and_an_attempt_needs_no_index_any_more(shop, tmp_path):
    assert KIND.is_prepared(shop.study, shop.prepared)
    away = shop.index.rename(shop.index.with_name("away"))
    try:
        performed = perform(
            shop,
            shop.prepared,
            tmp_path,
            step("one", expect=[{"expect": "holds", "stream": "stdout", "text": "pinned"}]),
            {**step("two"), "argv": ["{python}", "-c", LOOK, "{source}/tests/test_tool.py"]},
        )
    finally:
        away.rename(shop.index)

    assert performed.outcome is Outcome.accepted, [event.stderr.text for event in of_kind(performed, ProcessEvent)]


def test_a_second_preparation_finds_everything_in_place(shop):
    said: list[str] = []
    KIND.prepare(shop.study, shop.prepared, said.append)

    assert said == ["tool: in place"]
    assert len(shop.said) > 4


@pytest.mark.parametrize("spoilt", ["env/bin/tool", "source/tool/main.py", "complete.json"])
def test_a_changed_file_makes_it_unprepared(shop, spoilt):
    path = shop.prepared / "tool" / spoilt
    before = path.read_bytes()
    path.write_bytes(before + b"\n")
    try:
        assert not KIND.is_prepared(shop.study, shop.prepared)
    finally:
        path.write_bytes(before)
    assert KIND.is_prepared(shop.study, shop.prepared)


def test_another_pin_or_another_place_is_not_prepared(shop, tmp_path):
    (subject,) = [item for item in shop.study.study.design.subjects if isinstance(item, InstalledSubject)]
    fewer = with_artifacts(shop.study, *subject.artifacts[:-1])
    shutil.copytree(shop.prepared, tmp_path / "copy", symlinks=True)

    assert not KIND.is_prepared(fewer, shop.prepared)
    assert not KIND.is_prepared(shop.study, tmp_path / "copy")
    assert not KIND.is_prepared(shop.study, tmp_path / "nothing")


def test_a_file_that_is_not_the_pinned_one_is_refused_and_nothing_counts_as_prepared(shop, tmp_path):
    (subject,) = [item for item in shop.study.study.design.subjects if isinstance(item, InstalledSubject)]
    wrong = subject.artifacts[0].model_copy(update={"sha256": "0" * 64})
    study = with_artifacts(shop.study, wrong, *subject.artifacts[1:])

    with pytest.raises(PreparationError, match=r"cannot fetch tool-1\.0-py3-none-any\.whl"):
        KIND.prepare(study, tmp_path, lambda act: None)
    assert not KIND.is_prepared(study, tmp_path)


def test_help_that_differs_from_the_pinned_file_is_shown_as_a_short_diff(shop, tmp_path):
    (subject,) = [item for item in shop.study.study.design.subjects if isinstance(item, InstalledSubject)]
    entry = shop.study.tasks.subjects[0].not_offered[0]
    (tmp_path / "help.txt").write_text("usage: tool [claim] [replay]\n", encoding="utf-8")

    with pytest.raises(PreparationError) as refused:
        check_help(Installed.of(shop.prepared, subject), entry, tmp_path / "help.txt")
    assert "-usage: tool [claim] [replay]" in str(refused.value)
    assert "+usage: tool [claim]" in str(refused.value)


@pytest.mark.rule("R20")
def test_the_facts_name_artifacts_and_curated_files_as_installed(shop):
    (facts,) = KIND.facts(shop.study, shop.prepared).subjects

    assert isinstance(facts, PinnedSubject)
    assert [item.role for item in facts.artifacts] == ["subject", "dependency", "source"]
    (curated,) = facts.files
    assert (curated.path, curated.sha256) == ("tool/main.py", digest(FILES["tool/main.py"].encode()))


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True)


def a_checkout(folder: Path) -> Path:
    """A clean git checkout of the subject."""
    write_tree(folder, source_files("from checkout"))
    git(folder, "init")
    git(folder, "add", "-A")
    git(folder, "commit", "-m", "All")
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clean git checkout of the subject."""
    return a_checkout(tmp_path / "checkout")


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file of a tree, by path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@dataclass(frozen=True, slots=True)
class Build:
    """A build of a clean checkout, and what the checkout and the prepared folder held before it."""

    checkout: Path
    folder: Path
    checkout_before: dict[str, bytes]
    prepared_before: dict[str, bytes]


@pytest.fixture(scope="module")
def build(shop: Shop, tmp_path_factory) -> Build:
    """A clean checkout that was built once, while the user's pip would have asked a server. No test changes it."""
    checkout = a_checkout(tmp_path_factory.mktemp("clean") / "checkout")
    made = Build(checkout, checkout.with_name("built"), snapshot(checkout), snapshot(shop.prepared))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/must-not-be-asked")
        KIND.build_checkout(shop.study, shop.prepared, checkout, made.folder)
    return made


@pytest.mark.rule("R2")
def test_a_checkout_is_built_apart_offline_and_the_users_tree_stays_as_it_was(shop, build, tmp_path):
    assert sorted(path.name for path in (build.folder / "tool").iterdir()) == ["checkout.json", "env", "source"]
    assert not (build.folder / "tool" / "source" / "built-here").exists()
    said = step("one", expect=[{"expect": "holds", "stream": "stdout", "text": "from checkout"}])
    performed = perform(shop, build.folder, tmp_path, said)

    assert performed.outcome is Outcome.accepted, of_kind(performed, ProcessEvent)
    assert snapshot(build.checkout) == build.checkout_before
    assert snapshot(shop.prepared) == build.prepared_before


@pytest.mark.rule("R19")
def test_a_modified_checkout_is_flagged_with_the_paths(shop, build, tmp_path):
    checkout = shutil.copytree(build.checkout, tmp_path / "checkout")
    (checkout / "tool" / "main.py").write_text(MODULE.format(word="changed"), encoding="utf-8")
    (checkout / "new.txt").write_text("x", encoding="utf-8")
    KIND.build_checkout(shop.study, shop.prepared, checkout, tmp_path / "dirty")
    (clean,) = KIND.facts(shop.study, build.folder).subjects
    (dirty,) = KIND.facts(shop.study, tmp_path / "dirty").subjects

    assert isinstance(clean, CheckoutSubject)
    assert isinstance(dirty, CheckoutSubject)
    assert isinstance(clean.source, CommittedSource)
    assert isinstance(dirty.source, CommittedSource)
    assert clean.source.modified == ()
    assert dirty.source.modified == ("new.txt", "tool/main.py")
    assert clean.source.commit == dirty.source.commit
    assert clean.tree != dirty.tree
    assert clean.files != dirty.files


def test_a_build_knows_the_source_that_it_was_made_from(shop, build, tmp_path):
    before = snapshot(build.folder)
    assert KIND.is_built_from(shop.study, build.checkout, build.folder)
    changed = shutil.copytree(build.checkout, tmp_path / "changed")
    (changed / "tool" / "main.py").write_text(MODULE.format(word="changed"), encoding="utf-8")
    assert not KIND.is_built_from(shop.study, changed, build.folder)
    assert snapshot(build.folder) == before


@pytest.mark.parametrize(
    ("spoil", "error", "says"),
    [
        (lambda folder: (folder / "pyproject.toml").unlink(), UsageError, "no readable pyproject.toml"),
        (lambda folder: (folder / "pyproject.toml").write_text("["), UsageError, "states no project name"),
        (lambda folder: (folder / "pyproject.toml").write_text("project = 1"), UsageError, "states no project name"),
        (
            lambda folder: (folder / "pyproject.toml").write_text("[project]\nname = 'other'"),
            UsageError,
            "'other' is no subject of tiny; give a checkout of tool",
        ),
        (lambda folder: os.mkfifo(folder / "tool" / "pipe"), PreparationError, "1 of its files .* tool/pipe: .* pipe"),
        (lambda folder: (folder / "backend.py").write_text("raise OSError"), PreparationError, "cannot build"),
    ],
)
def test_a_checkout_that_cannot_be_used_is_refused_and_nothing_stays(shop, checkout, tmp_path, spoil, error, says):
    spoil(checkout)

    with pytest.raises(error, match=says):
        KIND.build_checkout(shop.study, shop.prepared, checkout, tmp_path / "built")
    assert not (tmp_path / "built").exists()


def test_without_preparation_no_checkout_is_built(shop, checkout, tmp_path):
    with pytest.raises(NotPreparedError):
        KIND.build_checkout(shop.study, tmp_path / "nothing", checkout, tmp_path / "built")


def test_the_same_interpreter_under_another_name_finds_what_was_prepared(shop, monkeypatch):
    monkeypatch.setattr(sys, "executable", f"{sys.executable}3")

    assert KIND.is_prepared(shop.study, shop.prepared)
