"""Reads the documents of an attempt of a parity study. Each function takes what gives the bytes of a run's file.

All raise `ContractError`, with every place that is wrong, for bytes that are not the document.
"""

from collections.abc import Callable
from typing import TypeAlias

from pydantic import TypeAdapter

from runner.contract.canonical import parse_record
from runner.contract.parity.difference import Compared
from runner.contract.parity.inventory import Inventory
from runner.contract.parity.samples import Samples

Read: TypeAlias = Callable[[str], bytes]
_INVENTORY: TypeAdapter[Inventory] = TypeAdapter(Inventory)
_COMPARED: TypeAdapter[Compared] = TypeAdapter(Compared)
_SAMPLES: TypeAdapter[Samples] = TypeAdapter(Samples)


def read_inventory(data: Read, file: str) -> Inventory:
    """What an attempt put out and kept."""
    return parse_record(_INVENTORY, data(file), file=file)


def read_compared(data: Read, file: str) -> Compared:
    """How it differs from the attempt that it is held against."""
    return parse_record(_COMPARED, data(file), file=file)


def read_samples(data: Read, file: str) -> Samples:
    """What a measurement sampled."""
    return parse_record(_SAMPLES, data(file), file=file)
