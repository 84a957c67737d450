"""Bytes <-> JSON values, strictly: RFC 8785 out, and nothing but RFC 8785 in.

The digest of a file is taken over its bytes before they are parsed. After that
`encode(parse(data)) == data` holds for every evidence file, which catches duplicate
keys, odd number spellings and edits by hand that a lenient parser would let through.
"""

import json
from collections.abc import Callable
from typing import NoReturn, TypeAlias, TypeVar

import rfc8785
from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from runner.contract.errors import InvalidRecordError, MalformedJsonError, Problem

Json: TypeAlias = "None | bool | int | str | list[Json] | dict[str, Json]"

MAX_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly (RFC 8785, section 3.2.2.3)."""
MAX_DEPTH = 64
"""Deeper documents are refused: evidence nests less than a dozen levels."""
MAX_BYTES = 64 * 1024 * 1024
"""One JSON document may not be larger; long records are lines of a `.jsonl` file."""

Model = TypeVar("Model")


class _RefusalError(ValueError):
    """A value that JSON allows and evidence does not."""


def encode(value: object) -> bytes:
    """The RFC 8785 bytes of a JSON value without floats.

    Raises `MalformedJsonError` for a float, an integer beyond ±(2^53-1), a key that is not a
    string, or a string that is not valid Unicode.
    """
    _refuse_floats(value, "")
    try:
        return rfc8785.dumps(value)  # type: ignore[arg-type]
    except (rfc8785.CanonicalizationError, RecursionError) as error:
        raise MalformedJsonError(Problem("(value)", "", str(error), "use integers and text")) from error


def parse(data: bytes, *, file: str = "(bytes)", where: str = "") -> Json:
    """Parse one canonical JSON document; `file` and `where` only name it in messages.

    Raises `MalformedJsonError` for invalid UTF-8, a byte order mark, duplicate keys, floats and
    other non-integers, integers beyond ±(2^53-1), lone surrogates, nesting beyond
    `MAX_DEPTH`, a document beyond `MAX_BYTES`, and bytes that are not in canonical form.
    """
    value = read(data, file=file, where=where)
    if encode(value) != data:
        _fail(file, where, "valid JSON, but not in RFC 8785 form", "restore the sealed bytes")
    return value


def read(data: bytes, *, file: str = "(bytes)", where: str = "") -> Json:
    """Parse strict JSON that need not be in canonical form. Raises as `parse` does."""
    if len(data) > MAX_BYTES:
        _fail(file, where, f"{len(data)} bytes, more than {MAX_BYTES}", "split the document")
    if data.startswith(b"\xef\xbb\xbf"):
        _fail(file, where, "begins with a byte order mark", "store UTF-8 without one")
    try:
        text = data.decode("utf-8")
        value: Json = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_float=_refuse("a number that is not an integer"),
            parse_int=_integer,
            parse_constant=_refuse("not JSON"),
        )
        _check(value, MAX_DEPTH)
    except UnicodeDecodeError as error:
        _fail(file, _at(where, f"byte {error.start}"), "not UTF-8", "store UTF-8")
    except json.JSONDecodeError as error:
        _fail(file, _at(where, f"byte {error.pos}"), error.msg.lower(), "restore the sealed bytes")
    except RecursionError:
        _fail(file, where, f"nested deeper than {MAX_DEPTH} levels", "restore the sealed bytes")
    except _RefusalError as error:
        _fail(file, where, str(error), "restore the sealed bytes")
    return value


def load(model: type[Model] | TypeAdapter[Model], value: object, *, file: str, where: str = "") -> Model:
    """Turn a JSON value into a contract model, or list everything that does not fit.

    A union comes as its adapter, made once, since making one is slow. Raises
    `InvalidRecordError` with one problem a field, named by its key path.
    """
    try:
        data = encode(value)
    except MalformedJsonError as error:
        found = tuple(Problem(file, _at(where, p.where), p.what, p.todo) for p in error.problems)
        raise InvalidRecordError(*found) from error
    try:
        adapter = model if isinstance(model, TypeAdapter) else TypeAdapter(model)
        return adapter.validate_json(data)
    except ValidationError as error:
        problems = tuple(
            Problem(file, _at(where, _key_path(item["loc"])), _message(item), "see the schema")
            for item in error.errors(include_url=False)
        )
        raise InvalidRecordError(*problems) from error


def _message(item: ErrorDetails) -> str:
    said = item["msg"].removeprefix("Value error, ")
    found = item["input"]
    if isinstance(found, str | int) and not isinstance(found, bool) and len(str(found)) <= 80:
        return f"{said[:1].lower()}{said[1:]} (found {found!r})"
    return f"{said[:1].lower()}{said[1:]}"


def _key_path(loc: tuple[int | str, ...]) -> str:
    path = ""
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path


def _at(where: str, inner: str) -> str:
    return ", ".join(part for part in (where, inner) if part)


def _fail(file: str, where: str, what: str, todo: str) -> NoReturn:
    raise MalformedJsonError(Problem(file, where, what, todo))


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _RefusalError(f"key {twice!r} stands twice in one object")
    return result


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        raise _RefusalError(f"integer {text[:20]} is beyond 2^53-1")
    if text == "-0":
        raise _RefusalError("-0 is not an integer of evidence")
    return int(text)


def _refuse(why: str) -> Callable[[str], NoReturn]:
    def refuse(text: str) -> NoReturn:
        raise _RefusalError(f"{text[:40]}: {why}")

    return refuse


def _check(value: Json, depth: int) -> None:
    """Refuse lone surrogates and nesting beyond `depth` levels."""
    if depth < 0:
        raise _RefusalError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as error:
            raise _RefusalError("a string holds a lone surrogate") from error
    elif isinstance(value, list):
        for item in value:
            _check(item, depth - 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check(key, depth)
            _check(item, depth - 1)


def _refuse_floats(value: object, path: str) -> None:
    if isinstance(value, float):
        raise MalformedJsonError(Problem("(value)", path, f"{value!r} is a float", "use an integer"))
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise MalformedJsonError(Problem("(value)", path, "an integer beyond 2^53-1", "write it as text"))
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_floats(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _refuse_floats(item, f"{path}[{index}]")
    elif not isinstance(value, str | int | None):
        kind = type(value).__name__
        raise MalformedJsonError(Problem("(value)", path, f"a {kind} is not JSON", "write it as text"))
