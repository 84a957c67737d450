"""What a comparison adds to the report of a run: its attempts one by one, verdicts, metrics, and paired differences."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from runner.contract.analysis.comparison import ComparisonAnalysis, ObservedTotals, PairedDifference, UnknownTotals
from runner.contract.comparison.metrics import Metric
from sitegen.pages.acceptance_rows import TaskCriteria, task_criteria
from sitegen.pages.attempt_matrix import AttemptMatrix, attempt_matrix
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.edition import Edition
from sitegen.pages.page import Link
from sitegen.pages.planned import planned_tasks
from sitegen.pages.quotes import Bound
from sitegen.sources import RunSource

SHOWN = 50
"""Pairs, and missing cells. run.json has them all."""


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric across all lanes or pairs."""

    name: str
    numbers: tuple[Bound | None, ...]
    """None where nothing was observed, which is not zero."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The two attempts of a difference."""

    trial: Bound
    left: Link
    right: Link


@dataclass(frozen=True, slots=True)
class TaskDifferences:
    """What the pairs of one task differ by, left minus right."""

    task: str
    pairs: tuple[Pair, ...]
    metrics: tuple[MetricRow, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """A cell of the matrix without a usable observation."""

    lane: str
    task: str
    trial: Bound
    reason: Bound
    """As sealed."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Metrics by lane, and what they differ by once nothing is missing."""

    matrix: AttemptMatrix
    criteria: tuple[TaskCriteria, ...]
    lanes: tuple[str, ...]
    observed: tuple[Bound, ...]
    """Attempts behind the totals of each lane."""
    totals: tuple[MetricRow, ...]
    unknown: tuple[tuple[str, Bound], ...]
    """Lanes with observations whose sum is not known, each with the reason as sealed."""
    differences: tuple[TaskDifferences, ...]
    missing: tuple[Missing, ...]
    whole: bool
    """Whether all pairs and all missing cells are shown."""
    fixture: bool


def compared(edition: Edition, run: RunSource) -> Compared | None:
    """The comparison that a run shows; None for a run of another study kind."""
    analysis = run.sealed.run.analysis
    if not isinstance(analysis, ComparisonAnalysis):
        return None
    quotes, names = edition.quotes(run), edition.subjects(run)
    titles = {task: edition.words(check.title) for (_, task), check in planned_tasks(run.sealed.plan).items()}
    pairs, missing = analysis.differences[:SHOWN], analysis.missing[:SHOWN]
    return Compared(
        matrix=attempt_matrix(edition, run),
        criteria=task_criteria(edition, run, analysis),
        lanes=tuple(names[lane.arm] for lane in analysis.lanes),
        observed=tuple(quotes.at(f"/analysis/lanes/{index}/observed") for index in range(len(analysis.lanes))),
        totals=tuple(
            MetricRow(
                edition.say(f"metric.{metric}"),
                tuple(
                    quotes.at(f"/analysis/lanes/{index}/metrics/values/{metric}")
                    if isinstance(lane.metrics, ObservedTotals)
                    else None
                    for index, lane in enumerate(analysis.lanes)
                ),
            )
            for metric in Metric
        ),
        unknown=tuple(
            (names[lane.arm], quotes.at(f"/analysis/lanes/{index}/metrics/reason"))
            for index, lane in enumerate(analysis.lanes)
            if isinstance(lane.metrics, UnknownTotals)
        ),
        differences=tuple(
            _differences(edition, run, titles[task], list(of_task))
            for task, of_task in groupby(enumerate(pairs), key=lambda numbered: numbered[1].task)
        ),
        missing=tuple(
            Missing(
                names[cell.arm],
                titles[cell.task],
                quotes.at(f"/analysis/missing/{index}/trial"),
                quotes.at(f"/analysis/missing/{index}/reason"),
            )
            for index, cell in enumerate(missing)
        ),
        whole=len(pairs) == len(analysis.differences) and len(missing) == len(analysis.missing),
        fixture=analysis.fixture,
    )


def _differences(
    edition: Edition, run: RunSource, title: str, pairs: Sequence[tuple[int, PairedDifference]]
) -> TaskDifferences:
    """The pairs of one task, each with its number in the analysis."""
    quotes = edition.quotes(run)
    return TaskDifferences(
        title,
        tuple(
            Pair(
                quotes.at(f"/analysis/differences/{index}/trial"),
                *(edition.link(name, attempt_place(run, name)) for name in (pair.left, pair.right)),
            )
            for index, pair in pairs
        ),
        tuple(
            MetricRow(
                edition.say(f"metric.{metric}"),
                tuple(quotes.at(f"/analysis/differences/{index}/metrics/{metric}") for index, _ in pairs),
            )
            for metric in Metric
        ),
    )
