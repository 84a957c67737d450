"""A value in the words of one language. Nothing here counts, and nothing rounds to a lie."""

from runner.contract.parity.change import Change, Percentage, UndefinedPercentage
from runner.contract.values import Ratio
from sitegen.catalog import Catalog

UNDEFINED = "no_number.undefined"
UNDEFINED_CHANGE = "no_number.undefined-change"
NO_BREAK = "\u00a0"
"""Keeps a number and its unit on one line."""

_US = 1_000
_MS = 1_000_000
_S = 1_000_000_000
_UNITS = ((_S, "s"), (_MS, "ms"), (_US, "µs"), (1, "ns"))


def count(value: int, catalog: Catalog) -> str:
    """A whole number with the language's grouping and a minus that is no hyphen: `12,345`, `−140`."""
    return ("−" if value < 0 else "") + catalog.number(abs(value))


def percent(value: Ratio, catalog: Catalog) -> str:
    """One decimal; 0 % and 100 % only where they are exact; the word for undefined for 0/0."""
    if not value.defined:
        return catalog.say(UNDEFINED)
    if value.numerator in (0, value.denominator):
        return f"{100 if value.numerator else 0}{NO_BREAK}%"
    tenths = _rounded(1000 * value.numerator, value.denominator)
    # What is not nothing is never 0.0 %, and what is not all is never 100.0 %.
    if value.numerator < value.denominator:
        tenths = min(max(tenths, 1), 999)
    return f"{count(tenths // 10, catalog)}.{tenths % 10}{NO_BREAK}%"


def duration(nanoseconds: int, catalog: Catalog) -> str:
    """A span of time with its unit, to three digits or the millisecond: `1.234 s`, `5 min 03 s`."""
    if nanoseconds >= 60 * _S:
        seconds = _rounded(nanoseconds, _S)
        minutes = count(seconds // 60, catalog)
        return f"{minutes}{NO_BREAK}min {seconds % 60:02d}{NO_BREAK}s"
    if nanoseconds >= _S:
        milliseconds = _rounded(nanoseconds, _MS)
        return f"{milliseconds // 1000}.{milliseconds % 1000:03d}{NO_BREAK}s"
    for unit, name in ((_MS, "ms"), (_US, "µs")):
        if nanoseconds >= unit:
            return f"{_rounded(nanoseconds, unit)}{NO_BREAK}{name}"
    return f"{nanoseconds}{NO_BREAK}ns"


def exact_duration(nanoseconds: int, catalog: Catalog) -> str:
    """A span or difference of time in milliseconds with its unit, to the nanosecond: `276.825331 ms`, `−0.5 ms`."""
    return f"{in_units(nanoseconds, _MS, catalog)}{NO_BREAK}ms"


def unit_of(nanoseconds: int) -> tuple[int, str]:
    """The unit in which an axis up to `nanoseconds` is labelled: its length in nanoseconds, and its name."""
    return next(((unit, name) for unit, name in _UNITS if nanoseconds >= unit), _UNITS[-1])


def in_units(value: int, unit: int, catalog: Catalog) -> str:
    """`value` divided by a power of ten, exactly and without idle zeros: `0.05`, `1,000`, `−2.5`."""
    whole, rest = divmod(abs(value), unit)
    digits = f"{rest:0{len(str(unit)) - 1}d}".rstrip("0") if rest else ""
    return ("−" if value < 0 else "") + count(whole, catalog) + (f".{digits}" if digits else "")


def fixed(digits: int, decimals: int, catalog: Catalog, *, signed: bool = False) -> str:
    """A decimal fraction with every one of its decimals: `1,695.738770`, and if `signed` `+0.797684` or `−5.227102`."""
    whole, rest = divmod(abs(digits), 10**decimals)
    sign = "−" if digits < 0 else "+" if signed and digits else ""
    return f"{sign}{count(whole, catalog)}" + (f".{rest:0{decimals}d}" if decimals else "")


def milliseconds(nanoseconds: int, decimals: int, catalog: Catalog, *, signed: bool = False) -> str:
    """A time in milliseconds, without its unit, to so many decimals, of which there are six at most."""
    step = int(10 ** (6 - decimals))
    digits = _rounded(abs(nanoseconds), step)
    return fixed(-digits if nanoseconds < 0 else digits, decimals, catalog, signed=signed)


def change(value: Change, decimals: int, catalog: Catalog) -> str:
    """A change in percent, without its unit, with its sign; what is not nothing is never `0.00`."""
    match value.percentage(decimals):
        case UndefinedPercentage():
            return catalog.say(UNDEFINED_CHANGE)
        case Percentage(digits=digits):
            if not digits and value.difference_ns:
                digits = -1 if value.difference_ns < 0 else 1
            return fixed(digits, decimals, catalog, signed=True)


def size(octets: int, catalog: Catalog) -> str:
    """A length in bytes, exact, with the language's grouping."""
    return catalog.say("figure.bytes", n=octets)


def instant(value: str) -> str:
    """`2026-11-30T01:44:55Z` as `2026-11-30 01:44:55 UTC`, in every language."""
    return value.replace("T", " ").removesuffix("Z") + " UTC"


def _rounded(numerator: int, denominator: int) -> int:
    """The nearest whole number, halves up, in integers alone."""
    return (2 * numerator + denominator) // (2 * denominator)
