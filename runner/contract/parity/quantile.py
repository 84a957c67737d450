"""Nearest-rank quantiles: each is one of the samples, and no sample is left out."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from runner.contract.values import Count, Line, Nanoseconds, Record


class Statistic(StrEnum):
    """Which value of the sorted samples speaks for all of them."""

    p50 = "p50"
    p95 = "p95"

    @property
    def percent(self) -> int:
        """How many of a hundred samples are no larger."""
        return int(self.value.removeprefix("p"))


class Quantile(Record):
    """One of the samples."""

    quantile: Literal["known"] = "known"
    value_ns: Nanoseconds
    rank: Count
    """Its place among the sorted samples, from 1."""
    samples: Count


class UnknownQuantile(Record):
    """There is no sample to take."""

    quantile: Literal["unknown"] = "unknown"
    reason: Line


def rank(samples: int, percent: int) -> int:
    """The nearest rank, from 1, of a quantile among so many sorted samples.

    Raises ValueError where there is no sample, and for a percentage outside 1 to 100.
    """
    if samples < 1:
        raise ValueError(f"no rank among {samples} samples")
    if not 1 <= percent <= 100:
        raise ValueError(f"no quantile of {percent} %")
    return -(-percent * samples // 100)


def quantile(samples_ns: Sequence[int], statistic: Statistic) -> Quantile | UnknownQuantile:
    """The quantile of all samples, in whatever order they come."""
    if not samples_ns:
        return UnknownQuantile(reason="no sample")
    place = rank(len(samples_ns), statistic.percent)
    return Quantile(value_ns=sorted(samples_ns)[place - 1], rank=place, samples=len(samples_ns))


def is_largest(samples: int, statistic: Statistic) -> bool:
    """Whether so few samples make the statistic their largest value, which one sample decides."""
    return rank(samples, statistic.percent) == samples
