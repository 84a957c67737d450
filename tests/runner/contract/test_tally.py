"""Counting: failures of every kind stay in the denominator, and nothing shrinks silently."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.attempt import Attempt, Outcome, QualificationDetail
from runner.contract.plan import Slot
from runner.contract.study import Tier
from runner.contract.tally import Endings, Tally
from runner.contract.values import NoModelUsage
from tests.factories import counted, current


def slots(number: int) -> list[Slot]:
    return [Slot(arm="tool", task="check", trial=n + 1) for n in range(number)]


def attempt(slot: Slot, outcome: Outcome, retry: int = 0, *, passed_after_cap: bool = False) -> Attempt:
    return Attempt(
        attempt=slot.attempt_id(retry),
        arm=slot.arm,
        task=slot.task,
        trial=slot.trial,
        retry=retry,
        outcome=outcome,
        reason=None,
        passed_after_cap=passed_after_cap,
        criteria=(),
        usage=NoModelUsage(),
        tier=Tier.process,
        events=None,
        artifacts=(),
        detail=QualificationDetail(steps_performed=0, processes_started=0, clock_shifts=0, kills=0, leftovers=0),
    )


@pytest.mark.report("A1")
def test_attempts_that_failed_to_run_stay_in_the_denominator():
    outcomes = [Outcome.accepted] * 6 + [Outcome.rejected] * 2 + [Outcome.failed_to_run] * 2
    found = counted(Endings(slots(10)), [attempt(s, o) for s, o in zip(slots(10), outcomes, strict=True)]).tally(
        excluded=0
    )
    assert (found.accepted, found.planned) == (6, 10)
    assert (found.rejected, found.failed_to_run) == (2, 2)


def test_a_slot_without_an_attempt_is_not_started():
    found = counted(Endings(slots(3)), [attempt(slots(3)[0], Outcome.accepted)]).tally(excluded=4)
    assert (found.planned, found.accepted, found.not_started, found.excluded) == (3, 1, 2, 4)


def test_an_interrupted_attempt_is_superseded_by_its_retry_and_never_dropped():
    slot = slots(1)[0]
    both = [attempt(slot, Outcome.interrupted), attempt(slot, Outcome.accepted, 1)]
    found = counted(Endings([slot]), both).tally(excluded=0)
    assert (found.planned, found.accepted, found.interrupted, found.superseded) == (1, 1, 0, 1)
    assert current(both) == {"tool.check.1.r1"}


def test_an_attempt_outside_the_plan_or_of_a_name_already_seen_is_refused():
    stranger = attempt(Slot(arm="tool", task="other", trial=1), Outcome.accepted)
    with pytest.raises(ValueError, match=r"tool\.other\.1 is not in the plan"):
        counted(Endings(slots(1)), [stranger]).tally(excluded=0)
    twin = attempt(slots(1)[0], Outcome.rejected)
    with pytest.raises(ValueError, match=r"tool\.check\.1 stands twice"):
        counted(Endings(slots(1)), [twin, twin]).tally(excluded=0)
    with pytest.raises(ValueError, match="names a slot twice"):
        counted(Endings(slots(1) * 2), []).tally(excluded=0)


def test_counts_that_do_not_add_up_are_no_tally():
    good = counted(Endings(slots(2)), []).tally(excluded=0).model_dump()
    with pytest.raises(ValueError, match="add up to 3, planned are 2"):
        Tally(**good | {"accepted": 1})


@given(st.lists(st.lists(st.sampled_from(Outcome), max_size=4), min_size=1, max_size=12), st.randoms())
def test_whatever_happens_the_outcomes_add_up_in_any_order(tries, chance):
    planned = slots(len(tries))
    attempts = [attempt(s, o, n) for s, outcomes in zip(planned, tries, strict=True) for n, o in enumerate(outcomes)]
    shuffled = chance.sample(attempts, len(attempts))
    found = counted(Endings(planned), shuffled).tally(excluded=1)
    assert found == counted(Endings(planned), attempts).tally(excluded=1)
    assert sum(found.of(outcome) for outcome in Outcome) == found.planned == len(planned)
    assert found.superseded + len(current(attempts)) == len(attempts)
    last = [outcomes[-1] for outcomes in tries if outcomes]
    for outcome in set(Outcome) - {Outcome.not_started}:
        assert found.of(outcome) == last.count(outcome)


@given(st.lists(st.sampled_from(Outcome), min_size=2, max_size=12))
def test_adding_an_attempt_never_lowers_the_number_planned(outcomes):
    planned = slots(len(outcomes))
    attempts = [attempt(s, o) for s, o in zip(planned, outcomes, strict=True)]
    found = [counted(Endings(planned), attempts[:n]).tally(excluded=0) for n in range(len(attempts) + 1)]
    assert all(before.planned == after.planned for before, after in pairwise(found))
