"""The exact rank-sum test of Wilcoxon, and of Mann and Whitney: how well chance explains which values were chosen.

Every choice of as many values counts as much as any other, and all are counted: nothing is approximated.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd


@dataclass(frozen=True, slots=True)
class RankSum:
    """What part of all choices is as far from the mean rank sum, on either side, as the one that was made."""

    p: Fraction
    least: Fraction
    """The smallest p that any choice among these values has."""


def rank_sum(values: Sequence[int], chosen: Sequence[bool]) -> RankSum:
    """Test the chosen ones of `values` against the others; equal values share the mean of their ranks.

    The time grows with a high power of the number of values: 64 take a hundredth of a second, 128 some tenths. Raises
    ValueError where there is no value, or not one mark for each.
    """
    if not values or len(values) != len(chosen):
        raise ValueError(f"no rank sum of {len(chosen)} marks on {len(values)} values")
    ranks = _ranks(values)
    size = sum(chosen)
    # Times the number of values, so that the mean is an integer too.
    mean = size * sum(ranks)
    made = abs(len(ranks) * sum(rank for rank, is_chosen in zip(ranks, chosen, strict=True) if is_chosen) - mean)
    as_far = farthest = most = 0
    for total, choices in _choices(ranks, size):
        distance = abs(len(ranks) * total - mean)
        as_far += choices if distance >= made else 0
        if distance > farthest:
            farthest, most = distance, 0
        most += choices if distance == farthest else 0
    every = comb(len(ranks), size)
    return RankSum(Fraction(as_far, every), Fraction(most, every))


def _ranks(values: Sequence[int]) -> tuple[int, ...]:
    """Ranks from 0 on, in the smallest integers that stand in the same proportion."""
    ordered = sorted(values)
    first = {value: place for place, value in reversed(list(enumerate(ordered)))}
    last = {value: place for place, value in enumerate(ordered)}
    doubled = [first[value] + last[value] for value in values]
    lowest = min(doubled)
    step = gcd(*(rank - lowest for rank in doubled)) or 1
    return tuple((rank - lowest) // step for rank in doubled)


def _choices(ranks: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """How many choices of `size` ranks add up to each sum that one has.

    The counts of all sums lie side by side in one long integer, each in so many bytes that none runs into the next: one
    addition of long integers adds them all, and a shift by a rank moves each to the sum that it comes to.
    """
    width = comb(len(ranks), size).bit_length() // 8 + 1
    counts = [1] + [0] * size
    for number, rank in enumerate(ranks, start=1):
        for chosen in range(min(number, size), 0, -1):
            counts[chosen] += counts[chosen - 1] << (8 * width * rank)
    packed = counts[size]
    sums = -(-packed.bit_length() // (8 * width))
    data = packed.to_bytes(sums * width, "little")
    for total in range(sums):
        if choices := int.from_bytes(data[total * width : (total + 1) * width], "little"):
            yield total, choices
