"""A comparison gives its own counts and verdicts: each finding counts once, and what a rule explains is none."""

import pytest

from runner.contract.parity.difference import (
    BytesDiffer,
    Compared,
    ContainerDiffers,
    Leaf,
    OnOneSide,
    SpellingDiffers,
    ValuesDiffer,
    WholeDiffers,
)
from runner.contract.parity.rules import AnyValueRule, RuleClass
from runner.contract.parity.sameness import judge_sameness, summary
from runner.contract.parity.tasks import COMPARED, SAME_OUTPUT, SAME_PATHS, SAME_STATE
from runner.contract.values import Text

WORDS = Text(en="Time", zh="时间")


def a_rule(name):
    return AnyValueRule(
        id=name,
        rule_class=RuleClass.normalisation,
        title=WORDS,
        reason=WORDS,
        variants=("head",),
        entries=("**",),
        places=("**",),
        form="any-value",
    )


def values(path, *rules):
    leaves = tuple(Leaf(pointer=f"/{n}", left="1", right="2", rule=rule) for n, rule in enumerate(rules))
    return ValuesDiffer(path=path, leaves=leaves)


def compared(*differences):
    return Compared(
        left="base.row.1", right="head.row.1", entries=10, equal=10 - len(differences), differences=differences
    )


EXPLAINED = (
    values("calls/a/stdout", "time", "other"),
    WholeDiffers(path="state/a", rule="other"),
    SpellingDiffers(path="state/b"),
    ContainerDiffers(path="state/c"),
)


@pytest.mark.parametrize(
    ("finding", "criterion"),
    [
        (OnOneSide(path="calls/a/receipt", side="left"), SAME_PATHS),
        (OnOneSide(path="state/z", side="right"), SAME_PATHS),
        (BytesDiffer(path="calls/a/stderr"), SAME_OUTPUT),
        (values("calls/a/stderr", "time", None), SAME_OUTPUT),
        (BytesDiffer(path="state/z"), SAME_STATE),
        (values("state/z", None), SAME_STATE),
    ],
)
def test_each_finding_is_the_failure_of_one_criterion(finding, criterion):
    found = dict(judge_sameness(compared(*EXPLAINED, finding)))
    assert tuple(found) == COMPARED
    assert [name for name, said in found.items() if not said.met] == [criterion]
    assert found[criterion].observed == f"1 do not, such as {finding.path}"


def test_what_rules_explain_and_what_is_only_spelled_otherwise_is_no_finding():
    assert all(said.met for _, said in judge_sameness(compared(*EXPLAINED)))
    assert {said.observed for _, said in judge_sameness(compared())} == {"all of 10 entries"}


def test_the_summary_counts_places_by_rule_in_the_order_of_the_manifest():
    rules = [a_rule("unused"), a_rule("other"), a_rule("time")]
    found = summary(compared(*EXPLAINED, BytesDiffer(path="state/z")), "base", rules)
    assert [(item.rule, item.places) for item in found.explained] == [("other", 2), ("time", 1)]
    assert (found.against, found.entries, found.equal, found.spelling, found.unexplained) == ("base", 10, 5, 1, 1)
