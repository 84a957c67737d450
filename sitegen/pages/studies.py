"""Study pages: the list, and everything that one manifest freezes before anything runs."""

from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.plan import ExclusionReason
from runner.contract.qualification.design import GatedSubject, InstalledSubject
from runner.contract.qualification.tasks import Check, SubjectTasks
from runner.contract.values import PinnedFile
from sitegen import figures
from sitegen.pages import marks, place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link, PageView
from sitegen.pages.results import ResultLine, result_line, run_line, unreported
from sitegen.pages.status import StatusView, status_view
from sitegen.pages.steps import StepView, step_view
from sitegen.pages.wording import command
from sitegen.sources import StudySource


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
    gated: str
    """Why it cannot be run, or empty."""
    artifacts: tuple[ArtifactView, ...]
    curated: tuple[str, ...]
    checks: tuple[CheckView, ...]
    planned: int
    """Attempts of a full run."""
    exclusions: tuple[ExclusionView, ...]


@dataclass(frozen=True, slots=True)
class StudyLine:
    """How lists show a study."""

    link: Link
    question: str
    protocol: Link
    subjects: tuple[str, ...]
    planned: int
    runs: int
    status: StatusView


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyListPage(PageView):
    """All studies."""

    studies: tuple[StudyLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPage(PageView):
    """Every frozen choice of one study."""

    status: StatusView
    question: str
    protocol: Link
    choices: tuple[tuple[str, str], ...]
    subjects: tuple[SubjectView, ...]
    planned: int
    exclusions: tuple[ExclusionView, ...]
    claims: tuple[str, ...]
    limits: tuple[str, ...]
    manifest: tuple[PinnedFile, ...]
    tools: tuple[str, ...]
    results: tuple[ResultLine, ...]
    runs: tuple[ResultLine, ...]
    command: str


def study_pages(edition: Edition) -> Iterator[PageView]:
    """The list, then one page a study."""
    yield StudyListPage(
        frame=edition.frame,
        path=place.STUDIES,
        template="studies.html",
        title=edition.say("nav.studies"),
        description=edition.say("studies.description"),
        section="studies",
        trail=edition.trail("studies")[:1],
        studies=tuple(_line(edition, source) for source in edition.site.studies),
    )
    for source in edition.site.studies:
        yield _study(edition, source)


def protocol_link(edition: Edition, source: StudySource) -> Link:
    """The protocol version that a study follows."""
    reference = source.frozen.study.protocol
    words = f"{reference.id} {reference.version}"
    return edition.link(words, place.protocol(reference.id, reference.version))


def _line(edition: Edition, source: StudySource) -> StudyLine:
    study = source.frozen.study
    return StudyLine(
        link=edition.link(edition.words(study.title), place.study(study.id)),
        question=edition.words(study.question),
        protocol=protocol_link(edition, source),
        subjects=tuple(edition.words(subject.title) for subject in study.design.subjects),
        planned=sum(check.trials for tasks in source.frozen.tasks.subjects for check in tasks.checks),
        runs=len(source.runs),
        status=status_view(edition, source),
    )


def _study(edition: Edition, source: StudySource) -> StudyPage:
    study, say = source.frozen.study, edition.say
    seconds = 1_000_000_000
    caps = study.caps
    choices = (
        (say("choice.attempt-seconds"), figures.duration(caps.attempt_seconds * seconds, edition.catalog)),
        (say("choice.process-seconds"), figures.duration(caps.process_seconds * seconds, edition.catalog)),
        (say("choice.output-bytes"), figures.size(caps.output_bytes, edition.catalog)),
        (
            say("choice.tier"),
            f"{edition.catalog.word(study.tier)}{say('list.colon')}{say(f'tier.{study.tier}.meaning')}",
        ),
        (say("choice.verdict-rule"), say("verdict-rule.last-attempt-of-slot")),
        (say("choice.quick"), say("choice.quick-yes" if study.quick else "choice.quick-no")),
    )
    subjects = tuple(_subject(edition, source, index) for index in range(len(study.design.subjects)))
    mine = {run.id for run in source.runs}
    return StudyPage(
        frame=edition.frame,
        path=place.study(study.id),
        template="study.html",
        title=edition.words(study.title),
        description=edition.words(study.question),
        section="studies",
        trail=edition.trail("studies"),
        status=status_view(edition, source),
        question=edition.words(study.question),
        protocol=protocol_link(edition, source),
        choices=choices,
        subjects=subjects,
        planned=sum(subject.planned for subject in subjects),
        exclusions=tuple(item for subject in subjects for item in subject.exclusions),
        claims=tuple(edition.words(claim.text) for claim in study.claims),
        limits=tuple(edition.words(limit.text) for limit in study.limits),
        manifest=source.frozen.files,
        tools=study.design.tools,
        results=tuple(result_line(edition, item) for item in edition.site.results if item.study == study.id),
        runs=tuple(
            run_line(edition, run) for run in unreported(edition) if run.sealed.run.study == study.id and run.id in mine
        ),
        command=f"sealbook prepare {study.id}\nsealbook run {study.id}",
    )


def _subject(edition: Edition, source: StudySource, index: int) -> SubjectView:
    subject = source.frozen.study.design.subjects[index]
    title, summary = edition.words(subject.title), edition.words(subject.summary)
    if isinstance(subject, GatedSubject):
        reason = edition.words(subject.reason)
        gated = ExclusionReason.access_gated
        exclusion = ExclusionView(
            title, edition.say("exclusion.everything"), marks.exclusion(gated, edition.catalog), reason, "", ""
        )
        return SubjectView(
            subject.id,
            title,
            summary,
            homepage="",
            homepage_leads=False,
            distribution="",
            gated=reason,
            artifacts=(),
            curated=(),
            checks=(),
            planned=0,
            exclusions=(exclusion,),
        )
    tasks = next(item for item in source.frozen.tasks.subjects if item.subject == subject.id)
    return SubjectView(
        id=subject.id,
        title=title,
        summary=summary,
        homepage=subject.homepage,
        homepage_leads=place.on_the_web(subject.homepage),
        distribution=f"{subject.distribution} · {subject.command}",
        gated="",
        artifacts=_artifacts(edition, subject),
        curated=subject.curated,
        checks=tuple(_check(edition, source, subject.id, check) for check in tasks.checks),
        planned=sum(check.trials for check in tasks.checks),
        exclusions=_exclusions(edition, title, tasks),
    )


def _artifacts(edition: Edition, subject: InstalledSubject) -> tuple[ArtifactView, ...]:
    return tuple(
        ArtifactView(item.name, item.version, item.file, item.sha256, edition.catalog.word(item.role))
        for item in subject.artifacts
    )


def _check(edition: Edition, source: StudySource, subject: str, check: Check) -> CheckView:
    seconds = check.seconds or source.frozen.study.caps.attempt_seconds
    return CheckView(
        id=check.id,
        anchor=f"{subject}.{check.id}",
        feature=edition.catalog.word(check.feature),
        title=edition.words(check.title),
        statement=edition.words(check.statement),
        trials=check.trials,
        cap=figures.duration(seconds * 1_000_000_000, edition.catalog),
        slow=check.slow,
        steps=tuple(step_view(step, edition) for step in check.steps),
    )


def _exclusions(edition: Edition, subject: str, tasks: SubjectTasks) -> tuple[ExclusionView, ...]:
    reason = ExclusionReason.not_offered
    return tuple(
        ExclusionView(
            subject=subject,
            task=edition.catalog.word(item.feature),
            mark=marks.exclusion(reason, edition.catalog),
            text=edition.words(item.reason),
            proof=item.help,
            argv=command(item.argv),
        )
        for item in tasks.not_offered
    )
