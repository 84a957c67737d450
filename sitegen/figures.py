"""A value in the words of one language. Nothing here counts, and nothing rounds to a lie."""

from runner.contract.values import Ratio
from sitegen.catalog import Catalog


def count(value: int, catalog: Catalog) -> str:
    """A whole number with the language's grouping: `12,345`."""
    raise NotImplementedError


def ratio(value: Ratio, catalog: Catalog) -> str:
    """`6/10`; `figure.undefined` for 0/0."""
    raise NotImplementedError


def percent(value: Ratio, catalog: Catalog) -> str:
    """One decimal; 0 % and 100 % only where they are exact; `figure.undefined` for 0/0."""
    raise NotImplementedError


def duration(nanoseconds: int, catalog: Catalog) -> str:
    """A span of time with its unit: `1.234 s`, `12 ms`, `5 min 03 s`."""
    raise NotImplementedError


def size(octets: int, catalog: Catalog) -> str:
    """A length in bytes, exact, with the language's grouping."""
    raise NotImplementedError


def instant(value: str) -> str:
    """`2026-11-30T01:44:55Z` as `2026-11-30 01:44:55 UTC`, in every language."""
    raise NotImplementedError


def short_hash(value: str) -> str:
    """The first 12 digits of a digest or commit; the whole stands beside it or in its link."""
    raise NotImplementedError
