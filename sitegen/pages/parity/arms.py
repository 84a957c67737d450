"""The arms of a parity study: its variants, and what is attempted beside them."""

from runner.contract.parity.design import ParityDesign, PseudoArm
from runner.contract.parity.variant import AnyVariant, CommitVariant, Variant
from sitegen.pages.edition import Edition
from sitegen.pages.parity.change import revision_words
from sitegen.pages.subject_views import SubjectView, artifact_views


def variant_view(edition: Edition, design: ParityDesign, arm: AnyVariant | PseudoArm, planned: int) -> SubjectView:
    """A variant, or what is attempted beside them. What is asked of all alike stands once, with the scenarios."""
    made, artifacts = "", artifact_views(edition, ())
    if isinstance(arm, Variant | CommitVariant):
        made = f"{design.package} {revision_words(arm)} · {edition.catalog.word(arm.build)}"
        if isinstance(arm, Variant):
            artifacts = artifact_views(edition, (item for item in design.artifacts if item.file == arm.artifact))
        if arm.against:
            against = edition.words(design.variant(arm.against).title)
            made = f"{made} · {edition.say('parity.against', variant=against)}"
    return SubjectView(
        id=arm.id,
        title=edition.words(arm.title),
        summary=edition.words(arm.summary),
        homepage="",
        homepage_leads=False,
        distribution=made,
        instructions="",
        gated="",
        artifacts=artifacts,
        curated=(),
        checks=(),
        planned=planned,
        exclusions=(),
    )
