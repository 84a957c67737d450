"""Tells on stderr how a run goes on: a bar on a terminal, a line an attempt elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from runner.contract.attempt import Attempt, Outcome


class Bar:
    """A progress bar with the present attempt, and a line for each that was not accepted."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def planned(self, run: str, slots: int, *, resumed: bool, done: int) -> None:
        """The run has begun, or goes on."""
        if resumed:
            self._progress.console.print(f"run {run} is resumed: {done} of {slots} are done", highlight=False)
        self._task = self._progress.add_task(run, total=slots, completed=done)

    def started(self, attempt: str) -> None:
        """An attempt begins."""
        if self._task is not None:
            self._progress.update(self._task, description=attempt)

    def ended(self, attempt: Attempt) -> None:
        """An attempt is acknowledged."""
        if self._task is not None:
            self._progress.advance(self._task)
        terminal = self._progress.console.is_terminal
        if not terminal or attempt.outcome is not Outcome.accepted:
            where = f" ({attempt.reason.code.value}: {attempt.reason.at})" if attempt.reason else ""
            line = f"{attempt.attempt}: {attempt.outcome.value}{where}"
            self._progress.console.print(line, highlight=False, markup=False, soft_wrap=True)


@contextmanager
def watching() -> Iterator[Bar]:
    """A watcher that shows a run on stderr while the block lasts."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield Bar(progress)
