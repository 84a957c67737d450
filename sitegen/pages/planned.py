"""What a plan or a manifest asks, of whatever study kind: its tasks by arm, how often, and how pages group them."""

from runner.contract.comparison.design import ComparisonDesign, ExternalLane
from runner.contract.comparison.tasks import ComparisonTask
from runner.contract.plan import Planned, as_comparison, as_qualification
from runner.contract.qualification.design import Feature, GatedSubject
from runner.contract.qualification.tasks import Check
from sitegen.pages.edition import Edition

Task = Check | ComparisonTask
NotRun = GatedSubject | ExternalLane
"""An arm that belongs to the question and is not run."""


def planned_tasks(planned: Planned) -> dict[tuple[str, str], Task]:
    """Every task by arm and name. A lane that is not run has none."""
    if isinstance(planned.study.design, ComparisonDesign):
        design, compared = as_comparison(planned)
        return {(lane.id, task.id): task for lane in design.available for task in compared.tasks}
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
    """The feature that a check is about; a task of a comparison is about none."""
    return task.feature if isinstance(task, Check) else None


def group_words(edition: Edition, task: Task) -> str:
    """What a page calls the group of a task."""
    feature = feature_of(task)
    return edition.catalog.word(feature) if feature else edition.say("kind.comparison")


def _trials(task: Task) -> int:
    return task.trials if isinstance(task, Check) else 0
