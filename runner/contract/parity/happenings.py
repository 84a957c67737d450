"""What happens inside attempts of a parity study and nowhere else."""

from typing import Literal

from runner.contract.parity.timing import Measure
from runner.contract.values import Count, Line, Record, Slug


class MutantJudgedEvent(Record):
    """A criterion of the scenario, judged of the mutant: it is no verdict on the attempt, which wants it to fail."""

    event: Literal["mutant-judged"] = "mutant-judged"
    step: Slug
    criterion: Line
    expected: str
    observed: str
    met: bool


class SampledEvent(Record):
    """All samples of one measure of one variant have been taken, or failed to be."""

    event: Literal["sampled"] = "sampled"
    measure: Measure
    variant: Slug
    planned: Count
    taken: Count
