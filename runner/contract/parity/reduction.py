"""How a run with reduced timings is measured: fewer samples, by a rule and not by numbers of its own. Pure.

The runner takes so many, the analysis counts against them, and a verifier asks for them again.
"""

from runner.contract.parity.timing import AnyTiming, CommandTiming
from runner.contract.plan import Selection

REDUCED_BY = 16
"""A reduced run takes a sixteenth of each count, rounded down."""
FEWEST_PAIRS = 2
"""One with base first and one with head first, which is the least that a protocol may freeze as well."""
FEWEST_SAMPLES = 1


def timing_for(frozen: AnyTiming, selection: Selection) -> AnyTiming:
    """The measurement that a run of this selection makes: the frozen one, or with reduced timings less of the same.

    Then each of `pairs`, `cold`, `warm` and `burst`, as far as there are such, is a sixteenth of what is frozen,
    rounded down, and at least two pairs and one sample. Rows, order, seed, gates and wall clock stay as they are.
    """
    if selection is not Selection.reduced_timings:
        return frozen
    pairs = max(frozen.pairs // REDUCED_BY, FEWEST_PAIRS)
    if isinstance(frozen, CommandTiming):
        return frozen.model_copy(update={"pairs": pairs})
    return frozen.model_copy(
        update={
            "pairs": pairs,
            "cold": max(frozen.cold // REDUCED_BY, FEWEST_SAMPLES),
            "warm": max(frozen.warm // REDUCED_BY, FEWEST_SAMPLES),
            "burst": max(frozen.burst // REDUCED_BY, FEWEST_SAMPLES),
        }
    )
