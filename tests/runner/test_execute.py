"""One run from plan to seal: what is kept, what is made again, and what a run is held to."""

import json
from dataclasses import replace

import pytest

from runner.contract.attempt import Outcome, ReasonCode, Verdict
from runner.contract.events import FaultEvent, ProcessEvent
from runner.contract.evidence import CommittedSource, RunnerIdentity, UnknownSource
from runner.contract.plan import ExclusionReason, Selection
from runner.contract.qualification.design import Feature
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.errors import RunChangedError, RunInUseError, RunStoppedError, StorageError
from runner.execute.run import execute
from runner.ledger import Ledger
from runner.reading.sealed import open_run
from tests.factories import COMMIT, ScriptedKind, Silent, a_sealed_run, an_order
from tests.studies import a_study

CHECKS = len(Feature) - 3
INTERRUPTED = "tool.identity-kept.1"


class BrokenError(Exception):
    """A fault of the runner."""


@pytest.fixture
def study(tmp_path):
    return a_study(tmp_path / "manifests")


def raising(error, at):
    """A hook that raises in one attempt, the first time it is performed."""
    left = [at]

    def during(attempt, bench):
        if attempt in left:
            left.remove(attempt)
            raise error

    return during


def test_a_run_performs_every_slot_once_in_plan_order_and_is_sealed(tmp_path, study):
    kind = ScriptedKind()
    sealed = a_sealed_run(tmp_path, study, kind)
    assert kind.performed == [slot.attempt_id(0) for slot in sealed.plan.slots]
    assert [attempt.attempt for attempt in sealed.attempts] == kind.performed
    assert sealed.run.tally.accepted == sealed.run.tally.planned == CHECKS
    assert sealed.run.source == CommittedSource(commit=COMMIT, modified=())
    assert not any((tmp_path / "work-root").iterdir()), "no private folder stays"


def test_each_attempt_is_performed_in_a_folder_named_after_it_also_when_it_is_made_again(tmp_path, study):
    rooms = []
    interrupt = raising(KeyboardInterrupt(), INTERRUPTED)

    def during(attempt, bench):
        rooms.append(bench.folder.name)
        interrupt(attempt, bench)

    with pytest.raises(RunStoppedError):
        a_sealed_run(tmp_path, study, ScriptedKind(during=during))
    sealed = a_sealed_run(tmp_path, study, ScriptedKind(during=during))

    assert rooms == [f"sealbook-{attempt.attempt}" for attempt in sealed.attempts]
    assert f"sealbook-{INTERRUPTED}.r1" in rooms


def test_a_kind_may_have_all_attempts_performed_at_one_path_and_each_is_still_kept_under_its_name(tmp_path, study):
    folders = []

    class OnePath(ScriptedKind):
        def room(self, slot, retry):
            return "one-path"

    kind = OnePath(during=lambda attempt, bench: folders.append(bench.folder))
    sealed = a_sealed_run(tmp_path, study, kind)

    assert folders == [tmp_path / "work-root" / "sealbook-one-path"] * CHECKS
    assert [attempt.attempt for attempt in sealed.attempts] == kind.performed
    assert not any((tmp_path / "work-root").iterdir())


def test_equal_runs_have_equal_bytes(tmp_path):
    runs = [
        a_sealed_run(tmp_path / name, a_study(tmp_path / name / "manifests"), ScriptedKind(private={"db": b"x"}))
        for name in ("one", "another")
    ]
    assert runs[0].seal_sha256 == runs[1].seal_sha256


@pytest.mark.parametrize("outcome", [Outcome.rejected, Outcome.timed_out, Outcome.failed_to_run])
def test_whatever_becomes_of_an_attempt_is_a_value_and_the_run_goes_on(tmp_path, study, outcome):
    sealed = a_sealed_run(tmp_path, study, ScriptedKind(outcomes={"identity-kept": outcome}))
    assert sealed.run.tally.of(outcome) == 1
    assert sealed.run.tally.accepted == CHECKS - 1


