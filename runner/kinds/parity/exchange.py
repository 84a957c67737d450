"""Puts base or head, each with a project and a state of its own, where every variant is run: equal paths and times."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from runner.contract.parity.variant import AnyVariant
from runner.kinds.parity.stage import RUN, Stage
from runner.sandbox.workspace import remove_private_child

_ROOMS = ("work", "state", RUN, "home", "tmp")
"""All rooms that the software may write to."""


@dataclass(slots=True)
class Exchange:
    """The variants of a measurement beside each other, and what is prepared for each."""

    stage: Stage
    _placed: str = ""

    def take(self, variant: AnyVariant) -> None:
        """Copy the variant from where it was prepared to where it is run. Each is copied once."""
        self._put_away()
        self.stage.restore(variant)
        self._placed = variant.id

    def lay_out(self, variant: AnyVariant) -> None:
        """Put a variant that was taken before where it is run, and make all rooms what was kept under its name.

        Its tree gets another name and is not copied.
        """
        if self._placed != variant.id:
            self._put_away()
            (self._beside / "trees" / variant.id).rename(self.stage.tree)
            self._placed = variant.id
        self.restore(variant.id)

    def keep(self, name: str) -> None:
        """Keep all rooms as they are now. No process of the attempt may live."""
        for room in _ROOMS:
            shutil.copytree(self.stage.workspace.folder / room, self._beside / "rooms" / name / room, symlinks=True)

    def restore(self, name: str) -> None:
        """Make all rooms what `keep` kept, with the times of its files. No process of the attempt may live."""
        for room in _ROOMS:
            remove_private_child(self.stage.workspace.folder / room)
            shutil.copytree(self._beside / "rooms" / name / room, self.stage.workspace.folder / room, symlinks=True)

    @property
    def _beside(self) -> Path:
        return self.stage.workspace.folder / "beside"

    def _put_away(self) -> None:
        if self._placed:
            (self._beside / "trees").mkdir(parents=True, exist_ok=True)
            self.stage.tree.rename(self._beside / "trees" / self._placed)
            self._placed = ""
