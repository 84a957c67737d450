"""The attempts of a run as a table: which columns there are and what stands in them, in no language."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from runner.contract.attempt import Attempt, Detail, Outcome, QualificationDetail, ReasonCode
from runner.contract.comparison.design import ComparisonDesign
from runner.contract.comparison.detail import ComparisonDetail
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.detail import HeldAgainst, NotCompared, ParityDetail, VariantDetail
from runner.contract.qualification.design import Feature, QualificationDesign
from runner.contract.seal import ATTEMPTS_FILE, TIMINGS_FILE
from runner.contract.values import KnownUsage, NoModelUsage, Text, UnknownUsage, Usage
from sitegen.pages import place
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.planned import feature_of, planned_tasks
from sitegen.sources import RunSource, once_a_run
from sitegen.tables import Choices, Column, Names, NoNumber, Numbers, Numeric, Table, Targets, Texts, targets

DURATION = "duration"
COUNTS, SUPERSEDED = "counts", "superseded"
"""Whether an attempt is the last one of its slot."""


@dataclass(slots=True)
class _Facts:
    """What the columns hold, gathered in one pass: attempts may be parsed anew whenever they are read."""

    names: list[str] = field(default_factory=list)
    arms: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    trials: list[int] = field(default_factory=list)
    retries: list[int] = field(default_factory=list)
    counts: dict[str, list[Numeric]] = field(default_factory=dict)
    """What only attempts of the run's study kind count, by column."""
    tokens: list[Numeric] = field(default_factory=list)
    models: bool = False
    """Whether a model took part in any attempt."""

    def add(self, attempt: Attempt) -> None:
        """Note one attempt."""
        self.names.append(attempt.attempt)
        self.arms.append(attempt.arm)
        self.tasks.append(attempt.task)
        self.outcomes.append(attempt.outcome.value)
        self.reasons.append(attempt.reason.code.value if attempt.reason else "")
        self.places.append((attempt.reason.at if attempt.reason else None) or "")
        self.trials.append(attempt.trial)
        self.retries.append(attempt.retry)
        for key, value in _counted(attempt.detail):
            self.counts.setdefault(key, []).append(value)
        self.tokens.append(_tokens(attempt.usage))
        self.models = self.models or not isinstance(attempt.usage, NoModelUsage)


@once_a_run
def attempt_table(run: RunSource) -> Table:
    """One row for each line of the run's attempts.jsonl, in that order. It is the same in every language."""
    facts = _Facts()
    for attempt in run.sealed.attempts:
        facts.add(attempt)
    page = place.attempts(run.sealed.run.study, run.id)
    own = targets((attempt_place(run, name), name) for name in facts.names)

    def leading(part: str = "") -> Targets:
        places = (place.part(target, part) if part else target for target in own.templates)
        return Targets(tuple(place.relative(page, target) for target in places), own.codes)

    lines = leading("line")

    def counted(key: str, cells: Sequence[Numeric], *, measured: bool = False, shown: bool = False) -> Numbers:
        return Numbers(key, cells, measured=measured, targets=lines, source=ATTEMPTS_FILE, shown=shown)

    spans = [timing.ended_ns - timing.started_ns for timing in run.sealed.timings]
    columns: tuple[Column, ...] = (
        Names("attempt", facts.names, leading()),
        _chosen("outcome", facts.outcomes, (item.value for item in Outcome), marked=True, shown=True),
        _chosen("reason", facts.reasons, (*(code.value for code in ReasonCode), ""), shown=True),
        *_places(facts.places),
        *_standing(run, facts.names),
        *_tasks(run, facts),
        counted("trial", facts.trials),
        counted("retry", facts.retries),
        Numbers(DURATION, spans, "duration", measured=True, targets=leading("times"), source=TIMINGS_FILE, shown=True),
        *(counted(key, cells, measured=True, shown=shown) for key, cells, shown in _of_kind(run, facts)),
        *((counted("tokens", facts.tokens, measured=True, shown=True),) if facts.models else ()),
        Numbers("line", range(1, len(facts.names) + 1), "line", targets=lines, source=ATTEMPTS_FILE, shown=True),
    )
    return Table(len(facts.names), columns)


def _of_kind(run: RunSource, facts: _Facts) -> Iterator[tuple[str, Sequence[Numeric], bool]]:
    """What only attempts of the run's study kind count, and whether it is shown at first."""
    design = run.sealed.plan.study.design
    match design:
        case ComparisonDesign():
            keys = {"actions": True, "turned-down": False}
        case ParityDesign():
            of_daemon = {"asked": False, "restarts": False} if design.daemon else {}
            keys = {"calls": True, **of_daemon, "entries": True, "unexplained": True}
        case QualificationDesign():
            keys = {"processes": True, "kills": False, "clock-shifts": False}
        case _:
            assert_never(design)
    for key, shown in keys.items():
        yield key, facts.counts.get(key, []), shown


