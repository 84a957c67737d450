"""Which values of Python evidence can hold: strict JSON without floats, and what is wrong with any other."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"
Place: TypeAlias = "tuple[int | str, ...]"
"""Keys and indices that lead to a value."""

MAX_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly (RFC 8785, section 3.2.2.3)."""
MAX_DEPTH = 64
"""Deeper documents are refused: evidence nests less than a dozen levels."""
TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"
RESTORE = "restore the sealed bytes"


@dataclass(frozen=True, slots=True)
class Refused:
    """Stands for a value that JSON allows and evidence does not, until its place is known."""

    why: str


def is_sound(value: object, levels: int) -> bool:  # noqa: PLR0911  one a form of JSON
    """Whether evidence can hold `value`, quickly; where this is False, `faults` says why."""
    if isinstance(value, str):
        return value.isascii() or _is_unicode(value)
    if value is None or isinstance(value, int):
        return value is None or -MAX_INTEGER <= value <= MAX_INTEGER
    if levels == 0:
        return False
    if isinstance(value, dict):  # by loops: each value of each record passes here, and a generator costs as much again
        for key, item in value.items():
            if not (isinstance(key, str) and (key.isascii() or _is_unicode(key)) and is_sound(item, levels - 1)):
                return False
        return True
    if isinstance(value, list | tuple):
        for item in value:  # noqa: SIM110  see above
            if not is_sound(item, levels - 1):
                return False
        return True
    return False


def faults(value: object, levels: int) -> Iterator[tuple[Place, str, str]]:
    """What of `value` evidence cannot hold: place, rule, remedy. `levels` may be nested from here."""
    if not isinstance(value, dict | list | tuple):
        if fault := _fault(value):
            yield (), *fault
    elif levels == 0:
        yield (), TOO_DEEP, "flatten it"
    else:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(value, dict) and (fault := _fault_of_key(key)):
                yield (), *fault
            else:
                for place, what, todo in faults(item, levels - 1):
                    yield (key, *place), what, todo


def _fault(value: object) -> tuple[str, str] | None:
    match value:
        case Refused():
            return value.why, RESTORE
        case str():
            return None if _is_unicode(value) else ("a string holds a lone surrogate", "remove it")
        case float():
            return f"{value!r} is a float", "use an integer"
        case int():
            return None if abs(value) <= MAX_INTEGER else ("an integer beyond 2^53-1", "write it as text")
        case None:
            return None
    return f"a {type(value).__name__} is not JSON", "write it as text"


def _fault_of_key(key: object) -> tuple[str, str] | None:
    if not isinstance(key, str):
        return f"the key {key!r} is no text", "write it as text"
    return None if _is_unicode(key) else (f"the key {key[:80]!a} holds a lone surrogate", "remove it")


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
