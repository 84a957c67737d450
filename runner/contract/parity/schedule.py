"""Which attempts a parity study asks for, in which order, and what a run for correctness alone leaves out."""

from collections.abc import Iterator

from runner.contract.parity.design import MEASUREMENT, MUTANT
from runner.contract.parity.tasks import row_name
from runner.contract.plan import Planned, Selection, as_parity


def scheduled(planned: Planned, selection: Selection) -> Iterator[tuple[str, str, int]]:
    """Arm, task and trial of every attempt. Raises ValueError for a study of another kind.

    Variants of a row come one right after the other, each after the one that it is held against; the mutant follows
    when all rows are done, and the measurements come last.
    """
    design, tasks = as_parity(planned)
    for row in tasks.rows:
        for variant in design.variants:
            yield variant.id, row, 1
    yield MUTANT, row_name(design.mutation.backend, design.mutation.scenario), 1
    if selection is not Selection.correctness_only:
        for row in timed(planned):
            yield MEASUREMENT, row, 1


def left_out(planned: Planned, selection: Selection) -> Iterator[tuple[str, str]]:
    """Arm and task of what is left out. Raises as `scheduled` does."""
    if selection is Selection.correctness_only:
        for row in timed(planned):
            yield MEASUREMENT, row


def timed(planned: Planned) -> Iterator[str]:
    """The names of the rows that are timed. Raises as `scheduled` does."""
    design, _ = as_parity(planned)
    for row in design.timing.rows:
        yield row_name(row.backend, row.scenario)
