"""Counts and analyses a run of whatever kind, from its attempts one by one."""

from typing import Annotated

from pydantic import Field

from runner.contract.analysis.comparison import ComparisonAnalysis
from runner.contract.analysis.comparison_count import ComparisonCount
from runner.contract.analysis.qualification import QualificationAnalysis, QualificationCount
from runner.contract.comparison.design import ComparisonDesign
from runner.contract.plan import Plan

Analysis = Annotated[QualificationAnalysis | ComparisonAnalysis, Field(discriminator="kind")]
"""What a run of one study kind comes to beyond its tally. Each kind has a version of its own."""


def counting(plan: Plan) -> QualificationCount | ComparisonCount:
    """What counts the attempts of this plan. Raises ValueError if the plan names a slot twice."""
    if isinstance(plan.study.design, ComparisonDesign):
        return ComparisonCount(plan)
    return QualificationCount(plan)
