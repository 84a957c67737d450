"""Attempts of a comparison that did not come to their end, and an agent that works in the folder itself."""

from dataclasses import dataclass

import pytest

from runner.backends.backend import Acting, Brief
from runner.backends.fixture import FixtureBackend
from runner.contract.attempt import Outcome, ReasonCode, Verdict
from runner.contract.comparison.actions import ToolCallAction, WriteText
from runner.contract.comparison.detail import ComparisonDetail
from runner.contract.plan import Plan, Selection, Slot, as_comparison
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.errors import RunStoppedError
from runner.execute.run import execute
from runner.kinds.comparison.kind import Comparison
from runner.kinds.comparison.perform import perform
from runner.kinds.kind import Bench, Performed
from tests.comparisons import TEXT, Tiny
from tests.factories import Silent, an_order


@dataclass(frozen=True)
class Failing(Comparison):
    """A comparison whose first attempt in one lane ends otherwise than by its end."""

    error: type[BaseException] = RuntimeError

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        if slot.arm == TEXT:
            raise self.error("of ours")
        return super().perform(plan, slot, bench)


def test_a_fault_of_the_runner_is_an_attempt_that_was_not_judged_and_leaves_the_matrix_partial(tmp_path):
    frozen = Tiny().read(tmp_path / "manifests")
    sealed = execute(an_order(tmp_path, frozen, Failing()), Silent())  # type: ignore[arg-type]

    found = sealed.attempt(f"{TEXT}.narrow.1")
    assert (found.outcome, found.reason and found.reason.code) == (Outcome.failed_to_run, ReasonCode.runner_fault)
    assert {item.verdict for item in found.criteria} == {Verdict.not_reached}
    assert isinstance(found.detail, ComparisonDetail)
    assert (found.detail.who.agent, found.detail.observed.observation) == ("unknown", "unusable")
    assert sealed.run.analysis.disposition.value == "partial"


def test_a_comparison_that_was_stopped_goes_on_and_keeps_both_attempts(tmp_path):
    frozen = Tiny().read(tmp_path / "manifests")
    with pytest.raises(RunStoppedError):
        execute(an_order(tmp_path, frozen, Failing(error=KeyboardInterrupt)), Silent())  # type: ignore[arg-type]
    sealed = execute(an_order(tmp_path, frozen, Comparison()), Silent())  # type: ignore[arg-type]

    assert [(item.attempt, item.outcome) for item in sealed.attempts if item.arm == TEXT] == [
        (f"{TEXT}.narrow.1", Outcome.interrupted),
        (f"{TEXT}.narrow.1.r1", Outcome.accepted),
    ]
    assert sealed.run.analysis.disposition.value == "complete"


@dataclass(frozen=True, slots=True)
class Linking(FixtureBackend):
    """An agent that works in its workspace itself, as live ones do: it leaves a link there and writes through it."""

    target: str = ""

    def act(self, brief: Brief) -> Acting:
        (brief.workspace / "shop" / "link.py").symlink_to(self.target)
        operation = WriteText(path="shop/link.py", content="gone\n")
        reply = yield ToolCallAction(tool="write", request_bytes=1, response_bytes=1, operation=operation)
        assert (reply.done, reply.said) == (False, "a link may lead out of the workspace")


@pytest.mark.rule("T69", "T74", "T76")
def test_a_write_through_a_link_is_forbidden_and_the_file_behind_it_stays_as_it_was(tmp_path):
    precious = tmp_path / "precious"
    precious.write_bytes(b"kept\n")
    before = digest(precious.read_bytes())
    frozen = Tiny().read(tmp_path / "manifests")
    plan = Comparison().plan(frozen, Selection.full)
    facts = Comparison().facts(frozen, tmp_path)
    transcript = as_comparison(plan)[1].transcript(TEXT, "narrow")
    assert transcript is not None
    room = tmp_path / "room"
    room.mkdir()
    ticks = iter(range(10_000))
    performed = perform(
        plan,
        Slot(arm=TEXT, task="narrow", trial=1),
        Bench(folder=room, prepared=tmp_path, tier=Tier.process, facts=facts, now_ns=lambda: next(ticks)),
        lambda _plan, _slot: Linking(transcript, str(precious)),
        {},
    )

    assert digest(precious.read_bytes()) == before
    assert performed.outcome is Outcome.rejected
    (authority,) = [item for item in performed.criteria if item.id == "authority"]
    assert authority.verdict is Verdict.not_met
    assert b'"changed":["shop/link.py"]' in performed.artifacts["workspace.json"]
