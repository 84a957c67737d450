"""What a plan or a manifest asks, of whatever study kind: its tasks by arm, how often, and how pages group them."""

from typing import assert_never

from runner.contract.comparison.design import ComparisonDesign, ExternalLane
from runner.contract.comparison.tasks import ComparisonTask
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.schedule import scheduled
from runner.contract.parity.tasks import Scenario
from runner.contract.plan import Planned, Selection, as_comparison, as_parity, as_qualification
from runner.contract.qualification.design import Feature, GatedSubject
from runner.contract.qualification.tasks import Check
from sitegen.pages.edition import Edition

Task = Check | ComparisonTask | Scenario
NotRun = GatedSubject | ExternalLane
"""An arm that belongs to the question and is not run."""


def planned_tasks(planned: Planned) -> dict[tuple[str, str], Task]:
    """Every task by arm and name, as a full run asks it. A lane that is not run has none."""
    if isinstance(planned.study.design, ComparisonDesign):
        design, compared = as_comparison(planned)
        return {(lane.id, task.id): task for lane in design.available for task in compared.tasks}
    if isinstance(planned.study.design, ParityDesign):
        rows = planned.tasks
        return {(arm, row): rows.check(arm, row) for arm, row, _ in scheduled(planned, Selection.full)}
    _, qualified = as_qualification(planned)
    return {(tasks.subject, check.id): check for tasks in qualified.subjects for check in tasks.checks}


def trials_of(planned: Planned, task: Task) -> int:
    """How often a full run attempts a task of one arm."""
    design = planned.study.design
    return design.repetitions if isinstance(design, ComparisonDesign) else _trials(task)


def attempts_of_full_run(planned: Planned) -> int:
    """How many attempts a full run makes."""
    return sum(trials_of(planned, task) for task in planned_tasks(planned).values())


def feature_of(task: Task) -> Feature | None:
    """The feature that a check is about; any other task is about none."""
    return task.feature if isinstance(task, Check) else None


def group_words(edition: Edition, planned: Planned, task: str, asked: Task) -> str:
    """What a page calls the group of a task: the feature of a check, the backend of a row."""
    match asked:
        case Check():
            return edition.catalog.word(asked.feature)
        case ComparisonTask():
            return edition.say("kind.comparison")
        case Scenario():
            design, rows = as_parity(planned)
            return edition.words(design.backend(rows.row(task)[0]).title)
        case _:
            assert_never(asked)


def task_words(edition: Edition, planned: Planned, arm: str, task: str) -> str:
    """What a page calls a task where its group is not named beside it. Raises KeyError if there is none such."""
    asked = planned.tasks.check(arm, task)
    title = edition.words(asked.title)
    return f"{title} · {group_words(edition, planned, task, asked)}" if isinstance(asked, Scenario) else title


def statement_words(edition: Edition, planned: Planned, arm: str, task: str) -> str:
    """What an accepted attempt of an arm at a task shows. Raises KeyError if there is none such."""
    design = planned.study.design
    if isinstance(design, ParityDesign):
        for other in (design.mutant, design.measurement):  # they are at a scenario, and show something else
            if arm == other.id:
                return edition.words(other.summary)
    return edition.words(planned.tasks.check(arm, task).statement)


def _trials(task: Task) -> int:
    return task.trials if isinstance(task, Check) else 1
