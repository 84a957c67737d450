"""Orders to the hook inside a Python subject, and the marks by which it answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.contract.qualification.steps import AtStatement

HOOK = Path(__file__).parent / "hook"


@dataclass(frozen=True, slots=True)
class Orders:
    """What the hook shall do in one process."""

    marks: Path
    """The beginning of the names of its marks, in a folder that is the runner's own."""
    clock_shift_seconds: int = 0
    hold: AtStatement | None = None

    @property
    def given(self) -> bool:
        """Whether the hook has anything to do."""
        return self.clock_shift_seconds != 0 or self.hold is not None

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
        if self.hold:
            found["SEALBOOK_SQLITE_MOMENT"] = self.hold.moment
            found["SEALBOOK_SQLITE_STATEMENT"] = self.hold.statement
            found["SEALBOOK_SQLITE_OCCURRENCE"] = str(self.hold.occurrence)
        return found
