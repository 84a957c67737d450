"""What the commands say of a parity study: options that it has and has not, and a run from plan to gate."""

import json
import tempfile

import pytest

from runner.kinds.parity.kind import Parity
from tests.parities import SCENARIOS, Toy

ONE = "[[scenarios]]".join(SCENARIOS.split("[[scenarios]]")[:1] + SCENARIOS.split("[[scenarios]]")[2:])


@pytest.fixture
def toy(project, monkeypatch):
    """A parity study of one row, in the project and prepared."""
    toy = Toy(scenarios=ONE, backends=("files",), timed=(("files", "bad-word"),))
    toy.study(project / "manifests")
    toy.prepared(project / ".sealbook" / "prepared" / "tiny-parity")
    monkeypatch.setattr(Parity, "is_prepared", lambda self, study, folder: True)
    return toy


@pytest.mark.usefixtures("toy")
def test_a_plan_lists_variants_mutant_and_measurements_and_says_what_a_run_for_correctness_leaves_out(call):
    whole = call("plan", "tiny-parity").out
    assert "measurement.files-bad-word.1" in whole
    assert "6 attempts, 0 exclusions, full run" in whole
    part = call("plan", "tiny-parity", "--correctness-only").out
    assert "mutant.files-bad-word.1" in part
    assert "excluded  measurement.files-bad-word: left-out-of-correctness-run" in part
    assert "5 attempts, 1 exclusions, correctness-only run" in part
    assert "6 attempts, 0 exclusions, reduced-timings run" in call("plan", "tiny-parity", "--reduced-timings").out


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "tiny-parity", "--quick"), "there is no quick run of it; use --correctness-only"),
        (("plan", "tiny-parity", "--quick"), "there is no quick run of it; use --correctness-only"),
        (("run", "tiny", "--correctness-only"), "belongs to a parity study, and this is a qualification; leave it out"),
        (("plan", "tiny", "--reduced-timings"), "--reduced-timings belongs to a parity study, and this is a"),
        (
            ("run", "tiny", "--reduced-timings", "--correctness-only"),
            "--correctness-only and --reduced-timings belong to a parity study, and this is a qualification",
        ),
        (
            ("run", "tiny-parity", "--reduced-timings", "--quick"),
            "--quick and --reduced-timings ask for different runs; give one of them",
        ),
        (
            ("plan", "tiny-parity", "--reduced-timings", "--correctness-only"),
            "--correctness-only and --reduced-timings ask for different runs; give one of them",
        ),
        (("run", "tiny-parity", "--task", "x"), "belong to a comparison, and this is a parity study; leave them out"),
        (("run", "tiny-parity", "--dry-run"), "no backend acts in a study of kind parity; leave --dry-run out"),
    ],
)
def test_an_option_of_another_kind_is_a_mistake_in_use_and_says_what_to_do(call, words, said):
    ended = call(*words)
    assert ended.code == 2
    assert said in ended.err


@pytest.mark.rule("P131")
@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("file", ["fixtures/project/a.txt", "fixtures/spoilt/b.txt", "fixtures/client.py"])
def test_a_fixture_that_is_not_as_pinned_is_refused_before_anything_uses_it(call, project, file):
    with (project / "manifests" / "tiny-parity" / file).open("a") as stream:
        stream.write("\n")
    ended = call("run", "tiny-parity", "--correctness-only")

    assert ended.code == 1
    assert file in ended.err
    assert not (project / ".sealbook" / "runs").exists()


@pytest.mark.usefixtures("toy")
def test_a_run_for_correctness_ends_with_0_and_its_gate_is_missed_since_nothing_was_measured(call, project):
    with tempfile.TemporaryDirectory(prefix="toy-") as short:
        ended = call("run", "tiny-parity", "--correctness-only", "--work-root", short)
    assert ended.code == 0
    assert "sealed, 5/5 accepted, 1 excluded; not-yet-proven" in ended.out
    (sealed,) = project.glob(".sealbook/runs/tiny-parity/*/sealed")
    assert call("verify", sealed).code == 0
    gated = call("verify", sealed, "--gates")
    assert gated.code == 1
    assert "is not-yet-proven; a run for correctness alone measures nothing, so that such a run never is" in gated.err


@pytest.mark.long
@pytest.mark.usefixtures("toy")
def test_a_run_with_reduced_timings_ends_with_0_and_is_sealed_as_such(call, project):
    with tempfile.TemporaryDirectory(prefix="toy-") as short:
        ended = call("run", "tiny-parity", "--reduced-timings", "--work-root", short)
    assert ended.code == 0
    assert "sealed, 6/6 accepted; not-yet-proven" in ended.out
    (sealed,) = project.glob(".sealbook/runs/tiny-parity/*/sealed")
    assert json.loads((sealed / "run.json").read_bytes())["selection"] == "reduced-timings"
    assert call("verify", sealed).code == 0
