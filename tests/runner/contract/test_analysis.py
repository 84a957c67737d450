"""What the attempts of a qualification show: one state a feature, findings that stay, and counts that add up."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.contract.analysis.count import counting
from runner.contract.analysis.parts import Finding
from runner.contract.analysis.qualification import Disposition, FeatureResult, FeatureState, QualificationAnalysis
from runner.contract.attempt import Attempt, Criterion, Outcome, QualificationDetail, Reason, ReasonCode, Verdict
from runner.contract.plan import Plan, Selection, Slot, as_qualification
from runner.contract.qualification.design import Feature
from runner.contract.study import Tier
from runner.contract.tally import Endings, Tally
from runner.contract.values import NoModelUsage
from runner.kinds.qualification.plan import plan
from tests.factories import counted
from tests.studies import NOT_OFFERED, a_study

SLOW = Feature.dead_owner
NO_DOCUMENTS: dict[str, bytes] = {}
UNJUDGED = (Outcome.failed_to_run, Outcome.timed_out, Outcome.refused, Outcome.interrupted, Outcome.not_started)


@pytest.fixture(scope="module")
def manifests(tmp_path_factory) -> Path:
    return Path(tmp_path_factory.mktemp("manifests"))


@pytest.fixture(scope="module")
def two_trials(manifests) -> Plan:
    """Two subjects with two trials a check, and one that nobody can install."""
    frozen = a_study(manifests, subjects=("one", "two"), gated=("hidden",), trials=2, slow=(SLOW,))
    return plan(frozen, Selection.full)


@pytest.fixture(scope="module")
def quick(manifests) -> Plan:
    return plan(a_study(manifests, study="quick", slow=(SLOW,)), Selection.quick)


def analyse(plan: Plan, attempts: Iterable[Attempt]) -> QualificationAnalysis:
    """The analysis, which for these plans is one of a qualification."""
    analysis = counted(counting(plan, NO_DOCUMENTS.__getitem__), attempts).analysis()
    assert isinstance(analysis, QualificationAnalysis)
    return analysis


def attempt(whole: Plan, slot: Slot, outcome: Outcome, retry: int = 0) -> Attempt:
    """An attempt that ended so. A rejected one met all criteria but the first."""
    ids = whole.tasks.criteria(slot.arm, slot.task)
    verdicts = [Verdict.met if outcome in (Outcome.accepted, Outcome.rejected) else Verdict.not_reached] * len(ids)
    if outcome is Outcome.rejected:
        verdicts[0] = Verdict.not_met
    return Attempt(
        attempt=slot.attempt_id(retry),
        arm=slot.arm,
        task=slot.task,
        trial=slot.trial,
        retry=retry,
        outcome=outcome,
        reason=None if outcome is Outcome.accepted else Reason(code=ReasonCode.runner_fault, at=None),
        passed_after_cap=False,
        criteria=tuple(Criterion(id=i, verdict=v) for i, v in zip(ids, verdicts, strict=True)),
        usage=NoModelUsage(),
        tier=Tier.process,
        events=None,
        artifacts=(),
        detail=QualificationDetail(steps_performed=0, processes_started=0, clock_shifts=0, kills=0, leftovers=0),
    )


def attempts(whole: Plan, endings: Mapping[str, Outcome]) -> list[Attempt]:
    """One attempt a slot, accepted unless `endings` says otherwise by its name."""
    return [attempt(whole, slot, endings.get(slot.attempt_id(0), Outcome.accepted)) for slot in whole.slots]


def cell(results: Iterable[FeatureResult], arm: str, feature: Feature) -> FeatureResult:
    (found,) = [result for result in results if (result.arm, result.feature) == (arm, feature)]
    return found


def test_every_subject_has_every_feature_once_in_the_order_of_pages(two_trials):
    analysis = analyse(two_trials, attempts(two_trials, {}))
    expected = [(arm, feature) for arm in ("one", "two", "hidden") for feature in Feature]
    assert [(result.arm, result.feature) for result in analysis.features] == expected


def test_a_run_is_qualified_only_if_every_planned_attempt_was_accepted(two_trials):
    analysis = analyse(two_trials, attempts(two_trials, {}))
    assert analysis.disposition is Disposition.qualified
    assert analysis.findings == ()
    states = {result.state for result in analysis.features if result.arm != "hidden"}
    assert states == {FeatureState.accepted, FeatureState.not_offered}


def test_one_rejected_trial_of_two_is_a_finding_of_its_feature_and_of_no_other(two_trials):
    name = "one.stale-fence-kept.1"
    analysis = analyse(two_trials, attempts(two_trials, {name: Outcome.rejected}))
    assert analysis.disposition is Disposition.findings
    assert analysis.findings == (Finding(attempt=name, criteria=("ask.1",)),)
    found = cell(analysis.features, "one", Feature.stale_fence)
    assert (found.state, found.tally.accepted, found.tally.planned) == (FeatureState.finding, 1, 2)
    assert cell(analysis.features, "two", Feature.stale_fence).state is FeatureState.accepted
    assert [result.state for result in analysis.features].count(FeatureState.finding) == 1


@pytest.mark.parametrize("outcome", UNJUDGED)
def test_an_attempt_that_was_not_judged_leaves_its_feature_unproven_and_the_run_not_yet_proven(two_trials, outcome):
    analysis = analyse(two_trials, attempts(two_trials, {"one.identity-kept.2": outcome}))
    assert analysis.disposition is Disposition.not_yet_proven
    assert analysis.findings == ()
    assert cell(analysis.features, "one", Feature.identity).state is FeatureState.unproven


def test_a_slot_that_nobody_attempted_leaves_the_run_not_yet_proven(two_trials):
    all_but_one = attempts(two_trials, {})[:-1]
    assert analyse(two_trials, all_but_one).disposition is Disposition.not_yet_proven


def test_a_finding_outweighs_what_was_not_judged(two_trials):
    endings = {"one.identity-kept.1": Outcome.rejected, "one.identity-kept.2": Outcome.failed_to_run}
    analysis = analyse(two_trials, attempts(two_trials, endings))
    assert analysis.disposition is Disposition.findings
    assert cell(analysis.features, "one", Feature.identity).state is FeatureState.finding


def test_what_a_subject_lacks_or_nobody_can_install_is_never_counted_as_accepted(two_trials):
    analysis = analyse(two_trials, attempts(two_trials, {}))
    for feature in NOT_OFFERED:
        found = cell(analysis.features, "one", feature)
        assert (found.state, found.tally.planned, found.tally.excluded) == (FeatureState.not_offered, 0, 1)
    for feature in Feature:
        found = cell(analysis.features, "hidden", feature)
        assert (found.state, found.tally.planned, found.tally.excluded) == (FeatureState.access_gated, 0, 1)


def test_what_a_quick_run_leaves_out_is_called_left_out(quick):
    analysis = analyse(quick, attempts(quick, {}))
    found = cell(analysis.features, "tool", SLOW)
    assert (found.state, found.tally.planned, found.tally.excluded) == (FeatureState.left_out, 0, 1)
    assert analysis.disposition is Disposition.qualified, "of what was planned; the selection is stated beside it"


def test_only_the_last_attempt_of_a_slot_decides(two_trials):
    made = attempts(two_trials, {"one.identity-kept.1": Outcome.interrupted})
    retried = attempt(two_trials, two_trials.slots[0], Outcome.accepted, 1)
    assert retried.attempt == "one.identity-kept.1.r1"
    analysis = analyse(two_trials, [*made, retried])
    assert analysis.disposition is Disposition.qualified
    found = cell(analysis.features, "one", Feature.identity)
    assert (found.tally.planned, found.tally.superseded) == (2, 1)

    rejected = attempt(two_trials, two_trials.slots[0], Outcome.rejected, 1)
    analysis = analyse(two_trials, [*made, rejected])
    assert analysis.findings == (Finding(attempt="one.identity-kept.1.r1", criteria=("ask.1",)),)


def total(tallies: Iterable[Tally]) -> dict[str, int]:
    counts = dict.fromkeys(Tally.model_fields, 0)
    for each in tallies:
        for name, count in each.model_dump().items():
            counts[name] += count
    return counts


@settings(max_examples=40)
@given(st.data())
def test_the_counts_of_features_add_up_to_those_of_subjects_and_these_to_the_whole(two_trials, data):
    made = []
    for slot in two_trials.slots:
        outcomes = data.draw(st.lists(st.sampled_from(Outcome), max_size=3))
        made += [attempt(two_trials, slot, outcome, retry) for retry, outcome in enumerate(outcomes)]
    shuffled = data.draw(st.permutations(made))
    analysis = analyse(two_trials, made)
    whole = counted(Endings(two_trials.slots), made).tally(excluded=len(two_trials.exclusions))
    assert total(result.tally for result in analysis.arms) == whole.model_dump()
    for arm in analysis.arms:
        assert total(result.tally for result in analysis.features if result.arm == arm.arm) == arm.tally.model_dump()
    assert len(analysis.findings) == whole.rejected
    again = analyse(two_trials, shuffled)
    assert (again.disposition, again.arms, again.features) == (analysis.disposition, analysis.arms, analysis.features)
    expected = (
        Disposition.findings
        if whole.rejected
        else Disposition.qualified
        if whole.accepted == whole.planned
        else Disposition.not_yet_proven
    )
    assert analysis.disposition is expected


def counted_plainly(whole: Plan, made: list[Attempt], arm: str, feature: Feature) -> dict[str, int]:
    """Counts of one cell by their definition, with every attempt held at once."""
    tasks = {
        c.id for t in as_qualification(whole)[1].subjects if t.subject == arm for c in t.checks if c.feature is feature
    }
    slots = [slot for slot in whole.slots if slot.arm == arm and slot.task in tasks]
    tries = [[a for a in made if (a.arm, a.task, a.trial) == (s.arm, s.task, s.trial)] for s in slots]
    ended = [max(of_one, key=lambda a: a.retry).outcome if of_one else Outcome.not_started for of_one in tries]
    counts = {outcome.name: ended.count(outcome) for outcome in Outcome}
    return counts | {"planned": len(slots), "superseded": sum(max(len(of_one) - 1, 0) for of_one in tries)}


@given(st.data())
@settings(max_examples=20)
def test_counts_from_attempts_one_by_one_are_those_of_all_at_once(two_trials, data):
    made: list[Attempt] = []
    for slot in two_trials.slots:
        retries = data.draw(st.integers(0, 2))
        endings = [Outcome.interrupted] * retries + data.draw(st.lists(st.sampled_from(Outcome), max_size=1))
        made += [attempt(two_trials, slot, ending, retry) for retry, ending in enumerate(endings)]
    analysis = analyse(two_trials, iter(data.draw(st.permutations(made))))
    for result in analysis.features:
        counts = counted_plainly(two_trials, made, result.arm, result.feature)
        assert {name: getattr(result.tally, name) for name in counts} == counts
    last = {(a.arm, a.task, a.trial): a for a in sorted(made, key=lambda a: a.retry)}
    rejected = {a.attempt for a in last.values() if a.outcome is Outcome.rejected}
    assert {finding.attempt for finding in analysis.findings} == rejected
