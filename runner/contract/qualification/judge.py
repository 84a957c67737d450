"""Whether a finished process meets an expectation. Pure; decides on what it really wrote.

JSON of a subject is read leniently (floats and duplicate keys are its own affair) and compared
strictly: 1, 1.0 and true are three values. A verifier judges what a sealed run holds again by the same rules.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, assert_never

from runner.contract.events import CappedByClock, End, Exited, NotSpawned, Signalled
from runner.contract.qualification.sequence import expand
from runner.contract.qualification.steps import (
    ExitCode,
    ExitNonzero,
    Expectation,
    JsonAbsent,
    JsonCount,
    JsonDiffers,
    JsonEquals,
    OutputHolds,
    OutputLacks,
    Scalar,
)
from runner.contract.values import without_surrogates

SHOWN = 300
"""How many characters of a value a judgement quotes."""


class Stream(Protocol):
    """One output stream, as it was captured."""

    @property
    def kept(self) -> bytes:
        """The first bytes."""

    @property
    def complete(self) -> bool:
        """Whether every byte was kept."""

    @property
    def text(self) -> str:
        """The kept bytes as text."""


class Finished(Protocol):
    """A process that has ended, and what it wrote."""

    @property
    def end(self) -> End:
        """How it ended."""

    @property
    def stdout(self) -> Stream:
        """Its output."""

    @property
    def stderr(self) -> Stream:
        """Its errors."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One expectation, compared with what happened."""

    met: bool
    expected: str
    observed: str


class Missing:
    """There is no value at a pointer, and why."""

    def __init__(self, why: str) -> None:
        self.why = why


def judge(  # noqa: PLR0911 -- one arm an expectation
    expectation: Expectation, finished: Finished, values: Mapping[str, str]
) -> Judgement:
    """Compare one expectation with a process that ended."""
    match expectation:
        case ExitCode(code=code):
            met = isinstance(finished.end, Exited) and finished.end.code == code
            return _judgement(met, f"exit {code}", ending(finished.end))
        case ExitNonzero():
            met = isinstance(finished.end, Exited) and finished.end.code != 0
            return _judgement(met, "exit with a code other than 0", ending(finished.end))
        case OutputHolds(stream=stream, text=text):
            return _holds(finished, stream, expand(text, values))
        case OutputLacks(text=text):
            return _lacks(finished, expand(text, values))
        case JsonEquals(at=at, value=value):
            wanted, found = _expanded(value, values), value_at(finished, at)
            met = not isinstance(found, Missing) and same(found, wanted)
            return _judgement(met, f"{_place(at)} = {_show(wanted)}", _show(found))
        case JsonDiffers(at=at, value=value):
            wanted, found = _expanded(value, values), value_at(finished, at)
            met = not isinstance(found, Missing) and not same(found, wanted)
            return _judgement(met, f"{_place(at)} is there and ≠ {_show(wanted)}", _show(found))
        case JsonAbsent(at=at):
            found = value_at(finished, at)
            absent = isinstance(found, Missing) and isinstance(document_of(finished), dict | list)
            return _judgement(found is None or absent, f"{_place(at)} is absent or null", _show(found))
        case JsonCount(at=at, count=count, where=where):
            return _count(value_at(finished, at), at, count, {k: _expanded(v, values) for k, v in where.items()})
        case _:
            assert_never(expectation)


def judge_all(
    expectations: Sequence[Expectation], finished: Finished, values: Mapping[str, str]
) -> tuple[Judgement, ...]:
    """Every expectation of one step, in order."""
    return tuple(judge(expectation, finished, values) for expectation in expectations)


def ending(end: End) -> str:
    """How a process ended, in a few words."""
    match end:
        case Exited(code=code):
            return f"exit {code}"
        case Signalled(signal=signal):
            return f"signal {signal}"
        case CappedByClock():
            return "ended by the wall cap"
        case NotSpawned(why=why):
            return f"not started: {why}"
        case _:
            assert_never(end)


def document_of(finished: Finished) -> object:
    """The JSON on stdout, or `Missing`."""
    if not finished.stdout.complete:
        return Missing("stdout is longer than the output cap")
    try:
        return json.loads(finished.stdout.kept)
    except (ValueError, RecursionError):
        return Missing("stdout is not one JSON document")


def value_at(finished: Finished, pointer: str) -> object:
    """The value at an RFC 6901 pointer of the JSON on stdout, or `Missing`."""
    return _follow(document_of(finished), pointer)


def same(found: object, wanted: Scalar) -> bool:
    """Equal in type and value."""
    return type(found) is type(wanted) and found == wanted


def scalar_text(found: object) -> str | None:
    """A scalar of a subject's JSON as text for later steps; None for anything else and for null."""
    if isinstance(found, str):
        return without_surrogates(found)
    return json.dumps(found) if isinstance(found, bool | int | float) else None


def _follow(value: object, pointer: str) -> object:
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Missing):
            return value
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and name.isascii() and int(name) < len(value):
            value = value[int(name)]
        else:
            return Missing("no such value")
    return value


def _holds(finished: Finished, stream: str, text: str) -> Judgement:
    streams = {"stdout": [finished.stdout], "stderr": [finished.stderr]}.get(stream, [finished.stdout, finished.stderr])
    met = any(text in captured.text for captured in streams)
    place = "stdout or stderr" if stream == "either" else stream
    cut = "" if all(captured.complete for captured in streams) else ", and it is longer than the output cap"
    return _judgement(met, f"{place} holds {_show(text)}", "it does" if met else f"it does not{cut}")


def _lacks(finished: Finished, text: str) -> Judgement:
    streams = (finished.stdout, finished.stderr)
    held = any(text in captured.text for captured in streams)
    whole = all(captured.complete for captured in streams)
    # What lies beyond the cap was not read, so that nothing is known to be absent from it.
    observed = "it is there" if held else "it is not there" if whole else "longer than the output cap"
    return _judgement(whole and not held, f"no output holds {_show(text)}", observed)


def _count(found: object, at: str, count: int, where: Mapping[str, Scalar]) -> Judgement:
    such = f" with {', '.join(f'{k} = {_show(v)}' for k, v in where.items())}" if where else ""
    expected = f"{_place(at)} is a list with {count} items{such}"
    if not isinstance(found, list):
        return _judgement(False, expected, _show(found) if isinstance(found, Missing) else "not a list")
    hits = sum(all(same(_follow(item, k), v) for k, v in where.items()) for item in found)
    return _judgement(hits == count, expected, f"{hits} of {len(found)} items" if where else f"{hits} items")


def _expanded(value: Scalar, values: Mapping[str, str]) -> Scalar:
    return expand(value, values) if isinstance(value, str) else value


def _place(pointer: str) -> str:
    return f"JSON {pointer}" if pointer else "the JSON document"


def _show(value: object) -> str:
    if isinstance(value, Missing):
        return value.why
    text = without_surrogates(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _judgement(met: bool, expected: str, observed: str) -> Judgement:  # noqa: FBT001 -- the verdict itself
    return Judgement(met=met, expected=expected, observed=observed)
