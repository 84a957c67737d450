"""A mutant is rejected only where it fails first as stated, with the stated exit status, in a copy that was changed."""

import pytest

from runner.contract.events import CappedByClock, Exited
from runner.contract.parity.detail import MutantDetail
from runner.contract.parity.mutant import is_mutated, judge_mutant, judge_original
from runner.contract.parity.mutation import Mutation
from runner.contract.parity.tasks import MUTANT_REJECTED, MUTANT_STATUS, NOTHING_ELSE, OF_MUTANT, TARGET_ONCE
from runner.contract.values import Text

ORIGINAL, CHANGED = "1" * 64, "2" * 64
MUTATION = Mutation(
    variant="head",
    file="tool/core.py",
    sha256=ORIGINAL,
    find="if bad:",
    replace="if False:",
    backend="files",
    scenario="bad-word",
    criterion="first.exit",
    exit_status=0,
    invariant=Text(en="A bad word is found.", zh="坏词会被发现。"),
)


def found(*failed, matches=1, original=ORIGINAL):
    return MutantDetail(
        file="tool/core.py", matches=matches, original_sha256=original, mutant_sha256=CHANGED, failed=failed
    )


def unmet(detail, end=Exited(code=0)):  # noqa: B008  a frozen value
    return [criterion for criterion, said in judge_mutant(MUTATION, detail, end) if not said.met]


@pytest.mark.rule("P111")
def test_a_mutant_that_fails_as_stated_meets_every_criterion():
    detail = found("first.exit", "first.records", "command.exit")
    judged = [*judge_mutant(MUTATION, detail, Exited(code=0)), *judge_original(MUTATION, ORIGINAL)]
    assert [criterion for criterion, _ in judged] == list(OF_MUTANT)
    assert all(said.met for _, said in judged)


@pytest.mark.rule("P111")
@pytest.mark.parametrize(
    ("failed", "end", "criteria"),
    [
        ((), Exited(code=0), [MUTANT_REJECTED]),
        (("first.records",), Exited(code=0), [MUTANT_REJECTED, NOTHING_ELSE]),
        (("seed.exit", "first.exit"), Exited(code=0), [NOTHING_ELSE]),
        (("first.exit", "no-leftovers"), Exited(code=0), [NOTHING_ELSE]),
        (("first.exit",), Exited(code=2), [MUTANT_STATUS]),
        (("first.exit",), CappedByClock(), [MUTANT_STATUS]),
        (("first.exit",), None, [MUTANT_STATUS]),
    ],
)
def test_any_other_failure_is_no_proof(failed, end, criteria):
    assert unmet(found(*failed), end) == criteria


@pytest.mark.rule("P110")
@pytest.mark.parametrize("detail", [found(matches=0), found(matches=2), found(original=CHANGED)])
def test_where_nothing_was_mutated_only_that_is_judged(detail):
    assert not is_mutated(MUTATION, detail)
    assert [criterion for criterion, _ in judge_mutant(MUTATION, detail, None)] == [TARGET_ONCE]
    assert unmet(detail) == [TARGET_ONCE]


@pytest.mark.rule("P111")
def test_an_original_with_other_bytes_after_the_attempt_is_told():
    ((_, said),) = judge_original(MUTATION, CHANGED)
    assert not said.met
    assert said.observed == CHANGED
