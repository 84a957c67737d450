"""What is shown of one attempt: its facts, everything that happened in order, and the lines that record it.

An attempt has a page of its own (`attempt`), or shares one in a large run (`details`); both show this.
"""

from dataclasses import dataclass
from functools import lru_cache, partial

from runner.contract.attempt import Criterion, Detail, Outcome, Reason, Verdict
from runner.contract.comparison.detail import ComparisonDetail
from runner.contract.comparison.tasks import ComparisonTask
from runner.contract.events import Event, ProcessEvent, StoppedEvent
from runner.contract.evidence import Commitment
from runner.contract.seal import ATTEMPTS_FILE, TIMINGS_FILE
from runner.contract.study import Tier
from sitegen import figures
from sitegen.catalog import Catalog
from sitegen.pages import marks, place
from sitegen.pages.attempt_counts import NAMES, counted
from sitegen.pages.attempt_parts import Line, Number, SealedFile, sealed_file
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.attempt_records import Recorded, commitments
from sitegen.pages.compared_attempt import ComparedAttempt, compared_attempt
from sitegen.pages.contenders import gathered
from sitegen.pages.edition import Edition
from sitegen.pages.happenings import Happening, time_line, told
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link
from sitegen.pages.parity.attempt import ParityAttempt, parity_attempt
from sitegen.pages.planned import group_words, planned_tasks, statement_words
from sitegen.pages.told import Told
from sitegen.pages.wording import usage
from sitegen.sources import RunSource

_COUNTS = ("trial", "retry")
_SPANS = ("duration", "started")
_NAMED = (*_COUNTS, *NAMES, *_SPANS)
_REMEMBERED = 2048
_LONG = 2048
"""Bytes of output; what is said of an event with more is not remembered."""


@dataclass(frozen=True, slots=True)
class CriterionView:
    """One judged expectation."""

    id: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Task:
    """What attempts of one arm at one task have in common."""

    subject: str
    feature: str
    check: Link
    statement: str


@dataclass(frozen=True, slots=True)
class Ending:
    """What became of an attempt."""

    mark: Mark
    reason: str
    reason_at: str
    superseded: bool
    passed_after_cap: bool


