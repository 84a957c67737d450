"""What is shown of one attempt: its facts, everything that happened in order, and the lines that record it.

An attempt has a page of its own, or shares one in a large run (`details`); both show this.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from runner.contract.attempt import Attempt, Verdict
from runner.contract.evidence import Commitment, Timing
from runner.contract.seal import ATTEMPTS_FILE, TIMINGS_FILE, digest
from runner.contract.values import FileDigest, Record
from sitegen import figures
from sitegen.pages import marks, place
from sitegen.pages.attempt_place import attempt_place, paged
from sitegen.pages.contenders import gathered
from sitegen.pages.edition import Edition
from sitegen.pages.happenings import Happening, time_line
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link, PageView
from sitegen.pages.wording import usage
from sitegen.sources import RunSource

_COUNTS = ("trial", "retry", "steps", "processes", "kills", "clock-shifts", "leftovers")
_SPANS = ("duration", "started")


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
class AttemptView:
    """One attempt."""

    name: str
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
    lines: tuple[Line, Line]
    """Of attempts.jsonl and of timings.jsonl."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptPage(PageView):
    """The page of one attempt."""

    study: Link
    run: str
    publication: Mark
    published: bool
    attempt: AttemptView
    before: Link | None
    after: Link | None


def attempt_pages(edition: Edition) -> Iterator[PageView]:
    """One page for each attempt of each run that is not large."""
    for study in edition.site.studies:
        for run in study.runs:
            if not paged(run):
                yield from _pages(edition, run)


def _pages(edition: Edition, run: RunSource) -> Iterator[AttemptPage]:
    study = run.sealed.plan.study
    names = tuple(run.sealed.lines)
    for index, view in enumerate(attempt_views(edition, run)):
        yield AttemptPage(
            frame=edition.frame,
            path=attempt_place(run, view.name),
            template="attempt.html",
            title=view.name,
            description=view.check.words,
            section="attempts",
            trail=edition.trail("attempts", edition.link(run.id, place.attempts(study.id, run.id))),
            beside=edition.run_neighbours(run),
            study=edition.link(edition.words(study.title), place.study(study.id)),
            run=run.id,
            publication=edition.publication(run),
            published=run.published,
            attempt=view,
            before=_neighbour(edition, run, names, index - 1),
            after=_neighbour(edition, run, names, index + 1),
        )


def _neighbour(edition: Edition, run: RunSource, names: Sequence[str], index: int) -> Link | None:
    if not 0 <= index < len(names):
        return None
    return edition.link(names[index], attempt_place(run, names[index]))


def attempt_views(edition: Edition, run: RunSource) -> Iterator[AttemptView]:
    """Every attempt of a run, in the order of attempts.jsonl, made when it is asked for."""
    maker = _Maker(edition, run)
    for line, (attempt, timing) in enumerate(zip(run.sealed.attempts, run.sealed.timings, strict=True), 1):
        yield maker.view(line, attempt, timing)


@dataclass(frozen=True, slots=True)
class _Task:
    """What attempts of one arm at one task have in common."""

    subject: str
    feature: str
    check: Link
    statement: str


