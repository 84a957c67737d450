"""What a run shows by feature, task or row and by arm, in one table."""

from dataclasses import dataclass
from typing import assert_never

from runner.contract.analysis.comparison import ComparisonAnalysis
from runner.contract.analysis.parity import ParityAnalysis
from runner.contract.analysis.qualification import FeatureResult, QualificationAnalysis
from runner.contract.parity.design import ParityDesign
from runner.contract.qualification.design import Feature
from sitegen.catalog import word_key
from sitegen.pages import marks, place
from sitegen.pages.attempt_place import attempt_place, counting
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.planned import feature_of, planned_tasks, statement_words, task_words
from sitegen.pages.quotes import Bound
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class Cell:
    """What a run shows of one feature of one subject, or of one attempt."""

    mark: Mark
    target: str
    """Where its attempts, or the reason for their absence, are shown."""
    accepted: Bound | None = None
    """None where no more than one attempt is meant; `planned` likewise."""
    planned: Bound | None = None


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """One feature across all subjects."""

    feature: str
    meaning: str
    cells: tuple[Cell, ...]
    mark: Mark | None = None
    """What all of them show together, where a run says so."""


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
    match run.sealed.run.analysis:
        case ComparisonAnalysis():
            return "-compared"
        case ParityAnalysis():
            return "-parity"
        case QualificationAnalysis():
            return ""
        case _:
            assert_never(run.sealed.run.analysis)


@dataclass(frozen=True, slots=True)
class Heads:
    """What the arms and the tasks of a run are called at the head of a column."""

    arm: str
    task: str


def heads(edition: Edition, run: RunSource) -> Heads:
    """Subject and check of a qualification, lane and task of a comparison, variant and row of a parity study."""
    kind = of_kind(run)
    return Heads(edition.say(f"column.subject{kind}"), edition.say(f"column.task{kind}" if kind else "column.check"))


def matrix(edition: Edition, run: RunSource) -> Matrix:
    """The table of a run: features of a qualification, tasks of a comparison, rows of a parity study."""
    kind = of_kind(run)
    analysis = run.sealed.run.analysis
    match analysis:
        case ComparisonAnalysis():
            rows = _task_rows(edition, run, analysis)
        case ParityAnalysis():
            rows = _parity_rows(edition, run, analysis)
        case QualificationAnalysis():
            rows = _feature_rows(edition, run, analysis)
        case _:
            assert_never(analysis)
    return Matrix(
        title=edition.say(f"report.features{kind}"),
        text=edition.say(f"report.features-text{kind}"),
        head=edition.say(f"column.task{kind}" if kind else "column.feature"),
        subjects=_columns(edition, run),
        rows=rows,
    )


def _columns(edition: Edition, run: RunSource) -> tuple[str, ...]:
    """Every arm; of a parity study the variants alone, since mutant and measurement are asked something else."""
    design = run.sealed.plan.study.design
    if isinstance(design, ParityDesign):
        return tuple(edition.words(variant.title) for variant in design.variants)
    return tuple(edition.subjects(run).values())


def _parity_rows(edition: Edition, run: RunSource, analysis: ParityAnalysis) -> tuple[FeatureRow, ...]:
    """Every backend and scenario across all variants, each cell one attempt."""
    plan, catalog = run.sealed.plan, edition.catalog
    table = place.attempts(run.sealed.run.study, run.id)
    begun = {(slot.arm, slot.task): name for slot in plan.slots if (name := counting(run, slot))}
    rows = []
    for row in analysis.rows:
        cells = []
        for item in row.variants:
            name = begun.get((item.arm, row.row))
            target = attempt_place(run, name) if name else f"{table}#not-started"
            cells.append(Cell(marks.outcome(item.outcome, catalog), edition.frame.folder + target))
        arm = row.variants[0].arm
        rows.append(
            FeatureRow(
                task_words(edition, plan, arm, row.row),
                statement_words(edition, plan, arm, row.row),
                tuple(cells),
                marks.of_parity(row.state, catalog),
            )
        )
    return tuple(rows)


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