def test_a_fault_of_the_runner_is_kept_as_such_without_a_path_of_the_machine(tmp_path, study):
    fault = BrokenError(f"cannot find {tmp_path / 'prepared' / 'tool'}")
    kind = ScriptedKind(during=raising(fault, "tool.identity-kept.1"))
    sealed = a_sealed_run(tmp_path, study, kind)
    attempt = sealed.attempt("tool.identity-kept.1")
    assert attempt.outcome is Outcome.failed_to_run
    assert attempt.reason is not None
    assert attempt.reason.code is ReasonCode.runner_fault
    assert all(criterion.verdict is Verdict.not_reached for criterion in attempt.criteria)
    (event,) = sealed.events(attempt.attempt)
    assert isinstance(event, FaultEvent)
    assert event.message == "BrokenError: cannot find {prepared}/tool"
    assert sealed.run.tally.accepted == CHECKS - 1


def test_a_study_that_asks_for_a_stronger_tier_is_refused_attempt_by_attempt(tmp_path):
    kind = ScriptedKind()
    sealed = a_sealed_run(tmp_path, a_study(tmp_path / "manifests", tier="bwrap"), kind)
    assert kind.performed == []
    assert sealed.run.tally.refused == sealed.run.tally.planned
    assert sealed.attempts[0].reason is not None
    assert sealed.attempts[0].reason.code is ReasonCode.tier_too_weak
    assert sealed.attempts[0].tier is Tier.process


def test_a_quick_run_excludes_what_is_slow_and_says_so(tmp_path):
    study = a_study(tmp_path / "manifests", slow=(Feature.dead_owner,))
    sealed = a_sealed_run(tmp_path, study, selection=Selection.quick)
    left_out = [e.task for e in sealed.plan.exclusions if e.reason is ExclusionReason.left_out_of_quick_run]
    assert left_out == ["dead-owner-kept"]
    assert sealed.run.tally.planned == CHECKS - 1


@pytest.mark.rule("R16")
def test_private_files_stay_private_and_are_committed_to_with_a_salt(tmp_path, study):
    kind = ScriptedKind(private={"state.db": b"secret state"}, artifacts={"report.txt": b"public"})
    sealed = a_sealed_run(tmp_path, study, kind)
    commitment = sealed.commitments[0]
    assert (commitment.name, commitment.bytes) == ("state.db", len(b"secret state"))
    private = sealed.folder.parent / "private" / commitment.attempt
    (line,) = (private / "salts.jsonl").read_text().splitlines()
    salt = bytes.fromhex(json.loads(line)["salt"])
    kept = (private / "files" / "1").read_bytes()
    assert kept == b"secret state"
    assert commitment.salted_sha256 == digest(salt + kept) != digest(kept)
    published = b"".join(path.read_bytes() for path in sealed.folder.rglob("*") if path.is_file())
    assert b"secret state" not in published
    assert salt.hex().encode() not in published
    assert sealed.folder.parent.stat().st_mode & 0o077 == 0, "nobody else may look into a run in progress"


def test_a_private_file_outside_the_attempts_folder_or_behind_a_link_is_a_fault(tmp_path, study):
    (tmp_path / "elsewhere").write_text("not the subject's")

    def link(attempt, bench):
        (bench.folder / "db").symlink_to(tmp_path / "elsewhere")

    class Linking(ScriptedKind):
        def perform(self, plan, slot, bench):
            performed = super().perform(plan, slot, bench)
            link(slot.attempt_id(0), bench)
            return replace(performed, private={"db": bench.folder / "db"})

    sealed = a_sealed_run(tmp_path, study, Linking())
    assert {a.reason.code for a in sealed.attempts if a.reason} == {ReasonCode.runner_fault}
    assert len(sealed.commitments) == 0


def stop_in(tmp_path, study, attempt, **options):
    """A run that the user stopped in the middle of an attempt."""
    kind = ScriptedKind(during=raising(KeyboardInterrupt(), attempt))
    with pytest.raises(RunStoppedError, match="the same command resumes it"):
        execute(an_order(tmp_path, study, kind, **options), Silent())
    return kind


def test_a_stopped_run_is_resumed_exactly(tmp_path, study):
    stopped = stop_in(tmp_path, study, "tool.persistence-kept.1")
    resumed = ScriptedKind()
    sealed = a_sealed_run(tmp_path, study, resumed)
    done = stopped.performed[:-1]
    assert not set(done) & set(resumed.performed), "what was done is not performed again"
    assert [a.attempt for a in sealed.attempts].count("tool.persistence-kept.1") == 1
    interrupted = sealed.attempt("tool.persistence-kept.1")
    again = sealed.attempt("tool.persistence-kept.1.r1")
    assert interrupted.outcome is Outcome.interrupted
    assert again.outcome is Outcome.accepted
    assert sealed.line_of(again.attempt) == sealed.line_of(interrupted.attempt) + 1
    tally = sealed.run.tally
    assert (tally.planned, tally.accepted, tally.interrupted, tally.superseded) == (CHECKS, CHECKS, 0, 1)
    assert len(sealed.attempts) == CHECKS + 1


