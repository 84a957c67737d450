"""The gate of a run: whether it came to what its kind of study sets out to reach. One owner of that decision.

A gate says nothing about bytes or counts, which must be right in any case, and a later run never changes the gate of
an earlier one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from runner.contract.analysis.comparison import Completeness
from runner.contract.analysis.count import Analysis
from runner.contract.analysis.qualification import Disposition
from runner.contract.parity.disposition import GateDisposition
from runner.contract.plan import Selection

Asked = Disposition | Completeness | GateDisposition
_ASKED: Mapping[str, Asked] = {
    "qualification": Disposition.qualified,
    "comparison": Completeness.complete,
    "parity": GateDisposition.passed,
}
_OUT_OF_REACH: Mapping[Selection, str] = {
    Selection.correctness_only: "a run for correctness alone measures nothing",
    Selection.reduced_timings: "no gate of the study judges reduced timings",
}


@dataclass(frozen=True, slots=True)
class Gate:
    """What is asked of a run, and what it came to."""

    asked: Asked
    found: Asked

    @property
    def met(self) -> bool:
        """Whether the run came to what is asked."""
        return self.found is self.asked


def gate_of(analysis: Analysis) -> Gate:
    """The gate of a run: a qualification is to be *qualified*, the matrix of a comparison *complete*.

    A parity study is to *pass*: the same, shown to be noticed if it were not, and every declared limit kept.
    """
    return Gate(_ASKED[analysis.kind], analysis.disposition)


def out_of_reach(selection: Selection) -> str:
    """Why no run of this selection can come to what is asked, however its attempts end; empty where one can."""
    return _OUT_OF_REACH.get(selection, "")
