"""Two commits are laid out by their pinned bytes, held against each other, and timed without a daemon."""

import json
from dataclasses import replace

import pytest

from runner.contract.analysis.parity import ParityAnalysis, Performance, Sameness, Sensitivity
from runner.contract.artifact import Artifact, ArtifactRole
from runner.contract.attempt import Outcome
from runner.contract.errors import InvalidRecordError
from runner.contract.parity.design import MEASUREMENT
from runner.contract.parity.detail import CommitFacts, MeasurementDetail, ParityFacts
from runner.contract.parity.economics import PathClass
from runner.contract.parity.numstat import Lines, sums
from runner.contract.parity.timing import Measure
from runner.contract.plan import Selection, as_parity
from runner.contract.seal import digest
from runner.errors import PreparationError
from runner.kinds.parity.kind import Parity
from runner.kinds.parity.stage import epoch
from runner.reading.sealed import SealedRun
from tests.commit_parities import AFTER, BEFORE, CLASSES, OVERLAP, STUDY, CommitToy, sha256_of
from tests.runner.kinds.distributions import write_wheel

KIND = Parity()


@pytest.fixture(scope="module")
def measured(tmp_path_factory) -> SealedRun:
    """One whole run."""
    return CommitToy(overlap=OVERLAP).run(tmp_path_factory.mktemp("commits") / "repository", Selection.full)


def facts_of(run: SealedRun) -> tuple[CommitFacts, CommitFacts]:
    facts = run.run.facts
    assert isinstance(facts, ParityFacts)
    base, head = facts.variants
    assert isinstance(base, CommitFacts)
    assert isinstance(head, CommitFacts)
    return base, head


@pytest.mark.rule("P97")
def test_two_commits_are_held_against_each_other_and_the_mutant_of_the_later_one_is_rejected(measured):
    analysis = measured.run.analysis
    assert isinstance(analysis, ParityAnalysis)
    base, head = facts_of(measured)

    assert (analysis.correctness, analysis.mutation) == (Sameness.same, Sensitivity.rejected)
    assert (base.tree, head.tree) == (sha256_of(BEFORE), sha256_of(AFTER))
    assert (base.against, head.against, base.changes) == (None, "base", ())


@pytest.mark.rule("P133")
def test_the_change_is_counted_from_the_difference_of_the_two_commits(measured):
    design, _ = as_parity(measured.plan)
    found = sums(design.changes["head"], facts_of(measured)[1].changes)

    assert found.product == Lines(files=3, added=3, deleted=6, binary=0)
    assert found.legacy_deleted == Lines(files=1, added=0, deleted=5, binary=0)
    assert found.bridge_added == Lines(files=1, added=2, deleted=0, binary=0)
    assert dict(found.by_class)[PathClass.docs] == Lines(files=2, added=4, deleted=4, binary=0)  # it was moved
    assert dict(found.by_class)[PathClass.fixtures] == Lines(files=1, added=0, deleted=0, binary=1)


def test_without_a_daemon_the_command_alone_is_sampled_and_judged(measured):
    (attempt,) = (item for item in measured.attempts if item.arm == MEASUREMENT)
    analysis = measured.run.analysis
    assert isinstance(analysis, ParityAnalysis)
    assert attempt.detail.kind == "parity"
    assert isinstance(attempt.detail.what, MeasurementDetail)
    (row,) = analysis.measurements

    assert attempt.outcome is Outcome.accepted
    assert [item.id for item in attempt.criteria] == ["module-root", "samples-taken", "no-leftovers"]
    assert [(item.measure, item.taken, item.planned) for item in attempt.detail.what.samples] == [
        (Measure.command, 4, 4),
        (Measure.command, 4, 4),
    ]
    assert {item.measure for item in row.figures} == {Measure.command}
    assert analysis.performance in (Performance.passed, Performance.owner_review_hold, Performance.not_yet_proven)
    samples = json.loads(measured.data(f"artifacts/{attempt.attempt}/samples.json"))
    assert (len(samples["pairs"]), samples["daemons"]) == (4, [])


