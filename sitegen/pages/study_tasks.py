"""The tasks of a comparison as its study page shows them: what an agent is given, and what is kept from it."""

from dataclasses import dataclass

from runner.contract.comparison.design import ComparisonDesign
from runner.contract.comparison.tasks import PROBE_COMMANDS, ComparisonTask, PatchDrift, ProbeProfile
from runner.contract.plan import as_comparison
from sitegen import figures
from sitegen.pages.edition import Edition
from sitegen.pages.wording import command
from sitegen.sources import StudySource


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file that the workspace holds when an attempt begins."""

    path: str
    pinned: str
    digest: str


@dataclass(frozen=True, slots=True)
class ProbeAsked:
    """The independent tool of a task, and how it is asked."""

    tool: str
    commands: tuple[tuple[str, str], ...]
    caps: str
    limits: str


@dataclass(frozen=True, slots=True)
class DriftDeclared:
    """What changes under the agent."""

    description: str
    patch: str
    digest: str


@dataclass(frozen=True, slots=True)
class TaskBrief:
    """One task of a comparison."""

    id: str
    title: str
    prompt: str
    """As the agent is given it, in the one language that it is written in; `setup` likewise."""
    prompt_digest: str
    setup: str
    files: tuple[GivenFile, ...]
    drift: DriftDeclared | None
    review: str
    probe: ProbeAsked | None


def task_briefs(edition: Edition, source: StudySource) -> tuple[TaskBrief, ...]:
    """The tasks of a comparison; none for another study kind."""
    if not isinstance(source.frozen.study.design, ComparisonDesign):
        return ()
    _, tasks = as_comparison(source.frozen)
    digests = {file.path: file.sha256 for file in source.frozen.files}
    return tuple(_brief(edition, task, digests) for task in tasks.tasks)


def _brief(edition: Edition, task: ComparisonTask, digests: dict[str, str]) -> TaskBrief:
    drift = task.drift
    return TaskBrief(
        id=task.id,
        title=edition.words(task.title),
        prompt=task.prompt,
        prompt_digest=task.prompt_sha256,
        setup=task.setup,
        files=tuple(GivenFile(file.path, file.pinned, digests[file.pinned]) for file in task.fixture),
        drift=(
            DriftDeclared(edition.words(drift.description), drift.patch, digests[drift.patch])
            if isinstance(drift, PatchDrift)
            else None
        ),
        review=edition.words(task.review_protocol),
        probe=_probe(edition, task.probe) if task.probe else None,
    )


def _probe(edition: Edition, profile: ProbeProfile) -> ProbeAsked:
    return ProbeAsked(
        tool=profile.tool,
        commands=tuple((edition.say(f"probe.{name}"), command(profile.command(name))) for name in PROBE_COMMANDS),
        caps=edition.say(
            "brief.probe-caps",
            span=figures.duration(profile.seconds * 1_000_000_000, edition.catalog),
            size=figures.size(profile.output_bytes, edition.catalog),
        ),
        limits=edition.words(profile.limits),
    )