class _Maker:
    """Makes the views of one run's attempts. What many of them share is made once."""

    def __init__(self, edition: Edition, run: RunSource) -> None:
        self._edition = edition
        self._run = run
        self._sources = {path: self._source(path) for path in (ATTEMPTS_FILE, TIMINGS_FILE)}
        self._counting = run.sealed.current
        self._subjects = edition.subjects(run)
        self._tasks: dict[tuple[str, str], _Task] = {}
        self._verdicts = {item: marks.verdict(item, edition.catalog) for item in Verdict}
        self._commitments: dict[str, list[Commitment]] = {}
        for item in run.sealed.commitments:
            self._commitments.setdefault(item.attempt, []).append(item)
        self._names = {key: edition.say(f"attempt.{key}") for key in (*_COUNTS, *_SPANS)}
        study = edition.site.study(run.sealed.run.study)
        present = study.frozen.tasks.subjects if study else ()
        self._present = {(tasks.subject, check.id) for tasks in present for check in tasks.checks}

    def view(self, number: int, attempt: Attempt, timing: Timing) -> AttemptView:
        """The view of the attempt in line `number`."""
        run, catalog, detail = self._run, self._edition.catalog, attempt.detail
        task = self._task(attempt.arm, attempt.task)
        shown = attempt_place(run, attempt.attempt)
        line = self._line(ATTEMPTS_FILE, place.part(shown, "line"), number, attempt)
        times = self._line(TIMINGS_FILE, place.part(shown, "times"), number, timing)
        counts = (
            attempt.trial,
            attempt.retry,
            detail.steps_performed,
            detail.processes_started,
            detail.kills,
            detail.clock_shifts,
            detail.leftovers,
        )
        spans = (timing.ended_ns - timing.started_ns, timing.started_ns)
        numbers = (
            *(
                Number(self._names[key], figures.count(value, catalog), line)
                for key, value in zip(_COUNTS, counts, strict=True)
            ),
            *(
                Number(self._names[key], figures.duration(value, catalog), times)
                for key, value in zip(_SPANS, spans, strict=True)
            ),
        )
        offsets = [instant - timing.started_ns for instant in timing.event_ns]
        events = run.sealed.events_in(attempt.events) if attempt.events else ()
        paths = (*((attempt.events,) if attempt.events else ()), *attempt.artifacts)
        return AttemptView(
            name=attempt.attempt,
            subject=task.subject,
            feature=task.feature,
            check=task.check,
            statement=task.statement,
            mark=marks.outcome(attempt.outcome, catalog),
            reason=catalog.word(attempt.reason.code) if attempt.reason else "",
            reason_at=(attempt.reason.at or "") if attempt.reason else "",
            superseded=attempt.attempt not in self._counting,
            passed_after_cap=attempt.passed_after_cap,
            criteria=tuple(CriterionView(item.id, self._verdicts[item.verdict]) for item in attempt.criteria),
            numbers=numbers,
            usage=usage(attempt.usage, catalog),
            tier=catalog.word(attempt.tier),
            happenings=gathered(events, time_line(events, offsets, catalog), catalog),
            files=tuple(sealed_file(self._edition, run, run.sealed.file(path)) for path in paths),
            commitments=tuple(self._commitments.get(attempt.attempt, ())),
            lines=(line, times),
        )

    def _task(self, arm: str, task: str) -> _Task:
        found = self._tasks.get((arm, task))
        if found is None:
            edition, sealed = self._edition, self._run.sealed
            check = sealed.plan.tasks.check(arm, task)
            target = place.study(sealed.run.study)
            if (arm, task) in self._present:  # the study may have moved on since
                target = f"{target}#{arm}.{task}"
            found = _Task(
                self._subjects[arm],
                edition.catalog.word(check.feature),
                edition.link(edition.words(check.title), target),
                edition.words(check.statement),
            )
            self._tasks[arm, task] = found
        return found

    def _source(self, path: str) -> tuple[Link, str]:
        target = place.sealed_file(self._run.sealed.run.study, self._run.id, path)
        return Link(path, target), self._run.sealed.file(path).sha256

    def _line(self, path: str, shown: str, number: int, record: Record) -> Line:
        data = record.canonical()
        file, file_digest = self._sources[path]
        return Line(
            anchor=shown.partition("#")[2],
            number=number,
            text=data.decode("utf-8"),
            digest=digest(data),
            file=file,
            file_digest=file_digest,
        )


def sealed_file(edition: Edition, run: RunSource, file: FileDigest) -> SealedFile:
    """A sealed file as pages list it."""
    target = place.sealed_file(run.sealed.run.study, run.id, file.path)
    return SealedFile(Link(file.path, target), figures.size(file.bytes, edition.catalog), file.sha256)
