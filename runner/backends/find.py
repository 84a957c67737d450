"""Finds a backend by its name: ours by this table, those of others by their entry point."""

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from runner.backends.backend import Backend, Commission
from runner.errors import BackendError, UsageError

GROUP = "sealbook.backends"
OURS = {name: f"runner.backends.{name}" for name in ("agent", "chat", "fixture")}
"""Each has a function `make`. They stand here so that a checkout knows them without being installed anew."""

Maker = Callable[[Commission], Backend]


def maker(name: str, *, where: str = "") -> Maker:
    """What makes a backend of this name. It is imported now, and not before; `where` is who asks for it.

    Raises `UsageError` naming those there are, `BackendError` for one that cannot be imported or is installed twice.
    """
    if name in OURS:
        found: Maker = import_module(OURS[name]).make
        return found
    offered = [*entry_points(group=GROUP, name=name)]
    if not offered:
        raise UsageError(f"no backend {name!r}", f"there are: {', '.join(names())}", where=where)
    if len(offered) > 1:
        raise BackendError(
            f"the backend {name} is offered by {_offerers(offered)}", "uninstall all but one", where=where
        )
    try:
        theirs: Maker = offered[0].load()
    except Exception as error:
        what = f"the backend {name} of {_offerers(offered)} cannot be imported: {type(error).__name__}: {error}"
        raise BackendError(what, "mend or uninstall it", where=where) from error
    return theirs


def names() -> tuple[str, ...]:
    """Every backend that can be asked for."""
    return tuple(sorted({*OURS, *entry_points(group=GROUP).names}))


def _offerers(offered: list[EntryPoint]) -> str:
    return " and ".join(sorted(point.dist.name if point.dist else "an unknown distribution" for point in offered))