def _counted(detail: Detail) -> Iterator[tuple[str, Numeric]]:
    """What is counted in an attempt of its study kind, by column."""
    match detail:
        case ComparisonDetail():
            yield from (("actions", detail.actions), ("turned-down", detail.turned_down))
        case QualificationDetail():
            yield from (("processes", detail.processes_started), ("kills", detail.kills))
            yield "clock-shifts", detail.clock_shifts
        case ParityDetail(what=VariantDetail() as did):
            yield from (("calls", did.calls), ("asked", did.asked), ("restarts", did.restarts))
            yield from zip(("entries", "unexplained"), _compared(did.comparison), strict=True)
        case ParityDetail():  # of mutant and measurement these are not counted, and nothing is held against another
            yield from ((key, NoNumber.unknown) for key in ("calls", "asked", "restarts"))
            yield from ((key, NoNumber.undefined) for key in ("entries", "unexplained"))
        case _:
            assert_never(detail)


def _compared(comparison: NotCompared | HeldAgainst) -> tuple[Numeric, Numeric]:
    """How many entries were held against another variant's, and how many of them are findings."""
    if isinstance(comparison, NotCompared):
        return NoNumber.undefined, NoNumber.undefined
    return comparison.entries, comparison.unexplained


@dataclass(frozen=True, slots=True)
class Ended:
    """How an attempt ended, and how long it took."""

    name: str
    arm: str
    outcome: Outcome
    span_ns: int


def ended(run: RunSource) -> Iterator[Ended]:
    """Every attempt of the run, in the order of attempts.jsonl, from the columns of its table."""
    table = attempt_table(run)
    chosen = {column.key: column for column in table.choices}
    spans = next(column.cells for column in table.measured if column.key == DURATION)
    outcomes = tuple(map(Outcome, chosen["outcome"].values))
    arms = chosen["arm"].values
    rows = zip(table.names.names, chosen["arm"].codes, chosen["outcome"].codes, spans, strict=True)
    for name, arm, outcome, span in rows:
        if isinstance(span, int):  # every attempt has two instants
            yield Ended(name, arms[arm], outcomes[outcome], span)


def _tokens(usage: Usage) -> Numeric:
    match usage:
        case KnownUsage():
            return usage.prompt_tokens + usage.completion_tokens
        case UnknownUsage():
            return NoNumber.unknown
        case NoModelUsage():
            return NoNumber.undefined
        case _:
            assert_never(usage)


def _chosen(
    key: str, values: Sequence[str], order: Iterable[str], *, marked: bool = False, shown: bool = False
) -> Choices:
    """The column of `values`, whose dictionary has those that occur, in the given order."""
    present = set(values)
    known = tuple(value for value in dict.fromkeys(order) if value in present)
    codes = {value: code for code, value in enumerate(known)}
    return Choices(key, known, array("I", (codes[value] for value in values)), marked=marked, shown=shown)


def _places(places: Sequence[str]) -> tuple[Texts, ...]:
    """Steps and criteria that reasons name; no column where none does."""
    texts: dict[str, int] = {}
    codes = array("I", (texts.setdefault(at, len(texts)) for at in places))
    return (Texts("at", tuple(texts), codes),) if any(texts) else ()


def _standing(run: RunSource, names: Sequence[str]) -> tuple[Choices, ...]:
    """Which attempts count; no column where all do."""
    counting = run.sealed.current
    if len(counting) == len(names):
        return ()
    values = [COUNTS if name in counting else SUPERSEDED for name in names]
    return (_chosen("standing", values, (COUNTS, SUPERSEDED)),)


def _tasks(run: RunSource, facts: _Facts) -> tuple[Choices, ...]:
    """Subject, feature where there are features, and check."""
    checks, names = planned_tasks(run.sealed.plan), check_names(run)
    slots = list(zip(facts.arms, facts.tasks, strict=True))
    features = [feature.value for slot in slots if (feature := feature_of(checks[slot])) is not None]
    has_features = isinstance(run.sealed.plan.study.design, QualificationDesign)
    return (
        _chosen("arm", facts.arms, (subject.id for subject in run.sealed.plan.study.design.arms)),
        *((_chosen("feature", features, (item.value for item in Feature)),) if has_features else ()),
        _chosen("task", [names[slot] for slot in slots], names.values(), shown=True),
    )


def check_names(run: RunSource) -> dict[tuple[str, str], str]:
    """How an address names each check: two that say different things under one name are told apart by subject."""
    checks = planned_tasks(run.sealed.plan)
    titles: dict[str, set[Text]] = {}
    for (_, task), check in checks.items():
        titles.setdefault(task, set()).add(check.title)
    return {(arm, task): task if len(titles[task]) == 1 else f"{arm}.{task}" for arm, task in checks}
