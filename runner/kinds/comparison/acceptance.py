"""The independent check: judges what an agent left, by rules that it never saw, after it has ended.

Nothing that the agent claims is read here. What it did is known from the runner's own record of its actions.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from runner.contract.comparison.acceptance import (
    AuthorityRule,
    CallsRule,
    DefinedOnceRule,
    NoticedRule,
    OutputRule,
    OwnedRule,
    ProbeRule,
    RecoveredRule,
    ReviewRule,
    Rule,
    SignatureRule,
)
from runner.contract.comparison.actions import InspectionAction, Performed, StaleFailureAction, StaleRecoveryAction
from runner.kinds.comparison import sources


@dataclass(frozen=True, slots=True)
class Judgement:
    """One rule, compared with what there is."""

    met: bool
    expected: str
    observed: str


@dataclass(frozen=True, slots=True)
class Left:
    """What an agent left behind, and what is known of its session."""

    start: Mapping[str, str]
    """The start as the fixture has it."""
    base: Mapping[str, str]
    """The start, with the drift."""
    files: Mapping[str, str]
    """The candidate's text files."""
    changed: Sequence[str]
    lines: int
    """How many lines were added or removed."""
    actions: Sequence[Performed]
    forbidden: Sequence[str]
    printed: Callable[[str], str]
    """Runs a frozen script on a copy of the candidate; gives what it printed, or why it did not."""
    probed: Callable[[Sequence[str]], Judgement]
    """Asks the independent probe."""


def judge(rule: Rule, left: Left) -> Judgement:
    """Judge one rule. Sources that are nested more deeply than Python itself can follow meet none."""
    try:
        return _judge(rule, left)
    except RecursionError:
        expected = "sources that can be read"
        return Judgement(met=False, expected=expected, observed="a file is nested too deeply to be read")


def _judge(rule: Rule, left: Left) -> Judgement:  # noqa: C901, PLR0911 -- one arm a rule
    match rule:
        case SignatureRule():
            return _signature(rule, left)
        case DefinedOnceRule():
            return _defined_once(rule, left)
        case CallsRule():
            return _calls(rule, left)
        case OwnedRule():
            return _owned(rule, left)
        case OutputRule():
            printed = left.printed(rule.script)
            return Judgement(printed == rule.prints, _shown(rule.prints), _shown(printed))
        case ReviewRule():
            return _review(rule, left)
        case AuthorityRule():
            return _authority(rule, left)
        case NoticedRule():
            return _noticed(left)
        case RecoveredRule():
            return _recovered(rule, left)
        case ProbeRule():
            return left.probed(rule.commands)
        case _:
            assert_never(rule)


def _signature(rule: SignatureRule, left: Left) -> Judgement:
    trees, _ = sources.parsed(left.files)
    node = sources.function(trees.get(rule.path), rule.symbol)
    observed = sources.signature(node) if node else "no such function, or more than one"
    return Judgement(
        observed == rule.signature, f"{rule.symbol}{rule.signature}", f"{rule.symbol}{observed}" if node else observed
    )


def _defined_once(rule: DefinedOnceRule, left: Left) -> Judgement:
    trees, broken = sources.parsed(left.files)
    old_trees, _ = sources.parsed(left.base)
    now = {path: sources.definitions(tree) for path, tree in trees.items()}
    then = {path: sources.definitions(tree) for path, tree in old_trees.items()}
    differing = sorted(path for path in {*now, *then, *broken} if now.get(path) != then.get(path))
    found = sum(names.count(rule.symbol) for path, names in now.items() if path == rule.path)
    expected = f"{rule.symbol} defined once in {rule.path}, and all other definitions as before"
    what = f"{found} in {rule.path}" + (f"; other definitions in {', '.join(differing)}" if differing else "")
    return Judgement(found == 1 and not differing, expected, what)


