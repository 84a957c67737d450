"""Which processes a test has begun, in a worker where other tests may keep a browser."""

import os
from collections.abc import Set as AbstractSet

from runner.sandbox.process_table import Entry, descendants, snapshot


def children_now() -> AbstractSet[int]:
    """The ids of all processes below this one, to be taken before the test begins any."""
    return descendants(snapshot(), [os.getpid()])


def begun_since(before: AbstractSet[int]) -> list[Entry]:
    """What is below this process now, without what was there `before` and what that has begun."""
    table = snapshot()
    others = {*before, *descendants(table, before)}
    return [table[pid] for pid in descendants(table, [os.getpid()]) if pid not in others]
