"""One page an attempt: its facts, everything that happened in order, and the line that records it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.attempt import Attempt
from runner.contract.evidence import Commitment
from runner.contract.seal import digest
from runner.contract.values import FileDigest, Record
from sitegen import figures
from sitegen.pages import marks, place
from sitegen.pages.contenders import gathered
from sitegen.pages.edition import Edition
from sitegen.pages.happenings import Happening, time_line
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link, PageView
from sitegen.pages.wording import usage
from sitegen.sources import RunSource

ATTEMPTS_FILE = "attempts.jsonl"
TIMINGS_FILE = "timings.jsonl"


@dataclass(frozen=True, slots=True)
class CriterionView:
    """One judged expectation."""

    id: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class SealedFile:
    """A published file of the attempt."""

    link: Link
    size: str
    digest: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the evidence that records the attempt, as it stands there."""

    anchor: str
    """Where numbers of this page lead to."""
    number: int
    text: str
    digest: str
    """SHA-256 of the line without its line feed."""
    file: Link
    file_digest: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the attempt, and the line that it comes from."""

    name: str
    value: str
    line: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptPage(PageView):
    """One attempt."""

    study: Link
    run: str
    publication: Mark
    published: bool
    subject: str
    feature: str
    check: Link
    statement: str
    mark: Mark
    reason: str
    reason_at: str
    superseded: bool
    passed_after_cap: bool
    criteria: tuple[CriterionView, ...]
    numbers: tuple[Number, ...]
    usage: str
    tier: str
    happenings: tuple[Happening, ...]
    files: tuple[SealedFile, ...]
    commitments: tuple[Commitment, ...]
    lines: tuple[Line, ...]
    before: Link | None
    after: Link | None


def attempt_pages(edition: Edition) -> Iterator[PageView]:
    """One page for each attempt of each run."""
    for study in edition.site.studies:
        for run in study.runs:
            counting = run.sealed.current
            kept_back: dict[str, list[Commitment]] = defaultdict(list)
            for item in run.sealed.commitments:
                kept_back[item.attempt].append(item)
            for index, attempt in enumerate(run.sealed.attempts):
                yield _page(
                    edition,
                    run,
                    index,
                    attempt,
                    superseded=attempt.attempt not in counting,
                    commitments=tuple(kept_back.get(attempt.attempt, ())),
                )


def _page(
    edition: Edition,
    run: RunSource,
    index: int,
    attempt: Attempt,
    *,
    superseded: bool,
    commitments: tuple[Commitment, ...],
) -> AttemptPage:
    sealed, say = run.sealed, edition.say
    study = sealed.plan.study
    check = sealed.plan.tasks.check(attempt.arm, attempt.task)
    timing = sealed.timing(attempt.attempt)
    subject = next(item for item in study.design.subjects if item.id == attempt.arm)
    detail, catalog = attempt.detail, edition.catalog
    number = sealed.line_of(attempt.attempt)
    line = _line(run, ATTEMPTS_FILE, "line", number, attempt)
    times = _line(run, TIMINGS_FILE, "times", number, timing)
    counts = {
        "trial": attempt.trial,
        "retry": attempt.retry,
        "steps": detail.steps_performed,
        "processes": detail.processes_started,
        "kills": detail.kills,
        "clock-shifts": detail.clock_shifts,
        "leftovers": detail.leftovers,
    }
    spans = {"duration": timing.ended_ns - timing.started_ns, "started": timing.started_ns}
    numbers = (
        *(Number(say(f"attempt.{key}"), figures.count(value, catalog), line) for key, value in counts.items()),
        *(Number(say(f"attempt.{key}"), figures.duration(value, catalog), times) for key, value in spans.items()),
    )
    offsets = [instant - timing.started_ns for instant in timing.event_ns]
    events = sealed.events(attempt.attempt) if attempt.events else ()
    return AttemptPage(
        frame=edition.frame,
        path=place.attempt(study.id, run.id, attempt.attempt),
        template="attempt.html",
        title=attempt.attempt,
        description=edition.words(check.title),
        section="attempts",
        trail=edition.trail("attempts", edition.link(run.id, place.attempts(study.id, run.id))),
        beside=edition.run_neighbours(run),
        study=edition.link(edition.words(study.title), place.study(study.id)),
        run=run.id,
        publication=edition.publication(run),
        published=run.published,
        subject=edition.words(subject.title),
        feature=catalog.word(check.feature),
        check=_check_link(edition, run, attempt, edition.words(check.title)),
        statement=edition.words(check.statement),
        mark=marks.outcome(attempt.outcome, catalog),
        reason=catalog.word(attempt.reason.code) if attempt.reason else "",
        reason_at=(attempt.reason.at or "") if attempt.reason else "",
        superseded=superseded,
        passed_after_cap=attempt.passed_after_cap,
        criteria=tuple(CriterionView(item.id, marks.verdict(item.verdict, catalog)) for item in attempt.criteria),
        numbers=numbers,
        usage=usage(attempt.usage, catalog),
        tier=catalog.word(attempt.tier),
        happenings=gathered(events, time_line(events, offsets, catalog), catalog),
        files=_files(edition, run, attempt),
        commitments=commitments,
        lines=(line, times),
        before=_neighbour(edition, run, index - 1),
        after=_neighbour(edition, run, index + 1),
    )


def _check_link(edition: Edition, run: RunSource, attempt: Attempt, title: str) -> Link:
    """The check on the study's page, or the page alone if the study has moved on since."""
    study = edition.site.study(run.sealed.run.study)
    target = place.study(run.sealed.run.study)
    if study is not None:
        present = {(tasks.subject, check.id) for tasks in study.frozen.tasks.subjects for check in tasks.checks}
        if (attempt.arm, attempt.task) in present:
            target = f"{target}#{attempt.arm}.{attempt.task}"
    return edition.link(title, target)


def _files(edition: Edition, run: RunSource, attempt: Attempt) -> tuple[SealedFile, ...]:
    paths = (*((attempt.events,) if attempt.events else ()), *attempt.artifacts)
    return tuple(sealed_file(edition, run, run.sealed.file(path)) for path in paths)


def sealed_file(edition: Edition, run: RunSource, file: FileDigest) -> SealedFile:
    """A sealed file as pages list it."""
    target = place.sealed_file(run.sealed.run.study, run.id, file.path)
    return SealedFile(Link(file.path, target), figures.size(file.bytes, edition.catalog), file.sha256)


def _line(run: RunSource, path: str, anchor: str, number: int, record: Record) -> Line:
    data = record.canonical()
    file = run.sealed.file(path)
    return Line(
        anchor=anchor,
        number=number,
        text=data.decode("utf-8"),
        digest=digest(data),
        file=Link(path, place.sealed_file(run.sealed.run.study, run.id, path)),
        file_digest=file.sha256,
    )


def _neighbour(edition: Edition, run: RunSource, index: int) -> Link | None:
    attempts = run.sealed.attempts
    if not 0 <= index < len(attempts):
        return None
    name = attempts[index].attempt
    return edition.link(name, place.attempt(run.sealed.run.study, run.id, name))
