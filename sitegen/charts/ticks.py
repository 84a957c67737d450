"""Round numbers along an axis."""

from itertools import pairwise

MOST = 6
"""More labels than this do not fit the width of a telephone."""
FEWEST = 3
_MANTISSAS = (1, 2, 5)


def ticks(low: int, high: int, *, logarithmic: bool = False) -> tuple[int, ...]:
    """Three to six round numbers, evenly spaced on their axis, that cover everything from `low` to `high`.

    Round is 1, 2 or 5 times a power of ten, and multiples of that on a linear axis. A logarithmic
    axis needs `low` of at least 1. Raises ValueError for that, and for `high` below `low`.
    """
    if high < low:
        raise ValueError(f"an axis from {low} to {high}")
    if not logarithmic:
        return _linear(low, high)
    if low < 1:
        raise ValueError(f"a logarithmic axis from {low}")
    return _logarithmic(low, high)


def _linear(low: int, high: int) -> tuple[int, ...]:
    if low == high:  # one value stands in the middle of some room, and never left of nothing
        room = max(1, abs(low) // 10)
        low, high = (low - room if low else 0), high + room
    size = 0
    while True:
        for mantissa in _MANTISSAS:
            step = mantissa * 10**size
            first, last = low // step, -(-high // step)
            if last - first < MOST:
                last = max(last, first + FEWEST - 1)
                return tuple(number * step for number in range(first, last + 1))
        size += 1


def _logarithmic(low: int, high: int) -> tuple[int, ...]:
    found = _covering(_ladder(_MANTISSAS, 1, high), low, high)
    every = 1
    while len(found) > MOST:
        found = _covering(_ladder((1,), every, high), low, high)
        every += 1
    return found


def _ladder(mantissas: tuple[int, ...], every: int, high: int) -> list[int]:
    """Rungs in every n-th decade, from 1 to well above `high`."""
    decades = range(0, len(str(high)) + 3 * every, every)
    return [mantissa * 10**decade for decade in decades for mantissa in mantissas]


def _covering(rungs: list[int], low: int, high: int) -> tuple[int, ...]:
    """The rungs from the last one at or below `low` to the first one at or above `high`."""
    first = next(index for index, (_, above) in enumerate(pairwise(rungs)) if above > low)
    last = next(index for index, rung in enumerate(rungs) if rung >= high)
    return tuple(rungs[first : max(last, first + FEWEST - 1) + 1])
