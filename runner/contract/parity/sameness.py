"""What a comparison of two attempts amounts to: its counts for the attempt's own line, and its verdicts."""

from collections.abc import Iterator, Sequence

from runner.contract.parity.detail import Explained, HeldAgainst
from runner.contract.parity.difference import Compared, Difference, OnOneSide, SpellingDiffers, is_explained
from runner.contract.parity.inventory import CALLS
from runner.contract.parity.rules import Rule
from runner.contract.parity.tasks import SAME_OUTPUT, SAME_PATHS, SAME_STATE
from runner.contract.qualification.judge import Judgement

_WANTED = {
    SAME_PATHS: "both have the same paths",
    SAME_OUTPUT: "outputs differ by declared rules only",
    SAME_STATE: "durable state differs by declared rules only",
}


def judge_sameness(compared: Compared) -> Iterator[tuple[str, Judgement]]:
    """Whether paths, outputs and durable state are the same but for declared rules, by criterion.

    Each finding counts once: an entry that only one side has is a path, and no difference of outputs or state.
    """
    findings = [(_criterion(item), item.path) for item in compared.differences if not is_explained(item)]
    for criterion, wanted in _WANTED.items():
        found = [path for of, path in findings if of == criterion]
        seen = f"{len(found)} do not, such as {found[0]}" if found else f"all of {compared.entries} entries"
        yield criterion, Judgement(not found, wanted, seen)


def summary(compared: Compared, against: str, rules: Sequence[Rule]) -> HeldAgainst:
    """The counts of a comparison with the variant `against`, for the attempt's own line."""
    explained = compared.explained
    return HeldAgainst(
        against=against,
        entries=compared.entries,
        equal=compared.equal,
        spelling=sum(isinstance(item, SpellingDiffers) for item in compared.differences),
        explained=tuple(Explained(rule=rule.id, places=explained[rule.id]) for rule in rules if explained.get(rule.id)),
        unexplained=len(compared.unexplained),
    )


def _criterion(finding: Difference) -> str:
    if isinstance(finding, OnOneSide):
        return SAME_PATHS
    return SAME_OUTPUT if finding.path.startswith(f"{CALLS}/") else SAME_STATE
