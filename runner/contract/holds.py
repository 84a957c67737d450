"""What a sealed run holds until its owner decides, and how each hold is named. The one owner of that list."""

from typing import Annotated, Literal

from pydantic import Field

from runner.contract.analysis.count import Analysis
from runner.contract.analysis.parity import ParityAnalysis
from runner.contract.parity.gate import Held
from runner.contract.values import AttemptId, Count, Line, Record, Slug


class GateHold(Record):
    """A gate that does not pass on one row."""

    hold: Literal["gate"] = "gate"
    row: Slug
    number: Count
    """Its place among the protocol's gates, from 0."""

    @property
    def name(self) -> str:
        """`ROW:NUMBER`, which no attempt is called."""
        return f"{self.row}:{self.number}"


class FindingHold(Record):
    """An attempt that was judged and rejected."""

    hold: Literal["finding"] = "finding"
    attempt: AttemptId
    criteria: tuple[Line, ...]
    """Those that were judged and not met, as the run states them."""

    @property
    def name(self) -> str:
        """The attempt's name."""
        return self.attempt


Hold = Annotated[GateHold | FindingHold, Field(discriminator="hold")]


def holds_of(analysis: Analysis) -> tuple[GateHold | FindingHold, ...]:
    """Every hold of a run: its gates in the order of the protocol, row by row, then its findings in plan order.

    Only a run of a parity study holds anything: of other kinds a finding is a result, and nobody has to decide on it.
    """
    if not isinstance(analysis, ParityAnalysis):
        return ()
    gates = (
        GateHold(row=measured.row, number=found.gate)
        for measured in analysis.measurements
        for found in measured.gates
        if isinstance(found.judgement, Held)
    )
    findings = (FindingHold(attempt=item.attempt, criteria=item.criteria) for item in analysis.findings)
    return (*gates, *findings)