def test_what_is_pinned_is_made_with_its_dependencies_compiled_and_a_change_of_it_is_noticed(tmp_path, monkeypatch):
    wheel = write_wheel(tmp_path, "nothing", "1.0", {"nothing.py": ""})
    config = tmp_path / "pip.conf"
    config.write_text(f"[global]\nno-index = true\nfind-links = {tmp_path}\n", encoding="utf-8")
    for name in ("PIP_FIND_LINKS", "PIP_CONSTRAINT", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    frozen = CommitToy().study(tmp_path / "repository")
    design, _ = as_parity(frozen)
    pin = Artifact(
        name="nothing",
        version="1.0",
        file=wheel.name,
        sha256=digest(wheel.read_bytes()),
        role=ArtifactRole.dependency,
    )
    changed = frozen.study.model_copy(update={"design": design.model_copy(update={"artifacts": (pin,)})})
    study, prepared = replace(frozen, study=changed), tmp_path / "prepared"

    KIND.prepare(study, prepared, lambda line: None)

    assert KIND.is_prepared(study, prepared)
    assert {item.name for item in prepared.iterdir()} == {"env", "wheels", "variants", "changes.json", "complete.json"}
    for name in ("base", "head"):
        tree = prepared / "variants" / name
        compiled = {path.name.partition(".")[0] for path in (tree / "tally" / "__pycache__").iterdir()}
        assert compiled == {path.stem for path in (tree / "tally").glob("*.py")}
        assert {int(path.stat().st_mtime) for path in tree.rglob("*")} == {epoch(design.file_time)}
    kept = (prepared / "changes.json").read_bytes()
    (prepared / "changes.json").write_bytes(kept.replace(b'"added":2', b'"added":3'))
    assert not KIND.is_prepared(study, prepared)
    (prepared / "changes.json").write_bytes(kept)
    assert KIND.is_prepared(study, prepared)


def refused(toy: CommitToy, tmp_path) -> list[str]:
    """What is said when the study is laid out."""
    frozen = toy.study(tmp_path / "repository")
    with pytest.raises(PreparationError) as error:
        toy.laid_out(frozen, tmp_path / "prepared")
    return [str(problem) for problem in error.value.problems]


def test_every_commit_that_the_repository_lacks_is_named_with_how_to_get_it(tmp_path):
    said = refused(CommitToy(commits={"base": "1" * 40, "head": "2" * 40}), tmp_path)

    assert [line.partition(";")[0] for line in said] == [
        f"base: the repository of this study has no commit {'1' * 40}",
        f"head: the repository of this study has no commit {'2' * 40}",
    ]
    assert all("git fetch --unshallow" in line for line in said)


def test_files_other_than_those_that_are_pinned_are_refused_with_both_digests(tmp_path):
    said = refused(CommitToy(trees={"head": "0" * 64}), tmp_path)

    digests = f"its files have the digest {sha256_of(AFTER)}, the manifest pins {'0' * 64}"
    assert said == [f"head: {digests}; pin this digest, if this commit is meant"]


@pytest.mark.rule("P133")
def test_every_changed_file_that_no_class_names_is_named(tmp_path):
    classes = CLASSES.replace('"docs/**", ', "").replace('  { path_class = "fixtures", paths = ["data/**"] },\n', "")
    said = refused(CommitToy(classes=classes), tmp_path)

    assert [line.partition(", and")[0] for line in said] == [
        f"head: {path}: is changed" for path in ("data/logo.bin", "docs/new.md", "docs/old.md")
    ]


def test_files_that_attributes_leave_out_of_an_export_are_no_silent_gap_in_what_is_counted(tmp_path):
    after = {**AFTER, ".gitattributes": "tests export-ignore\n"}
    pinned = sha256_of({path: text for path, text in after.items() if not path.startswith("tests/")})
    classes = CLASSES.replace('"README.md"', '"README.md", ".gitattributes"')
    (said,) = refused(CommitToy(after=after, classes=classes, trees={"head": pinned}), tmp_path)

    assert said.startswith(
        "head: has 0 files more than base as laid out, 1 by git's difference; compare commits without"
    )


def test_a_study_outside_of_a_repository_is_told_to_come_from_a_clone(tmp_path):
    frozen = CommitToy().study(tmp_path / "repository")
    (tmp_path / "repository" / ".git").rename(tmp_path / "elsewhere")

    with pytest.raises(PreparationError, match=f"{STUDY}: the study lies in no repository of git"):
        CommitToy().laid_out(frozen, tmp_path / "prepared")


MEASURED = 'client = "fixtures/client.py"\nrequest = ["x"]\npairs = 4\ncold = 1\nwarm = 1\nburst = 1'
DAEMON = '[design.daemon]\nask = ["a"]\nstop = ["b"]\nreceipt = "r"\npid = "p"'
DEFECTS = {
    "two variants of one commit": (
        CommitToy(after=BEFORE, commits={"base": "3" * 40, "head": "3" * 40}),
        "of one commit",
    ),
    "a daemon that is not measured": (CommitToy(daemon=DAEMON), "a daemon is measured: timing needs client"),
    "a daemon measured that is not there": (CommitToy(timing=MEASURED), "without a daemon the command alone is timed"),
    "something else that is timed": (CommitToy(timing='timed = "all"\npairs = 4'), "timed is not command-alone"),
    "a gate on what is not timed": (CommitToy(gate_measure="warm"), "the command alone is timed, and gates judge warm"),
    "a change without its fields": (CommitToy(change="[design.variants.change]\nclasses = []"), "canonical_owner"),
    "an inventory that is none": (CommitToy(overlap='format = "x"\n'), "tiny-commits/tasks/overlap.toml: format"),
}


@pytest.mark.parametrize(("toy", "said"), DEFECTS.values(), ids=DEFECTS)
def test_a_manifest_is_refused_for(toy, said, tmp_path):
    with pytest.raises(InvalidRecordError) as error:
        toy.study(tmp_path / "repository")
    assert any(said in str(problem) for problem in error.value.problems), error.value.problems


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('against = "base"\n', "", "exactly the variants that are held against another declare a change"),
        ('origin = "commit"', 'origin = "elsewhere"', "origin is neither package nor commit"),
        ('overlap = "tasks/overlap.toml"', 'overlap = "tasks/other.toml"', "tasks/other.toml is not pinned"),
    ],
    ids=["a change from nothing", "an origin that is none", "an inventory that is not pinned"],
)
def test_a_variant_is_refused_for(old, new, said, tmp_path, monkeypatch):
    toy = CommitToy(overlap=OVERLAP)
    whole = CommitToy._study
    monkeypatch.setattr(CommitToy, "_study", lambda self, *given: whole(self, *given).replace(old, new))
    with pytest.raises(InvalidRecordError) as error:
        toy.study(tmp_path / "repository")
    assert any(said in str(problem) for problem in error.value.problems), error.value.problems
