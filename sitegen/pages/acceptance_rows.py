"""What a comparison counts by criterion and lane."""

from dataclasses import dataclass

from runner.contract.analysis.comparison import ComparisonAnalysis
from runner.contract.attempt import Verdict
from runner.contract.plan import as_comparison
from sitegen.pages import marks
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.quotes import Bound, Quotes
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class CriterionCounts:
    """What became of one criterion in one lane."""

    met: Bound
    planned: Bound
    others: tuple[tuple[Mark, Bound], ...]
    """Attempts in which it was not met, or not judged; none of them where there were none."""


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """One criterion across the lanes that ran."""

    id: str
    requirement: str
    counts: tuple[CriterionCounts, ...]


@dataclass(frozen=True, slots=True)
class TaskCriteria:
    """The criteria of one task, in the order in which they are judged."""

    task: str
    rows: tuple[CriterionRow, ...]


def task_criteria(edition: Edition, run: RunSource, analysis: ComparisonAnalysis) -> tuple[TaskCriteria, ...]:
    """The counts by criterion and lane, task by task."""
    design, tasks = as_comparison(run.sealed.plan)
    quotes = edition.quotes(run)
    place = {(item.arm, item.task, item.criterion): index for index, item in enumerate(analysis.criteria)}
    return tuple(
        TaskCriteria(
            edition.words(task.title),
            tuple(
                CriterionRow(
                    item.id,
                    edition.words(item.requirement),
                    tuple(_counts(edition, quotes, place[lane.id, task.id, item.id]) for lane in design.available),
                )
                for item in task.acceptance
            ),
        )
        for task in tasks.tasks
    )


def _counts(edition: Edition, quotes: Quotes, index: int) -> CriterionCounts:
    pointer = f"/analysis/criteria/{index}"
    others = (
        (marks.verdict(Verdict.not_met, edition.catalog), quotes.at(f"{pointer}/not_met")),
        (marks.named("cell", "not judged", edition.catalog), quotes.at(f"{pointer}/not_judged")),
    )
    return CriterionCounts(
        met=quotes.at(f"{pointer}/met"),
        planned=quotes.at(f"{pointer}/planned"),
        others=tuple((mark, count) for mark, count in others if not count.zero),
    )
