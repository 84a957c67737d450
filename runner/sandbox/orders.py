"""Orders to the hook inside a Python subject, and the marks by which it answers."""

import compileall
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.contract.qualification.steps import AtStatement
from runner.sandbox.witness import WitnessedPackage

HOOK = Path(__file__).parent / "hook"


def compile_hook() -> None:
    """Compile the hook, unless that was done or cannot be: no process with orders then compiles it for itself.

    A process that writes no bytecode would do so each time, which takes it some milliseconds.
    """
    compileall.compile_dir(HOOK, quiet=2)


@dataclass(frozen=True, slots=True)
class Orders:
    """What the hook shall do in one process, and in those that it starts with its own variables."""

    marks: Path
    """The beginning of the names of its marks, in a folder that is the runner's own."""
    clock_shift_seconds: int = 0
    clock_frozen_at: int | None = None
    """The one instant that the wall clock shows, in whole seconds since the epoch; None lets it run."""
    hold: AtStatement | None = None
    witness: WitnessedPackage | None = None
    """The package whose import is noted; `witnesses` reads the notes."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for a clock that is both shifted and frozen."""
        if self.clock_shift_seconds and self.clock_frozen_at is not None:
            raise ValueError("a clock is shifted or frozen, not both")

    @property
    def given(self) -> bool:
        """Whether the hook has anything to do."""
        return self != Orders(self.marks)

    @property
    def armed(self) -> bool:
        """Whether the hook has put the orders into force. A program that is not Python never does."""
        return self.marks.with_suffix(".armed").exists()

    @property
    def reached(self) -> bool:
        """Whether the process is frozen at its statement."""
        return self.marks.with_suffix(".reached").exists()

    def variables(self, added: Mapping[str, str]) -> dict[str, str]:
        """The variables that carry the orders; none without orders. Keeps a PYTHONPATH of `added`."""
        if not self.given:
            return {}
        path = ":".join(part for part in (str(HOOK), added.get("PYTHONPATH", "")) if part)
        found = {"PYTHONPATH": path, "SEALBOOK_MARKS": str(self.marks)}
        if self.clock_shift_seconds:
            found["SEALBOOK_CLOCK_SHIFT_SECONDS"] = str(self.clock_shift_seconds)
        if self.clock_frozen_at is not None:
            found["SEALBOOK_CLOCK_FROZEN_AT"] = str(self.clock_frozen_at)
        if self.witness:
            found["SEALBOOK_WITNESS_PACKAGE"] = self.witness.package
            found["SEALBOOK_WITNESS_FOLDER"] = str(self.witness.folder)
        if self.hold:
            found["SEALBOOK_SQLITE_MOMENT"] = self.hold.moment
            found["SEALBOOK_SQLITE_STATEMENT"] = self.hold.statement
            found["SEALBOOK_SQLITE_OCCURRENCE"] = str(self.hold.occurrence)
        return found