@dataclass(frozen=True, slots=True)
class Reservation:
    """One reason why nothing may be concluded from an attempt."""

    words: str
    recorded: str
    """The record's own text, which is in English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptView:
    """One attempt."""

    name: str
    task: Task
    ending: Ending
    criteria: tuple[CriterionView, ...]
    numbers: tuple[Number, ...]
    usage: str
    tier: str
    ineligible: tuple[Reservation, ...]
    """Why nothing may be concluded from it."""
    happenings: tuple[Happening, ...]
    files: tuple[SealedFile, ...]
    commitments: tuple[Commitment, ...]
    lines: tuple[Line, Line]
    """Of attempts.jsonl and of timings.jsonl."""
    compared: ComparedAttempt | None
    """What only an attempt at a comparison shows."""
    parity: ParityAttempt | None
    """What only an attempt of a parity study shows."""


class AttemptViews:
    """Makes the views of one run's attempts. What many of them share is made once."""

    def __init__(self, edition: Edition, run: RunSource) -> None:
        self._edition = edition
        self._run = run
        self._sources = {path: self._source(path) for path in (ATTEMPTS_FILE, TIMINGS_FILE)}
        self._counting = run.sealed.current
        self._subjects = edition.subjects(run)
        self._task = lru_cache(_REMEMBERED)(self._make_task)
        self._ending = lru_cache(_REMEMBERED)(self._make_ending)
        self._criteria = lru_cache(_REMEMBERED)(self._make_criteria)
        self._usage = lru_cache(_REMEMBERED)(partial(usage, catalog=edition.catalog))
        self._told = lru_cache(_REMEMBERED)(partial(told, catalog=edition.catalog))
        self._tiers = {tier: edition.catalog.word(tier) for tier in Tier}
        self._verdicts = {item: marks.verdict(item, edition.catalog) for item in Verdict}
        self._names = {key: edition.say(f"attempt.{key}") for key in _NAMED}
        study = edition.site.study(run.sealed.run.study)
        self._present = frozenset(planned_tasks(study.frozen) if study else ())

    def view(self, recorded: Recorded) -> AttemptView:
        """The view of one attempt."""
        run, catalog = self._run, self._edition.catalog
        attempt, timing = recorded.attempt, recorded.timing
        shown = attempt_place(run, attempt.attempt)
        line, times = (
            self._line(path, place.part(shown, part), recorded.number, *quoted)
            for path, part, quoted in zip((ATTEMPTS_FILE, TIMINGS_FILE), ("line", "times"), recorded.lines, strict=True)
        )
        counts = (
            *zip(_COUNTS, (attempt.trial, attempt.retry), strict=True),
            *counted(attempt.detail, run.sealed.plan.study.design),
        )
        spans = (timing.ended_ns - timing.started_ns, timing.started_ns)
        offsets = [instant - timing.started_ns for instant in timing.event_ns]
        entries = time_line(map(self._said, recorded.events), offsets, catalog)
        paths = (*((attempt.events,) if attempt.events else ()), *attempt.artifacts)
        return AttemptView(
            name=attempt.attempt,
            task=self._task(attempt.arm, attempt.task),
            ending=self._ending(
                attempt.outcome,
                attempt.reason,
                superseded=attempt.attempt not in self._counting,
                passed_after_cap=attempt.passed_after_cap,
            ),
            criteria=self._criteria(attempt.criteria),
            numbers=(
                *(Number(self._names[key], figures.count(value, catalog), line) for key, value in counts),
                *(
                    Number(self._names[key], figures.duration(value, catalog), times)
                    for key, value in zip(_SPANS, spans, strict=True)
                ),
            ),
            usage=self._usage(attempt.usage),
            tier=self._tiers[attempt.tier],
            ineligible=_reservations(attempt.detail, catalog),
            happenings=gathered(recorded.events, entries, catalog),
            files=tuple(sealed_file(self._edition, run, run.sealed.file(path)) for path in paths),
            commitments=commitments(run, attempt.attempt),
            lines=(line, times),
            compared=self._compared(recorded, line),
            parity=parity_attempt(self._edition, run, attempt, line),
        )

    def _compared(self, recorded: Recorded, line: Line) -> ComparedAttempt | None:
        task = self._run.sealed.plan.tasks.check(recorded.attempt.arm, recorded.attempt.task)
        if not isinstance(task, ComparisonTask):
            return None
        return compared_attempt(self._edition, self._run, task, recorded, line)

    def _said(self, event: Event) -> Told:
        """What is said of an event; long output is not remembered."""
        long = (
            isinstance(event, ProcessEvent | StoppedEvent) and event.stdout.kept_bytes + event.stderr.kept_bytes > _LONG
        )
        return told(event, self._edition.catalog) if long else self._told(event)

    def _make_task(self, arm: str, task: str) -> Task:
        edition, sealed = self._edition, self._run.sealed
        check = sealed.plan.tasks.check(arm, task)
        target = place.study(sealed.run.study)
        if (arm, task) in self._present:  # the study may have moved on since
            target = f"{target}#{arm}.{task}"
        return Task(
            self._subjects[arm],
            group_words(edition, sealed.plan, task, check),
            edition.link(edition.words(check.title), target),
            statement_words(edition, sealed.plan, arm, task),
        )

    def _make_ending(
        self, outcome: Outcome, reason: Reason | None, *, superseded: bool, passed_after_cap: bool
    ) -> Ending:
        catalog = self._edition.catalog
        return Ending(
            mark=marks.outcome(outcome, catalog),
            reason=catalog.word(reason.code) if reason else "",
            reason_at=(reason.at or "") if reason else "",
            superseded=superseded,
            passed_after_cap=passed_after_cap,
        )

    def _make_criteria(self, criteria: tuple[Criterion, ...]) -> tuple[CriterionView, ...]:
        return tuple(CriterionView(item.id, self._verdicts[item.verdict]) for item in criteria)

    def _source(self, path: str) -> tuple[Link, str]:
        target = place.sealed_file(self._run.sealed.run.study, self._run.id, path)
        return Link(path, target), self._run.sealed.file(path).sha256

    def _line(self, path: str, shown: str, number: int, text: str, line_digest: str) -> Line:
        file, file_digest = self._sources[path]
        return Line(
            anchor=shown.partition("#")[2],
            number=number,
            text=text,
            digest=line_digest,
            file=file,
            file_digest=file_digest,
        )


def _reservations(detail: Detail, catalog: Catalog) -> tuple[Reservation, ...]:
    if isinstance(detail, ComparisonDetail):
        return tuple(Reservation(catalog.word(item.because), item.text) for item in detail.ineligible)
    return ()
