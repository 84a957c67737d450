"""Reads TOML that somebody wrote by hand into a record, strictly, and says by line or key what does not fit."""

import re
import tomllib
from datetime import date, datetime, time
from typing import TypeVar

from runner.contract.canonical import MAX_DEPTH, load
from runner.contract.errors import InvalidRecordError, Problem

MAX_MANIFEST_BYTES = 512 * 1024
"""Several times the largest manifest. The TOML reader takes seconds for a few megabytes of tables."""

Model = TypeVar("Model")


def read_toml(model: type[Model], data: bytes, *, file: str) -> Model:
    """Parse TOML into a record. Raises `InvalidRecordError` that names `file` and place."""
    if len(data) > MAX_MANIFEST_BYTES:
        what = f"{len(data)} bytes, more than {MAX_MANIFEST_BYTES}"
        raise InvalidRecordError(Problem(file, "", what, "split the file"))
    if data.startswith(b"\xef\xbb\xbf"):
        raise InvalidRecordError(Problem(file, "", "begins with a byte order mark", "store UTF-8 without one"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRecordError(Problem(file, f"byte {error.start}", "not UTF-8", "save the file as UTF-8")) from error
    if key := _LONG_KEY.search(text):
        what = f"a key of more than {MAX_DEPTH} parts"
        raise InvalidRecordError(Problem(file, _line_of(text, key), what, "flatten it"))
    try:
        value = _dates_as_text(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InvalidRecordError(_toml_problem(file, str(error))) from error
    except RecursionError as error:
        raise InvalidRecordError(Problem(file, "", "nested too deeply", "flatten it")) from error
    except ValueError as error:
        number = _LONG_NUMBER.search(text)
        where = _line_of(text, number) if number else ""
        raise InvalidRecordError(Problem(file, where, "an integer beyond 2^53-1", "write it as text")) from error
    return load(model, value, file=file)


_KEY_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*"""
# The TOML reader's time for a dotted key grows with the square of its parts, so a long one is not given to it.
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*{_KEY_PART}(?:\.[ \t]*{_KEY_PART}){{{MAX_DEPTH}}}", re.MULTILINE)
# Python converts no longer ones, and its refusal names no place.
_LONG_NUMBER = re.compile(r"[0-9_]{4300,}")


def _line_of(text: str, found: re.Match[str]) -> str:
    return f"line {text.count(chr(10), 0, found.start()) + 1}"


def _toml_problem(file: str, said: str) -> Problem:
    what, _, place = said.partition(" (at ")
    return Problem(file, place.rstrip(")"), f"not TOML: {what.lower()}", "mend the syntax there")


def _dates_as_text(value: object) -> object:
    if isinstance(value, dict):
        return {key: _dates_as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_dates_as_text(item) for item in value]
    return value.isoformat() if isinstance(value, date | datetime | time) else value
