"""A run with reduced timings measures for real and proves nothing of performance: no gate passes and none holds."""

import hashlib
import shutil

import pytest

from runner.contract.analysis.parity import ParityAnalysis, Performance, Sameness, Sensitivity
from runner.contract.analysis.parity_count import measured
from runner.contract.evidence import CommittedSource
from runner.contract.parity.disposition import GateDisposition
from runner.contract.parity.documents import read_samples
from runner.contract.parity.false_hold import UnknownFalseHoldRate
from runner.contract.parity.gate import Held, HoldReason, Unjudged, UnjudgedReason
from runner.contract.parity.host import Quiet
from runner.contract.parity.quantile import Quantile
from runner.contract.parity.reduction import timing_for
from runner.contract.plan import Selection, as_parity
from runner.publish import publish
from runner.reading.sealed import SealedRun, open_run
from tests.factories import COMMIT
from tests.runner.reading.forger import Forger, said
from tests.sitegen.pages.parity_sample import steady_samples


@pytest.fixture(scope="module")
def run(reduced_project) -> SealedRun:
    """A run of which every gate would hold at its full counts, on a host that was quiet."""
    (sealed,) = reduced_project.glob(".sealbook/runs/*/*/sealed")
    return open_run(sealed, name=sealed.parent.name)


def analysis(run: SealedRun) -> ParityAnalysis:
    assert isinstance(run.run.analysis, ParityAnalysis)
    return run.run.analysis


def test_it_takes_the_reduced_counts_and_is_whole_with_them(run):
    (row,) = analysis(run).measurements

    assert [(item.measure.value, item.taken, item.planned) for item in row.figures[::2]] == [
        ("command", 3, 3),
        ("cold", 1, 1),
        ("warm", 2, 2),
        ("burst", 3, 3),
    ]
    assert run.run.tally.accepted == run.run.tally.planned == 6
    assert run.plan.exclusions == ()


def test_no_gate_passes_or_holds_and_no_timing_is_admissible_however_quiet_the_host_was(run):
    (row,) = analysis(run).measurements

    assert row.contention == Quiet()
    assert not row.admissible
    assert [gate.judgement for gate in row.gates] == [Unjudged(reason=UnjudgedReason.reduced_timings)] * 2
    assert all(isinstance(gate.false_holds, UnknownFalseHoldRate) for gate in row.gates)
    assert all(isinstance(gate.head, Quantile) for gate in row.gates), "what was measured is shown all the same"
    assert (analysis(run).correctness, analysis(run).mutation) == (Sameness.same, Sensitivity.rejected)
    assert analysis(run).performance is Performance.not_yet_proven
    assert analysis(run).disposition is GateDisposition.not_yet_proven


def test_a_pair_that_fails_holds_no_gate_either(run):
    found = read_samples(run.data, "artifacts/measurement.files-bad-word.1/samples.json")
    attempt = run.attempt("measurement.files-bad-word.1")
    broken = steady_samples(found, slow=True, broken=True)
    protocol = timing_for(as_parity(run.plan)[0].timing, Selection.reduced_timings)
    (command, warm) = measured(protocol, attempt, broken, reduced=True).gates
    (held, _) = measured(protocol, attempt, broken, reduced=False).gates

    assert (command.samples.complete, command.samples.planned) == (2, 3)
    assert command.judgement == warm.judgement == Unjudged(reason=UnjudgedReason.reduced_timings)
    assert held.judgement == Held(reason=HoldReason.incomplete_pairs), "which it would be in a full run"


def test_a_reduced_run_that_calls_itself_full_lacks_the_samples_that_are_frozen(run, tmp_path):
    forger = Forger.of(run, tmp_path / "run")
    forger.document("plan.json", lambda it: it.update(selection="full"))
    plan = hashlib.sha256((tmp_path / "run" / "plan.json").read_bytes()).hexdigest()
    forger.document("run.json", lambda it: it.update(selection="full", plan_sha256=plan))
    problems = forger.problems()

    assert said(problems, "samples.json: pairs: are not the 49 that the protocol's seed gives")
    assert said(problems, "samples.json: daemons[0].warm: 2 samples, planned are 40")
    assert said(problems, "run.json: analysis.")


def test_a_reduced_run_that_calls_its_timings_admissible_or_its_gate_passed_is_named(run, tmp_path):
    forger = Forger.of(run, tmp_path / "run")

    def claim(record: dict) -> None:
        record["analysis"]["measurements"][0]["admissible"] = True
        record["analysis"]["measurements"][0]["gates"][1]["judgement"] = {"verdict": "pass"}

    forger.document("run.json", claim)
    problems = forger.problems()
    assert said(problems, "run.json: analysis.measurements[0].admissible: True stated, the attempts give False")
    assert said(problems, "run.json: analysis.measurements[0].gates[1].judgement")


def test_a_missed_gate_says_why_no_such_run_can_meet_it(run, call):
    gated = call("verify", run.folder, "--gates")

    assert gated.code == 1
    assert "is not-yet-proven; no gate of the study judges reduced timings, so that such a run never is" in gated.err
    assert "and make a full run" in gated.err


def test_it_may_be_published_as_a_run_for_correctness_may(reduced_project, run, tmp_path):
    root, head = shutil.copytree(reduced_project, tmp_path / "project"), CommittedSource(commit=COMMIT, modified=())
    study = run.run.study
    published = publish(root / ".sealbook" / "runs" / study, run.run.run, root / "manifests" / study, head)

    assert published.run.seal_sha256 == run.seal_sha256
