"""Whether it mattered which side of a matched pair ran first: the order of the pairs, and the check of it afterwards.

The check is a statement about the measurement. It adjusts no figure and says nothing of where an effect comes from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from runner.contract.canonical import MAX_INTEGER
from runner.contract.parity.change import SignedNanoseconds
from runner.contract.parity.draws import below, words
from runner.contract.parity.gate import Pairs
from runner.contract.parity.quantile import Statistic, rank
from runner.contract.parity.rank_sum import rank_sum
from runner.contract.values import Line, Ratio, Record

LEVEL = Ratio(numerator=1, denominator=100)
"""Of a hundred measurements in which the order does not matter, at most one is said to have an effect of it."""
MOST_PAIRS = 128
"""Twice what is usual. From here on the exact test would soon take a verifier longer than everything else."""
PURPOSE = "order"
"""What these draws are for, as `draws.words` wants to know."""
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class MatchedPair:
    """One sample of base and one of head, measured one right after the other."""

    base_ns: int
    head_ns: int
    base_first: bool

    @property
    def difference_ns(self) -> int:
        """Head minus base."""
        return self.head_ns - self.base_ns


class InOneOrder(Record):
    """The pairs in which one side ran first."""

    pairs: Annotated[int, Field(ge=1, le=MAX_INTEGER)]
    median_difference_ns: SignedNanoseconds
    """Of head minus base, by nearest rank."""


class OrderEffect(Record):
    """Whether head minus base is another in one order than in the other."""

    verdict: Literal["none-seen", "seen"]
    """Seen where p is at most the level. None seen is no proof that there is none."""
    base_first: InOneOrder
    head_first: InOneOrder
    p_millionths: Annotated[int, Field(ge=1, le=MILLION)]
    """How often chance alone sets the orders at least as far apart, on either side. Rounded up, after the verdict."""
    level: Ratio


class UnknownOrderEffect(Record):
    """The pairs cannot tell."""

    verdict: Literal["unknown"] = "unknown"
    reason: Line


OrderCheck = Annotated[OrderEffect | UnknownOrderEffect, Field(discriminator="verdict")]


def order_of_pairs(seed: str, pairs: int) -> tuple[bool, ...]:
    """For each pair whether base runs first: in half of them, and of an odd number in one more, as chance has it.

    All that are True stand before all that are False. Then from the last place down to the second each is exchanged
    with the place, from 0 up to itself, that is drawn from the words of `seed` for `order` (Fisher and Yates 1938).

    Raises ValueError for less than one pair.
    """
    if pairs < 1:
        raise ValueError(f"no order of {pairs} pairs")
    order = [place < pairs - pairs // 2 for place in range(pairs)]
    source = words(seed, PURPOSE)
    for place in range(pairs - 1, 0, -1):
        other = next(below(place + 1, source))
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def order_effect(
    pairs: Sequence[MatchedPair], planned: int, *, level: Ratio = LEVEL
) -> OrderEffect | UnknownOrderEffect:
    """Hold the pairs in which base ran first against those in which head ran first.

    If going first costs or saves time, head minus base moves one way in one order and the other way in the other. So
    the differences of both orders are compared by the exact rank-sum test, which is how the two periods of a crossover
    are compared without a normal distribution (Koch 1972, Biometrics 28, 577-584). It asks nothing of the samples
    but that the orders were drawn, as `order_of_pairs` does.

    Unknown where a planned pair is not complete, where no order of these very pairs could reach the level, and for more
    than `MOST_PAIRS`. Raises ValueError for a level outside 0 to 1, and for more pairs than planned.
    """
    if not 0 < level.numerator < level.denominator:
        raise ValueError(f"no level of {level.numerator} in {level.denominator}")
    complete = Pairs(planned=planned, complete=len(pairs)).complete
    if complete < planned:
        return UnknownOrderEffect(reason=f"{complete} of {planned} pairs are complete")
    if planned > MOST_PAIRS:
        return UnknownOrderEffect(reason=f"the exact test is not made on more than {MOST_PAIRS} pairs")
    limit = Fraction(level.numerator, level.denominator)
    found = rank_sum([pair.difference_ns for pair in pairs], [pair.base_first for pair in pairs])
    if found.least > limit:
        return UnknownOrderEffect(reason=f"no order of these {planned} pairs could show an effect at this level")
    return OrderEffect(
        verdict="seen" if found.p <= limit else "none-seen",
        base_first=_in_one_order(pairs, base_first=True),
        head_first=_in_one_order(pairs, base_first=False),
        p_millionths=-(-MILLION * found.p.numerator // found.p.denominator),
        level=level,
    )


def _in_one_order(pairs: Sequence[MatchedPair], *, base_first: bool) -> InOneOrder:
    differences = sorted(pair.difference_ns for pair in pairs if pair.base_first is base_first)
    place = rank(len(differences), Statistic.p50.percent) - 1
    return InOneOrder(pairs=len(differences), median_difference_ns=differences[place])
