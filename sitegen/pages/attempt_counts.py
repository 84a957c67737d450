"""What is counted in an attempt, by study kind, and the names of those counts."""

from collections.abc import Iterator
from typing import assert_never

from runner.contract.attempt import Detail, QualificationDetail
from runner.contract.comparison.detail import ComparisonDetail
from runner.contract.parity.design import ParityDesign
from runner.contract.parity.detail import ParityDetail, VariantDetail
from runner.contract.study import Design

_QUALIFIED = ("steps", "processes", "kills", "clock-shifts", "leftovers")
_COMPARED = ("actions", "turned-down", "drifts")
_HELD_ALIKE = ("calls", "asked", "restarts")
NAMES = (*_QUALIFIED, *_COMPARED, *_HELD_ALIKE)


def counted(detail: Detail, design: Design) -> Iterator[tuple[str, int]]:
    """What is counted in an attempt of its study kind, each under one of `NAMES`; of no daemon where there is none."""
    match detail:
        case QualificationDetail():
            counts: tuple[int, ...] = (
                detail.steps_performed,
                detail.processes_started,
                detail.kills,
                detail.clock_shifts,
                detail.leftovers,
            )
            yield from zip(_QUALIFIED, counts, strict=True)
        case ComparisonDetail():
            yield from zip(_COMPARED, (detail.actions, detail.turned_down, detail.drift_applications), strict=True)
        case ParityDetail(what=VariantDetail() as did) if isinstance(design, ParityDesign) and design.daemon is None:
            yield "calls", did.calls
        case ParityDetail(what=VariantDetail() as did):
            yield from zip(_HELD_ALIKE, (did.calls, did.asked, did.restarts), strict=True)
        case ParityDetail():
            pass  # what the mutant and a measurement count has a place of its own
        case _:
            assert_never(detail)