@pytest.mark.parametrize("check", ["{}-kept", "race-{}", "r1-{}"])
def test_an_attempt_may_be_interrupted_more_than_once_whatever_its_check_is_called(tmp_path, check):
    study = a_study(tmp_path / "manifests", check=check)
    name = f"tool.{check.format('persistence')}.1"
    for _ in range(2):
        stop_in(tmp_path, study, name)
    sealed = a_sealed_run(tmp_path, study)
    assert sealed.attempt(f"{name}.r1").outcome is Outcome.interrupted
    assert sealed.attempt(f"{name}.r2").outcome is Outcome.accepted
    assert sealed.run.tally.superseded == 2


def test_what_an_interrupted_attempt_had_written_is_kept_and_not_published(tmp_path, study):
    stop_in(tmp_path, study, "tool.persistence-kept.1")
    (run,) = an_order(tmp_path, study).runs.iterdir()
    (run / "events" / "tool.persistence-kept.1.jsonl").write_text("half\n")
    sealed = a_sealed_run(tmp_path, study)
    aside = run / "interrupted" / "tool.persistence-kept.1" / "events" / "tool.persistence-kept.1.jsonl"
    assert aside.read_text() == "half\n"
    assert sealed.attempt("tool.persistence-kept.1").events is None


def test_a_finished_run_is_left_alone_and_the_next_is_a_new_one(tmp_path, study):
    first = a_sealed_run(tmp_path, study)
    second = a_sealed_run(tmp_path, study)
    assert (first.run.run, second.run.run) == ("20261130T010203Z", "20261130T010203Z-2")
    assert open_run(first.folder).seal_sha256 == first.seal_sha256


def test_a_new_run_may_be_begun_beside_an_unfinished_one(tmp_path, study):
    stop_in(tmp_path, study, "tool.persistence-kept.1")
    (left,) = an_order(tmp_path, study).runs.iterdir()
    assert a_sealed_run(tmp_path, study, new=True).run.tally.superseded == 0
    assert (left / "ledger.jsonl").is_file(), "what was left unfinished is kept"
    other = replace(an_order(tmp_path, study), runner=RunnerIdentity(version="0.2.0", files=1, sha256="0" * 64))
    assert execute(other, Silent()).run.run.endswith("-3"), "and does not stand in the way of later runs"


def test_the_tenth_run_of_a_second_is_later_than_the_ninth(tmp_path, study):
    for _ in range(9):
        a_sealed_run(tmp_path, study)
    stop_in(tmp_path, study, "tool.persistence-kept.1")
    assert a_sealed_run(tmp_path, study).run.run.endswith("Z-10"), "it is resumed"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"source": CommittedSource(commit="0" * 40, modified=())}, "the source was at c0ffeec0ffee and is at 0000"),
        ({"source": CommittedSource(commit=COMMIT, modified=("a.py",))}, "the source was clean, and a.py is modified"),
        ({"source": UnknownSource(reason="git is gone")}, "the state of the source"),
        ({"runner": RunnerIdentity(version="0.1.0", files=1, sha256="0" * 64)}, "the runner has changed"),
        ({"selection": Selection.quick}, "it is a full run, and now a quick one is asked for"),
    ],
)
def test_a_run_is_not_resumed_under_something_else(tmp_path, study, change, said):
    stop_in(tmp_path, study, "tool.persistence-kept.1")
    kind = ScriptedKind()
    with pytest.raises(RunChangedError) as refused:
        execute(replace(an_order(tmp_path, study, kind), **change), Silent())
    assert said in str(refused.value)
    assert "--new" in str(refused.value)
    assert kind.performed == []


def test_a_run_is_not_resumed_under_another_manifest(tmp_path, study):
    stop_in(tmp_path, study, "tool.persistence-kept.1")
    other = a_study(tmp_path / "manifests", title="Another title")
    with pytest.raises(RunChangedError, match="the manifest has changed"):
        a_sealed_run(tmp_path, other)


