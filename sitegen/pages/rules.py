"""The rules page: every rule, the tests that prove it, and what they last came to."""

from dataclasses import dataclass

from sitegen import figures
from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark, named
from sitegen.pages.page import PageView
from sitegen.sources import RuleProof, RuleStanding

GET_READY = "make setup\n.venv/bin/sealbook prepare coordination-recovery"
"""What makes a checkout ready for the tests: its environment, and the subjects that some of them run."""
RUN_ONE = ".venv/bin/python -m pytest"
"""What runs a test that follows, in a checkout that is ready."""


@dataclass(frozen=True, slots=True)
class ProofView:
    """One test, what runs it alone, and how its cases ended."""

    command: str
    mark: Mark
    result: str


@dataclass(frozen=True, slots=True)
class RuleView:
    """One rule or field report."""

    id: str
    text: str
    mark: Mark
    proofs: tuple[ProofView, ...]


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Rules of one kind with their counts by state."""

    name: str
    rules: tuple[RuleView, ...]
    counts: tuple[tuple[Mark, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage(PageView):
    """Everything that the product promises, and whether a test has shown it."""

    recorded: bool
    commit: str
    modified: bool
    when: str
    get_ready: str
    groups: tuple[RuleGroup, ...]
    unproved: tuple[str, ...]
    """Ids without a test, listed once instead of row by row."""


def rules_page(edition: Edition) -> RulesPage:
    """The rules page; without a record it says *not run*."""
    record = edition.site.rules
    groups = (("rules.rules", record.rules), ("rules.reports", record.reports)) if record else ()
    return RulesPage(
        frame=edition.frame,
        path=place.RULES,
        template="rules.html",
        title=edition.say("rules.title"),
        description=edition.say("rules.description"),
        section="rules",
        trail=edition.trail("rules")[:1],
        recorded=record is not None,
        commit=record.commit if record else "",
        modified=record.dirty if record else False,
        when=figures.instant(record.recorded_at) if record else "",
        get_ready=GET_READY,
        groups=tuple(_group(edition, edition.say(key), standings) for key, standings in groups),
        unproved=tuple(item.id for _, standings in groups for item in standings if not item.tests),
    )


def _group(edition: Edition, name: str, standings: tuple[RuleStanding, ...]) -> RuleGroup:
    counts: dict[str, int] = {}
    for item in standings:
        counts[item.status] = counts.get(item.status, 0) + 1
    return RuleGroup(
        name=name,
        rules=tuple(_rule(edition, item) for item in standings if item.tests),
        counts=tuple((named("rule", status, edition.catalog), number) for status, number in counts.items()),
    )


def _rule(edition: Edition, item: RuleStanding) -> RuleView:
    return RuleView(
        id=item.id,
        text=item.text,
        mark=named("rule", item.status, edition.catalog),
        proofs=tuple(_proof(edition, proof) for proof in item.tests),
    )


def _proof(edition: Edition, proof: RuleProof) -> ProofView:
    cases = (
        edition.say("rules.cases", n=number, outcome=_word(edition, outcome)) for outcome, number in proof.cases.items()
    )
    return ProofView(
        command=f"{RUN_ONE} {proof.test}",
        mark=named("rule", proof.outcome, edition.catalog),
        result=edition.say("list.comma").join(cases),
    )


def _word(edition: Edition, outcome: str) -> str:
    return named("rule", outcome.replace("_", " "), edition.catalog).word
