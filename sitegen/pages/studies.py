"""Study pages: the list, and everything that one manifest freezes before anything runs."""

from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.qualification.design import QualificationDesign
from runner.contract.values import PinnedFile
from sitegen import figures
from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.pages.page import Link, PageView
from sitegen.pages.parity.study import ParityStudy, parity_study
from sitegen.pages.planned import attempts_of_full_run
from sitegen.pages.results import ResultLine, result_line, run_line, unreported
from sitegen.pages.status import StatusView, status_view
from sitegen.pages.study_tasks import TaskBrief, task_briefs
from sitegen.pages.subject_views import ExclusionView, SubjectView
from sitegen.pages.subjects import subjects
from sitegen.sources import StudySource


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
    tasks: tuple[TaskBrief, ...]
    """What agents are given; only a comparison has them."""
    parity: ParityStudy | None
    """What only a parity study freezes."""
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
        subjects=tuple(edition.arms(source.frozen).values()),
        planned=attempts_of_full_run(source.frozen),
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
    arms = subjects(edition, source)
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
        subjects=arms,
        tasks=task_briefs(edition, source),
        parity=parity_study(edition, source),
        planned=sum(subject.planned for subject in arms),
        exclusions=tuple(item for subject in arms for item in subject.exclusions),
        claims=tuple(edition.words(claim.text) for claim in study.claims),
        limits=tuple(edition.words(limit.text) for limit in study.limits),
        manifest=source.frozen.files,
        tools=study.design.tools if isinstance(study.design, QualificationDesign) else (),
        results=tuple(result_line(edition, item) for item in edition.site.results if item.study == study.id),
        runs=tuple(
            run_line(edition, run) for run in unreported(edition) if run.sealed.run.study == study.id and run.id in mine
        ),
        command=f"sealbook prepare {study.id}\nsealbook run {study.id}",
    )