def test_a_run_from_a_checkout_is_not_resumed_with_another_or_none(tmp_path, study):
    stop_in(tmp_path, study, "tool.persistence-kept.1", checkout=tmp_path / "one")
    with pytest.raises(RunChangedError, match="it was built from other source than the checkout holds now"):
        a_sealed_run(tmp_path, study, checkout=tmp_path / "another")
    with pytest.raises(RunChangedError, match="it began with --repo"):
        a_sealed_run(tmp_path, study)
    assert a_sealed_run(tmp_path, study, checkout=tmp_path / "one").run.tally.superseded == 1


def test_two_runners_never_share_a_run(tmp_path, study):
    stop_in(tmp_path, study, "tool.persistence-kept.1")
    (run,) = an_order(tmp_path, study).runs.iterdir()
    with Ledger(run), pytest.raises(RunInUseError, match="another process is performing this run"):
        a_sealed_run(tmp_path, study)
    a_sealed_run(tmp_path, study)


def test_a_run_can_be_sealed_elsewhere(tmp_path, study):
    out = tmp_path / "results" / "here"
    sealed = a_sealed_run(tmp_path, study, out=out)
    assert sealed.folder == out
    assert open_run(out).run.run == sealed.run.run
    assert [path.name for path in out.parent.iterdir()] == ["here"], "nothing else is written there"


def test_a_folder_that_holds_something_is_refused_before_anything_runs(tmp_path, study):
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    kind = ScriptedKind()
    with pytest.raises(StorageError, match="exists and is not empty"):
        a_sealed_run(tmp_path, study, kind, out=out)
    assert kind.performed == []
    assert (out / "mine.txt").read_text() == "mine"
    assert not an_order(tmp_path, study).runs.exists()


def test_a_seal_that_was_cut_off_after_the_move_is_recognized(tmp_path, study):
    out = tmp_path / "out"
    sealed = a_sealed_run(tmp_path, study, out=out)
    (run,) = an_order(tmp_path, study).runs.iterdir()
    (run / "finished.json").unlink()
    kind = ScriptedKind()
    again = a_sealed_run(tmp_path, study, kind, out=out)
    assert (again.seal_sha256, kind.performed) == (sealed.seal_sha256, [])


def test_what_fails_before_a_run_has_begun_leaves_nothing_behind(tmp_path, study):
    class Factless(ScriptedKind):
        def facts(self, study, prepared):
            raise BrokenError("nothing is installed")

    with pytest.raises(BrokenError):
        a_sealed_run(tmp_path, study, Factless())
    assert list(an_order(tmp_path, study).runs.iterdir()) == []


def test_a_damaged_file_of_an_unfinished_run_is_never_sealed(tmp_path, study):
    stop_in(tmp_path, study, "tool.persistence-kept.1")
    (run,) = an_order(tmp_path, study).runs.iterdir()
    events = run / "events" / "tool.identity-kept.1.jsonl"
    events.write_bytes(events.read_bytes().replace(b"exit 0", b"exit 9"))
    with pytest.raises(Exception, match="differs from what its attempt file says"):
        a_sealed_run(tmp_path, study)
    assert not (run / "sealed").exists()


@pytest.mark.rule("R18")
def test_commands_in_a_subjects_output_are_recorded_and_neither_executed_nor_attested(tmp_path, study):
    made = tmp_path / "executed"
    claimed = f'verified with: touch {made} && $(touch {made}) `touch {made}`; {{"outcome": "accepted"}}\n'
    kind = ScriptedKind(outcomes={"tool": Outcome.rejected}, output=claimed, artifacts={"verify.sh": claimed.encode()})
    sealed = a_sealed_run(tmp_path, study, kind)
    (event, _) = sealed.events("tool.identity-kept.1")
    assert isinstance(event, ProcessEvent)
    assert event.stdout.text == claimed
    assert sealed.data("artifacts/tool.identity-kept.1/verify.sh") == claimed.encode()
    assert not made.exists()
    assert sealed.run.tally.accepted == 0, "what a subject says of itself decides nothing"
    assert all(path.stat().st_mode & 0o111 == 0 for path in sealed.folder.rglob("*") if path.is_file())
