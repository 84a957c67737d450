"""Reads the inventory of other open changes that a plan carries, as its author wrote it."""

from runner.contract.parity.overlap import OverlapInventory
from runner.contract.parity.tasks import ParityTasks
from runner.reading.toml import read_toml


def read_overlap(tasks: ParityTasks, path: str) -> OverlapInventory:
    """The inventory in a file that the plan carries.

    Raises KeyError if the plan does not carry it, and `InvalidRecordError` with every place that does not fit.
    """
    return read_toml(OverlapInventory, tasks.text(path).encode(), file=path)
