"""Which declared rules a parity run used, and how often: no difference is excused without being counted."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from runner.contract.parity.detail import HeldAgainst
from runner.contract.plan import as_parity
from sitegen import figures
from sitegen.pages.edition import Edition
from sitegen.pages.parity.receipts import Receipt, row_receipts
from sitegen.pages.parity.rules import RuleView, rule_view
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class Use:
    """How often one rule explains a difference of one variant."""

    places: str
    attempts: str
    """In how many attempts, of how many that were compared."""


@dataclass(frozen=True, slots=True)
class RuleUse:
    """One rule in all variants that are held against another."""

    rule: RuleView
    kind: str
    uses: tuple[Use | None, ...]
    """None where it does not apply."""


@dataclass(frozen=True, slots=True)
class Uses:
    """All rules of a run, and what no rule is asked about."""

    variants: tuple[str, ...]
    rules: tuple[RuleUse, ...]
    spelling: tuple[Use, ...]
    """The same JSON value in other bytes: recorded apart, and no equality of bytes."""
    findings: tuple[Use, ...]
    """Entries that differ for no declared reason."""
    whole: bool
    """Whether every planned comparison was made; if not, counts are at least so many."""


def uses(edition: Edition, run: RunSource) -> Uses:
    """What the comparisons of a run came to, rule by rule and variant by variant."""
    design, tasks = as_parity(run.sealed.plan)
    compared = [variant for variant in design.variants if variant.against is not None]
    found = {
        variant.id: [item for row in row_receipts(run) for item in row.variants if item.arm == variant.id]
        for variant in compared
    }
    return Uses(
        variants=tuple(edition.words(variant.title) for variant in compared),
        rules=tuple(
            RuleUse(
                rule_view(edition, design, tasks, rule),
                edition.catalog.word(rule.rule_class),
                tuple(
                    _use(edition, found[variant.id], partial(_explained, rule.id))
                    if variant.id in rule.variants
                    else None
                    for variant in compared
                ),
            )
            for rule in design.rules
        ),
        spelling=tuple(_use(edition, found[variant.id], _spelling) for variant in compared),
        findings=tuple(_use(edition, found[variant.id], _unexplained) for variant in compared),
        whole=all(item.comparison is not None for items in found.values() for item in items),
    )


def _use(edition: Edition, receipts: list[Receipt], count: Callable[[HeldAgainst], int]) -> Use:
    counts = [count(item.comparison) for item in receipts if item.comparison]
    said = figures.count(sum(counts), edition.catalog) if counts else edition.say("value.unknown")
    return Use(said, edition.say("uses.attempts", some=sum(number > 0 for number in counts), all=len(counts)))


def _explained(rule: str, comparison: HeldAgainst) -> int:
    return next((item.places for item in comparison.explained if item.rule == rule), 0)


def _spelling(comparison: HeldAgainst) -> int:
    return comparison.spelling


def _unexplained(comparison: HeldAgainst) -> int:
    return comparison.unexplained
