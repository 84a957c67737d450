"""Counts and analyses a run of whatever kind, from its attempts one by one."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from runner.contract.analysis.comparison import ComparisonAnalysis
from runner.contract.analysis.comparison_count import ComparisonCount
from runner.contract.analysis.parity import ParityAnalysis
from runner.contract.analysis.parity_count import ParityCount
from runner.contract.analysis.qualification import QualificationAnalysis, QualificationCount
from runner.contract.comparison.design import ComparisonDesign
from runner.contract.parity.design import ParityDesign
from runner.contract.plan import Plan

Analysis = Annotated[QualificationAnalysis | ComparisonAnalysis | ParityAnalysis, Field(discriminator="kind")]
"""What a run of one study kind comes to beyond its tally. Each kind has a version of its own."""
Count = QualificationCount | ComparisonCount | ParityCount


def counting(plan: Plan, data: Callable[[str], bytes]) -> Count:
    """What counts the attempts of this plan; `data` gives the bytes of an attempt's artifact by its path in the run.

    Raises ValueError if the plan names a slot twice.
    """
    match plan.study.design:
        case ComparisonDesign():
            return ComparisonCount(plan)
        case ParityDesign():
            return ParityCount(plan, data)
        case _:
            return QualificationCount(plan)
