"""What a run says of the claims of its study.

A claim is what the study would establish if its attempts are accepted, and no attempt is tied to one
claim alone. So a run supports the claims of its study only if it left nothing out, no access-gated
subject and no lane that is run elsewhere either, and every planned attempt was accepted; a run with
findings neither supports nor refutes any one of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from runner.contract.analysis.gate import gate_of
from runner.contract.plan import ExclusionReason, Selection
from runner.contract.study import Study
from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark, named
from sitegen.prose import Citation
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """One claim with what the run says of it."""

    id: str
    text: str
    mark: Mark


def supported(run: RunSource) -> bool:
    """Whether the run supports the claims of its study."""
    record = run.sealed.run
    # A feature that a subject does not offer is answered for, by its own help; whatever else is excluded is not.
    whole = all(item.reason is ExclusionReason.not_offered for item in run.sealed.plan.exclusions)
    whole = whole and gate_of(record.analysis).met
    return whole and record.tally.accepted == record.tally.planned and record.selection is Selection.full


def standing(edition: Edition, run: RunSource | None) -> Mark:
    """What a run, or its absence, says of every claim of its study."""
    state = "no run" if run is None else "supported" if supported(run) else "not supported"
    return named("claim", state, edition.catalog)


def claim_lines(edition: Edition, study: Study, run: RunSource | None) -> tuple[ClaimLine, ...]:
    """The claims of a study as they stand after the run."""
    mark = standing(edition, run)
    return tuple(ClaimLine(claim.id, edition.words(claim.text), mark) for claim in study.claims)


def citations(edition: Edition, study: Study, run: RunSource | None, origin: str) -> Mapping[str, Citation]:
    """How the text of the page at `origin` names each claim of its study."""
    target = f"{edition.frame.folder}{place.study(study.id)}#claims"
    word = standing(edition, run).word
    return {
        claim.id: Citation(
            text=edition.say("claim.cited", id=claim.id, standing=word),
            href=place.relative(origin, target),
            supported=run is not None and supported(run),
        )
        for claim in study.claims
    }
