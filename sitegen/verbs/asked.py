"""Which project a verb is about."""

from collections.abc import Callable
from pathlib import Path

import typer


def root_of(context: typer.Context) -> Path:
    """The project that the front door was asked for."""
    find: Callable[[], Path] = context.obj
    return find()
