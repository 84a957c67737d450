"""What a study's page shows of one arm: its artifacts, its checks, and what of it is not attempted."""

from collections.abc import Iterable
from dataclasses import dataclass

from runner.contract.artifact import Artifact
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.steps import StepView


@dataclass(frozen=True, slots=True)
class ArtifactView:
    """One pinned file of a package index."""

    name: str
    version: str
    file: str
    digest: str
    role: str


@dataclass(frozen=True, slots=True)
class CheckView:
    """One check with its steps."""

    id: str
    anchor: str
    feature: str
    title: str
    statement: str
    trials: int
    cap: str
    slow: bool
    unfold: str
    """What opens its steps or criteria, with their number."""
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True)
class ExclusionView:
    """Something that belongs to the question and is not attempted."""

    subject: str
    task: str
    mark: Mark
    text: str
    proof: str
    argv: str


@dataclass(frozen=True, slots=True)
class SubjectView:
    """One tool that the question is about."""

    id: str
    title: str
    summary: str
    homepage: str
    homepage_leads: bool
    """Whether it is an address that may be a link."""
    distribution: str
    instructions: str
    """What an agent of a lane is told about its way of working, as it is given; empty for other arms."""
    gated: str
    """Why it cannot be run, or empty."""
    artifacts: tuple[ArtifactView, ...]
    curated: tuple[str, ...]
    checks: tuple[CheckView, ...]
    planned: int
    """Attempts of a full run."""
    exclusions: tuple[ExclusionView, ...]


def artifact_views(edition: Edition, artifacts: Iterable[Artifact]) -> tuple[ArtifactView, ...]:
    """Pinned files as a page lists them."""
    return tuple(
        ArtifactView(item.name, item.version, item.file, item.sha256, edition.catalog.word(item.role))
        for item in artifacts
    )
