"""What two runs of a parity study were made with: above all, whether both measured the same files.

If they did, the later one repeats the earlier one. If not, it is a run of something else, whatever both are called.
"""

from collections.abc import Iterator

from runner.contract.analysis.parity import ParityAnalysis
from runner.contract.parity.detail import CommitFacts, VariantFact
from runner.contract.parity.reduction import timing_for
from runner.contract.plan import as_parity
from runner.contract.seal import digest
from sitegen.pages.edition import Edition
from sitegen.pages.parity.receipts import facts_of
from sitegen.sources import RunSource


def are_of_parity(*runs: RunSource) -> bool:
    """Whether all of them are runs of a parity study."""
    return all(isinstance(run.sealed.run.analysis, ParityAnalysis) for run in runs)


def made_with(edition: Edition, older: RunSource, newer: RunSource) -> Iterator[tuple[str, str, str]]:
    """Name and both digests of what makes figures comparable: harness, frozen measurement, the files of each variant.

    A digest is empty where the run has no such variant. Raises ValueError for another study kind.
    """
    yield edition.say("fact.harness"), facts_of(older).harness, facts_of(newer).harness
    yield edition.say("two-runs.timing"), _timing(older), _timing(newer)
    before, after = _variants(older), _variants(newer)
    for variant, name in _names(edition, older, newer).items():
        one, other = (side[variant].tree if variant in side else "" for side in (before, after))
        yield edition.say("two-runs.files", variant=name), one, other


def repetition(edition: Edition, older: RunSource, newer: RunSource) -> str:
    """Whether the later run measured the same files as the earlier one, byte for byte, or which variants were others.

    A variant is told apart by the pinned file or commit that it is made from, and then by all files that were prepared
    from it. Raises as `made_with` does.
    """
    before, after = _variants(older), _variants(newer)
    pinned, prepared = [], []
    for variant, name in _names(edition, older, newer).items():
        one, other = before.get(variant), after.get(variant)
        if one is None or other is None or _origin(one) != _origin(other):
            pinned.append(name)
        elif one.tree != other.tree:
            prepared.append(name)
    comma = edition.say("list.comma")
    if pinned:
        return edition.say("two-runs.no-repetition", variants=comma.join(pinned))
    if prepared:
        return edition.say("two-runs.prepared-anew", variants=comma.join(prepared))
    return edition.say("two-runs.repetition")


def _variants(run: RunSource) -> dict[str, VariantFact]:
    return {item.variant: item for item in facts_of(run).variants}


def _origin(item: VariantFact) -> str:
    return item.commit if isinstance(item, CommitFacts) else item.artifact.sha256


def _names(edition: Edition, older: RunSource, newer: RunSource) -> dict[str, str]:
    """The title of every variant of either run, those of the later one first."""
    titles = {**edition.subjects(older), **edition.subjects(newer)}
    return {variant: titles[variant] for variant in {**_variants(newer), **_variants(older)}}


def _timing(run: RunSource) -> str:
    """One digest over rows, counts, order, seed and gates, as the run was asked to measure."""
    plan = run.sealed.plan
    return digest(timing_for(as_parity(plan)[0].timing, plan.selection).canonical())