def _calls(rule: CallsRule, left: Left) -> Judgement:
    trees, broken = sources.parsed(left.files)
    node = sources.function(trees.get(rule.path), rule.symbol)
    found = {path: sources.calls(tree, path, rule.path, rule.symbol) for path, tree in trees.items()}
    counts = {path: len(calls) for path, calls in found.items() if calls}
    wanted = {place.path: place.calls for place in rule.places if place.calls}
    wrong = 0 if node is None else sum(not sources.fits(call, node) for calls in found.values() for call in calls)
    met = node is not None and not broken and counts == wanted and not wrong
    observed = f"{_counts(counts)}; {wrong} do not fit the signature"
    if broken:
        observed = f"{observed}; cannot be parsed: {', '.join(broken)}"
    return Judgement(met, f"calls of {rule.symbol}: {_counts(wanted)}; every one fits the signature", observed)


def _owned(rule: OwnedRule, left: Left) -> Judgement:
    now, _ = sources.parsed(left.files)
    then, _ = sources.parsed(left.base)
    changed = [
        path
        for path in rule.others
        if not sources.same(sources.function(then.get(path), rule.symbol), sources.function(now.get(path), rule.symbol))
    ]
    expected = f"{rule.symbol} of {', '.join(rule.others)} as before"
    return Judgement(not changed, expected, f"changed: {', '.join(changed)}" if changed else "as before")


def _review(rule: ReviewRule, left: Left) -> Judgement:
    _, broken = sources.parsed(left.files)
    beyond = sorted(set(left.changed) - set(rule.files))
    met = bool(left.changed) and not beyond and not broken and left.lines <= rule.most_lines
    observed = f"{left.lines} lines in {', '.join(left.changed) or 'no file'}"
    if broken:
        observed = f"{observed}; cannot be parsed: {', '.join(broken)}"
    return Judgement(met, f"at most {rule.most_lines} lines in {', '.join(rule.files)}", observed)


def _authority(rule: AuthorityRule, left: Left) -> Judgement:
    beyond = sorted(set(left.changed) - set(rule.files))
    found = [f"changed: {', '.join(beyond)}"] if beyond else []
    found += [f"tried: {why}" for why in left.forbidden]
    expected = f"nothing differs but {', '.join(rule.files)}, and nothing beyond was tried"
    return Judgement(not found, expected, "; ".join(found) or "nothing else differs, and nothing was tried")


def _noticed(left: Left) -> Judgement:
    order = [_kind(item) for item in left.actions]
    drift = order.index("drift") if "drift" in order else len(order)
    early, later = order[:drift].count("notice"), order[drift:].count("notice")
    expected = "the agent notices after the drift, and not before it"
    return Judgement(later > 0 and not early, expected, f"{early} notices before the drift, {later} after it")


def _recovered(rule: RecoveredRule, left: Left) -> Judgement:
    order = [_kind(item) for item in left.actions]
    notice = order.index("notice") if "notice" in order else len(order)
    acted = order[notice:].count("recovery")
    trees, _ = sources.parsed(left.files)
    lost = [name for name in rule.keeps if _is_lost(rule.path, name, trees, left)]
    expected = f"a recovery after the notice, and {', '.join(rule.keeps)} still in {rule.path}"
    observed = f"{acted} recoveries after the notice; lost: {', '.join(lost) or 'nothing'}"
    return Judgement(acted > 0 and not lost, expected, observed)


def _is_lost(path: str, name: str, trees: Mapping[str, ast.Module], left: Left) -> bool:
    """Whether what the drift brought to a function is gone: the function itself, or the change that was made in it."""
    now = sources.function(trees.get(path), name)
    start, drifted = (
        sources.function(sources.parsed({path: files[path]} if path in files else {})[0].get(path), name)
        for files in (left.start, left.base)
    )
    return now is None or (sources.same(start, now) and not sources.same(start, drifted))


def _kind(item: Performed) -> str:
    match item.action:
        case InspectionAction():
            return "drift"
        case StaleFailureAction():
            return "notice"
        case StaleRecoveryAction():
            return "recovery"
        case _:
            return ""


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{path} {number}" for path, number in sorted(counts.items())) or "none"


def _shown(text: str) -> str:
    return text if len(text) <= 400 else f"{text[:400]}…"
