"""What two variants may differ in, as it was declared before the run: normalisations and declared differences."""

from dataclasses import dataclass

from runner.contract.parity.design import ParityDesign
from runner.contract.parity.rules import Rule, WholeEntryRule
from runner.contract.parity.tasks import ParityTasks
from sitegen.pages.edition import Edition


@dataclass(frozen=True, slots=True)
class RuleView:
    """One rule: where it applies, and what must be true of both sides there."""

    id: str
    title: str
    reason: str
    form: str
    variants: tuple[str, ...]
    scenarios: tuple[str, ...]
    """Empty where it applies in all."""
    entries: tuple[str, ...]
    places: tuple[str, ...]
    """Empty where it covers entries as a whole."""
    but_not: tuple[str, ...]


def rule_view(edition: Edition, design: ParityDesign, tasks: ParityTasks, rule: Rule) -> RuleView:
    """A rule in the edition's words."""
    titles = {scenario.id: edition.words(scenario.title) for scenario in tasks.scenarios}
    return RuleView(
        id=rule.id,
        title=edition.words(rule.title),
        reason=edition.words(rule.reason),
        form=edition.say(f"rule-form.{rule.form}"),
        variants=tuple(edition.words(design.variant(name).title) for name in rule.variants),
        scenarios=tuple(titles.get(name, name) for name in rule.scenarios),
        entries=rule.entries,
        places=() if isinstance(rule, WholeEntryRule) else rule.places,
        but_not=rule.but_not if isinstance(rule, WholeEntryRule) else (),
    )
