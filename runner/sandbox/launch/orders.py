"""What the runner tells the launcher."""

from typing import TypedDict


class Orders(TypedDict):
    """What `launched.py` writes and this program carries out."""

    runner: int
    """The process that must be alive, and whose end ends everything."""
    groups: list[str]
    """The `cgroup.procs` files to join."""
    account: int | None
    """The user and group to become; None to stay who one is."""
    stage: str
    """An existing folder that gets covered, in this mount namespace alone, by that of the binds."""
    sources: list[str]
    """Bound to `stage/0`, `stage/1`, … in this order."""
    handed_over: list[int]
    """The numbers of the sources whose files the account shall own."""
    limits: dict[str, int]
    """By the name of the constant in `resource`."""
    more_processes: int
    """How many the account may have beyond those it has now."""
    argv: list[str]
    status: int
    """The status file's handle."""
