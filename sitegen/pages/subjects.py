"""The arms of a study as its page shows them: subjects with their checks, lanes with their tasks, or variants."""

from collections import Counter

from runner.contract.comparison.design import AvailableLane, ComparisonDesign, ExternalLane
from runner.contract.comparison.tasks import ComparisonTask, ComparisonTasks
from runner.contract.parity.design import ParityDesign
from runner.contract.plan import ExclusionReason, as_comparison, as_parity, as_qualification
from runner.contract.qualification.design import GatedSubject, InstalledSubject
from runner.contract.qualification.tasks import Check, QualificationTasks, SubjectTasks
from sitegen import figures
from sitegen.pages import marks, place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.parity.arms import variant_view
from sitegen.pages.planned import group_words, planned_tasks, trials_of
from sitegen.pages.steps import StepView, step_view
from sitegen.pages.subject_views import CheckView, ExclusionView, SubjectView, artifact_views
from sitegen.pages.wording import command
from sitegen.sources import StudySource


def subjects(edition: Edition, source: StudySource) -> tuple[SubjectView, ...]:
    """Every arm of the study, in the order of the manifest."""
    if isinstance(source.frozen.study.design, ComparisonDesign):
        compared, tasks = as_comparison(source.frozen)
        return tuple(_lane(edition, source, lane, tasks) for lane in compared.lanes)
    if isinstance(source.frozen.study.design, ParityDesign):
        alike, _ = as_parity(source.frozen)
        planned = Counter(arm for arm, _ in planned_tasks(source.frozen))
        return tuple(variant_view(edition, alike, arm, planned[arm.id]) for arm in alike.arms)
    qualified, checks = as_qualification(source.frozen)
    return tuple(_subject(edition, source, subject, checks) for subject in qualified.subjects)


def _lane(
    edition: Edition, source: StudySource, lane: AvailableLane | ExternalLane, tasks: ComparisonTasks
) -> SubjectView:
    title, summary = edition.words(lane.title), edition.words(lane.summary)
    if isinstance(lane, ExternalLane):
        reason = edition.words(lane.reason)
        exclusions = tuple(
            ExclusionView(
                title, edition.words(task.title), _mark(edition, ExclusionReason.external_unrun), reason, "", ""
            )
            for task in tasks.tasks
        )
        return _unrun(lane.id, title, summary, f"{lane.system} · {lane.subject}", reason, exclusions)
    repetitions = trials_of(source.frozen, tasks.tasks[0])
    return SubjectView(
        id=lane.id,
        title=title,
        summary=summary,
        homepage="",
        homepage_leads=False,
        distribution=f"{lane.system} · {lane.mode} · {lane.subject}",
        instructions=lane.instructions,
        gated="",
        artifacts=(),
        curated=(),
        checks=tuple(_task(edition, source, lane.id, task) for task in tasks.tasks),
        planned=repetitions * len(tasks.tasks),
        exclusions=(),
    )


def _unrun(
    name: str, title: str, summary: str, distribution: str, reason: str, exclusions: tuple[ExclusionView, ...]
) -> SubjectView:
    """An arm that nobody can run here."""
    return SubjectView(
        id=name,
        title=title,
        summary=summary,
        homepage="",
        homepage_leads=False,
        distribution=distribution,
        instructions="",
        gated=reason,
        artifacts=(),
        curated=(),
        checks=(),
        planned=0,
        exclusions=exclusions,
    )


def _task(edition: Edition, source: StudySource, lane: str, task: ComparisonTask) -> CheckView:
    return CheckView(
        id=task.id,
        anchor=f"{lane}.{task.id}",
        feature=group_words(edition, source.frozen, task.id, task),
        title=edition.words(task.title),
        statement=edition.words(task.statement),
        trials=trials_of(source.frozen, task),
        cap=figures.duration(source.frozen.study.caps.attempt_seconds * 1_000_000_000, edition.catalog),
        slow=False,
        unfold=edition.say("study.criteria", n=len(task.acceptance)),
        steps=tuple(StepView(item.id, edition.words(item.requirement), "", (), ()) for item in task.acceptance),
    )


def _mark(edition: Edition, reason: ExclusionReason) -> Mark:
    return marks.exclusion(reason, edition.catalog)


def _subject(
    edition: Edition, source: StudySource, subject: InstalledSubject | GatedSubject, planned: QualificationTasks
) -> SubjectView:
    title, summary = edition.words(subject.title), edition.words(subject.summary)
    if isinstance(subject, GatedSubject):
        reason = edition.words(subject.reason)
        mark = _mark(edition, ExclusionReason.access_gated)
        exclusion = ExclusionView(title, edition.say("exclusion.everything"), mark, reason, "", "")
        return _unrun(subject.id, title, summary, "", reason, (exclusion,))
    tasks = next(item for item in planned.subjects if item.subject == subject.id)
    return SubjectView(
        id=subject.id,
        title=title,
        summary=summary,
        homepage=subject.homepage,
        homepage_leads=place.on_the_web(subject.homepage),
        distribution=f"{subject.distribution} · {subject.command}",
        instructions="",
        gated="",
        artifacts=artifact_views(edition, subject.artifacts),
        curated=subject.curated,
        checks=tuple(_check(edition, source, subject.id, check) for check in tasks.checks),
        planned=sum(check.trials for check in tasks.checks),
        exclusions=_exclusions(edition, title, tasks),
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
        unfold=edition.say("study.steps", n=len(check.steps)),
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
