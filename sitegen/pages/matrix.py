"""What a run shows by feature or task and by arm, in one table."""

from dataclasses import dataclass

from runner.contract.analysis.comparison import ComparisonAnalysis
from runner.contract.analysis.qualification import FeatureResult, QualificationAnalysis
from runner.contract.qualification.design import Feature
from sitegen.catalog import word_key
from sitegen.pages import marks, place
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.planned import feature_of, planned_tasks
from sitegen.pages.quotes import Bound
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class Cell:
    """What a run shows of one feature of one subject."""

    mark: Mark
    accepted: Bound
    planned: Bound
    target: str
    """Where its attempts, or the reason for their absence, are shown."""


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """One feature across all subjects."""

    feature: str
    meaning: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """What a run shows, by feature or task and by arm."""

    title: str
    text: str
    head: str
    subjects: tuple[str, ...]
    rows: tuple[FeatureRow, ...]


def of_kind(run: RunSource) -> str:
    """How keys of messages end that differ by study kind."""
    return "-compared" if isinstance(run.sealed.run.analysis, ComparisonAnalysis) else ""


@dataclass(frozen=True, slots=True)
class Heads:
    """What the arms and the tasks of a run are called at the head of a column."""

    arm: str
    task: str


def heads(edition: Edition, run: RunSource) -> Heads:
    """Subject and check of a qualification, lane and task of a comparison."""
    kind = of_kind(run)
    return Heads(edition.say(f"column.subject{kind}"), edition.say("column.task" if kind else "column.check"))


def matrix(edition: Edition, run: RunSource) -> Matrix:
    """The table of a run: features of a qualification, tasks of a comparison."""
    kind = of_kind(run)
    analysis = run.sealed.run.analysis
    if isinstance(analysis, ComparisonAnalysis):
        head, rows = "column.task", _task_rows(edition, run, analysis)
    else:
        head, rows = "column.feature", _feature_rows(edition, run, analysis)
    return Matrix(
        title=edition.say(f"report.features{kind}"),
        text=edition.say(f"report.features-text{kind}"),
        head=edition.say(head),
        subjects=tuple(edition.subjects(run).values()),
        rows=rows,
    )


def _task_rows(edition: Edition, run: RunSource, analysis: ComparisonAnalysis) -> tuple[FeatureRow, ...]:
    """Every task of a comparison across all lanes."""
    quotes = edition.quotes(run)
    plan = run.sealed.plan
    table = edition.frame.folder + place.attempts(run.sealed.run.study, run.id)
    begun = {(slot.arm, slot.task) for slot in plan.slots if run.sealed.began(slot)}
    rows: dict[str, list[Cell]] = {}
    for index, item in enumerate(analysis.cells):
        pointer = f"/analysis/cells/{index}"
        if (item.arm, item.task) in begun:
            target = f"{table}?arm={item.arm}&task={item.task}#{item.arm}.{item.task}"
        else:
            target = f"{table}#not-started" if item.tally.planned else f"{table}#not-attempted"
        rows.setdefault(item.task, []).append(
            Cell(
                mark=marks.cell(item.tally, edition.catalog),
                accepted=quotes.at(f"{pointer}/tally/accepted"),
                planned=quotes.at(f"{pointer}/tally/planned"),
                target=target,
            )
        )
    tasks = {task: check for (_, task), check in planned_tasks(plan).items()}
    return tuple(
        FeatureRow(edition.words(tasks[task].title), edition.words(tasks[task].statement), tuple(cells))
        for task, cells in rows.items()
    )


def _feature_rows(edition: Edition, run: RunSource, analysis: QualificationAnalysis) -> tuple[FeatureRow, ...]:
    """Every feature across all subjects."""
    quotes = edition.quotes(run)
    arms = tuple(subject.id for subject in run.sealed.plan.study.design.arms)
    found: dict[tuple[str, Feature], tuple[int, FeatureResult]] = {
        (item.arm, item.feature): (index, item) for index, item in enumerate(analysis.features)
    }
    table = edition.frame.folder + place.attempts(run.sealed.run.study, run.id)
    check = planned_tasks(run.sealed.plan)
    begun = {
        (slot.arm, feature_of(check[slot.arm, slot.task])) for slot in run.sealed.plan.slots if run.sealed.began(slot)
    }
    rows = []
    for feature in Feature:
        cells = []
        for arm in arms:
            index, item = found[arm, feature]
            pointer = f"/analysis/features/{index}"
            if (arm, feature) in begun:
                # Scripts show these rows alone; without them the anchor of the first one leads there.
                target = f"{table}?arm={arm}&feature={feature}#{arm}.{feature}"
            else:
                target = f"{table}#not-started" if item.tally.planned else f"{table}#not-attempted"
            cells.append(
                Cell(
                    mark=marks.feature(item.state, edition.catalog),
                    accepted=quotes.at(f"{pointer}/tally/accepted"),
                    planned=quotes.at(f"{pointer}/tally/planned"),
                    target=target,
                )
            )
        name, meaning = edition.catalog.word(feature), edition.say(f"{word_key(feature)}.meaning")
        rows.append(FeatureRow(name, meaning, tuple(cells)))
    return tuple(rows)
