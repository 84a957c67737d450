"""A rule explains what it says and nothing else, and both sides must keep it."""

from typing import Any

import pytest

from runner.contract.parity.inventory import ABSENT
from runner.contract.parity.rules import (
    AnyValueRule,
    ProcessIdRule,
    RevisionRule,
    RuleClass,
    Side,
    TemporaryPathRule,
    WholeEntryRule,
    covers_entry,
    explains,
)
from runner.contract.values import Text

SIDES = (Side("1.0", frozenset({11, 12})), Side("1.1", frozenset({21})))
COMMON: dict[str, Any] = {
    "id": "rule",
    "rule_class": RuleClass.normalisation,
    "title": Text(en="Rule", zh="规则"),
    "reason": Text(en="Because.", zh="理由。"),
    "variants": ("head",),
    "entries": ("state/**",),
}
PLACES: dict[str, Any] = {"places": ("/a", "/deps/*/mtime")}
ANY = AnyValueRule(form="any-value", **COMMON, **PLACES)


@pytest.mark.parametrize(
    ("path", "pointer", "explained"),
    [
        ("state/x.json", "/a", True),
        ("state/deep/x.json", "/deps/one/mtime", True),
        ("state/x.json", "/a/b", False),
        ("state/x.json", "/deps/one/two/mtime", False),
        ("state/x.json", "", False),
        ("calls/first/stdout", "/a", False),
    ],
)
def test_a_rule_holds_at_its_entries_and_places_alone(path, pointer, explained):
    assert explains(ANY, path, pointer, 1, 2, SIDES) is explained


def test_a_side_without_the_member_is_explained_where_any_value_is():
    assert explains(ANY, "state/x", "/a", ABSENT, 2, SIDES)


@pytest.mark.parametrize(
    ("left", "right", "explained"),
    [("1.0", "1.1", True), ("1.1", "1.0", False), ("1.0", "1.0", False), (1.0, 1.1, False), ("1.0", ABSENT, False)],
)
def test_a_revision_is_explained_only_as_each_sides_own(left, right, explained):
    rule = RevisionRule(form="own-revision", **COMMON, **PLACES)
    assert explains(rule, "state/x", "/a", left, right, SIDES) is explained


@pytest.mark.rule("P100")
@pytest.mark.parametrize(
    ("left", "right", "explained"),
    [(11, 21, True), (12, 21, True), (11, 12, False), (99, 21, False), (True, 21, False), ("11", 21, False)],
)
def test_a_process_id_is_explained_only_if_both_belong_to_observed_processes_of_their_own_attempts(
    left, right, explained
):
    rule = ProcessIdRule(form="process-id", **COMMON, **PLACES)
    assert explains(rule, "state/x", "/a", left, right, SIDES) is explained


@pytest.mark.parametrize(
    ("left", "right", "explained"),
    [("{tmp}/a", "{tmp}/b", True), ("{tmp}/a", "/etc/b", False), ("{tmp}", "{tmp}/b", False), (1, "{tmp}/b", False)],
)
def test_a_temporary_path_is_explained_only_below_each_sides_own_folder(left, right, explained):
    rule = TemporaryPathRule(form="temporary-path", **COMMON, **PLACES)
    assert explains(rule, "state/x", "/a", left, right, SIDES) is explained


def test_a_whole_entry_is_covered_unless_it_is_excepted():
    rule = WholeEntryRule(form="whole-entry", **COMMON, but_not=("state/own.*",))
    assert covers_entry(rule, "state/builtins.json")
    assert not covers_entry(rule, "state/own.json")
    assert not covers_entry(rule, "calls/first/stdout")


def test_characters_of_a_pattern_stand_for_themselves():
    rule = AnyValueRule(form="any-value", **COMMON | {"entries": ("state/@deps.meta+json",)}, places=("/a",))
    assert explains(rule, "state/@deps.meta+json", "/a", 1, 2, SIDES)
    assert not explains(rule, "state/@depsXmeta+json", "/a", 1, 2, SIDES)
