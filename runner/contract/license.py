"""The license matrix: what was declared, what text was found, what somebody concluded.

Three facts and a computed verdict, never one string. Metadata alone is never cleared.
"""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.values import Day, Line, Record, Sha256, Slug, Text, twice


class Declared(Record):
    """What the artifact's metadata says."""

    metadata: Literal["stated"] = "stated"
    expression: Line
    """As it stands there, such as `MIT`; it may be no SPDX expression at all."""
    where: Line


class NothingDeclared(Record):
    """The metadata was read and says nothing."""

    metadata: Literal["silent"] = "silent"
    looked_at: Line


class TextFound(Record):
    """A license text inside the artifact."""

    text: Literal["found"] = "found"
    artifact: Line
    """The file of the package index that holds it."""
    path: Line
    sha256: Sha256
    reads_as: Line
    """The license that the text is, as read by `detector`."""
    detector: Line


class TextAbsent(Record):
    """No license text: what was searched, and for what, so that absence is shown."""

    text: Literal["absent"] = "absent"
    artifact: Line
    looked_for: Annotated[tuple[Line, ...], Field(min_length=1)]


class Concluded(Record):
    """What somebody concluded after reading, and why."""

    conclusion: Literal["concluded"] = "concluded"
    expression: Line
    by: Line
    on: Day
    why: Text


class NotConcluded(Record):
    """Nobody has audited this row."""

    conclusion: Literal["none"] = "none"


class LicenseState(StrEnum):
    """The verdict of a row. It is computed, and no file can state it."""

    cleared = "cleared"
    text_found = "text-found"
    """Declared and text agree, and nobody has concluded."""
    conflict = "conflict"
    """Declaration, text and conclusion do not all say the same."""
    declared_only = "declared-only"
    text_only = "text-only"
    unknown = "unknown"


class LicenseRow(Record):
    """One upstream artifact."""

    id: Slug
    name: Line
    version: Line
    use: Text
    """What the study does with it."""
    declared: Annotated[Declared | NothingDeclared, Field(discriminator="metadata")]
    detected: Annotated[TextFound | TextAbsent, Field(discriminator="text")]
    concluded: Annotated[Concluded | NotConcluded, Field(discriminator="conclusion")]

    @property
    def state(self) -> LicenseState:
        """The verdict that the three facts allow."""
        declared = self.declared.expression if isinstance(self.declared, Declared) else None
        found = self.detected.reads_as if isinstance(self.detected, TextFound) else None
        if isinstance(self.concluded, Concluded):
            said = {name for name in (declared, found, self.concluded.expression) if name}
            if found is None:
                return LicenseState.declared_only if declared else LicenseState.unknown
            return LicenseState.cleared if len(said) == 1 else LicenseState.conflict
        if declared and found:
            return LicenseState.text_found if declared == found else LicenseState.conflict
        if declared:
            return LicenseState.declared_only
        return LicenseState.text_only if found else LicenseState.unknown


class LicenseMatrix(Record):
    """All rows of one study."""

    format: Literal["sealbook.licenses/1"]
    rows: tuple[LicenseRow, ...]

    @model_validator(mode="after")
    def _rows_are_told_apart(self) -> Self:
        if repeated := twice(row.id for row in self.rows):
            raise ValueError(f"row ids must be unique, twice: {', '.join(repeated)}")
        return self
