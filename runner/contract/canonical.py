"""Bytes <-> JSON values, strictly: RFC 8785 out, and nothing but RFC 8785 in.

The digest of a file is taken over its bytes before they are parsed. After that
`encode(parse(data)) == data` holds for every evidence file, which catches duplicate
keys, odd number spellings and edits by hand that a lenient parser would let through.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import NoReturn, TypeVar

import rfc8785
from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from runner.contract.errors import InvalidRecordError, MalformedJsonError, Problem
from runner.contract.json_values import (
    MAX_DEPTH,
    MAX_INTEGER,
    RESTORE,
    TOO_DEEP,
    Json,
    Place,
    Refused,
    faults,
    is_sound,
)

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_INTEGER",
    "MAX_PARTS",
    "MAX_PROBLEMS",
    "Json",
    "encode",
    "load",
    "parse",
    "parse_record",
    "read",
]

MAX_BYTES = 64 * 1024 * 1024
"""One JSON document may not be larger; long records are lines of a `.jsonl` file."""

MAX_PROBLEMS = 100
"""Nobody reads more of one document, and a hostile one may hold millions."""
MAX_PARTS = 16
"""A key path is shown so far. What nests deeper is refused for that anyway."""

Model = TypeVar("Model")


def encode(value: object) -> bytes:
    """The RFC 8785 bytes of a JSON value without floats.

    Raises `MalformedJsonError` with the key path of every float, integer beyond ±(2^53-1), key
    that is not a string, string that is not valid Unicode, value that is not JSON, and of what is
    nested deeper than `MAX_DEPTH`.
    """
    if not is_sound(value, MAX_DEPTH):
        found = islice(faults(value, MAX_DEPTH), MAX_PROBLEMS)
        if problems := [Problem("(value)", _key_path(place), what, todo) for place, what, todo in found]:
            raise MalformedJsonError(*problems)
    data = _WRITER.encode(value).encode()
    return data if _sorts_alike(data) else rfc8785.dumps(value)  # type: ignore[arg-type]


def parse(data: bytes, *, file: str = "(bytes)", where: str = "") -> Json:
    """Parse one canonical JSON document; `file` and `where` only name it in messages.

    Raises `MalformedJsonError` for invalid UTF-8, a byte order mark, duplicate keys, floats and
    other non-integers, integers beyond ±(2^53-1), lone surrogates, nesting beyond
    `MAX_DEPTH`, a document beyond `MAX_BYTES`, and bytes that are not in canonical form.
    """
    if not isinstance(quick := _read_at_once(data), Refused):
        return quick
    value = read(data, file=file, where=where)
    if (canonical := encode(value)) != data:
        pairs = enumerate(zip(canonical, data, strict=False))
        differs = next((n for n, (a, b) in pairs if a != b), min(len(canonical), len(data)))
        _fail(file, _at(where, f"byte {differs}"), "valid JSON, but not in RFC 8785 form", RESTORE)
    return value


def read(data: bytes, *, file: str = "(bytes)", where: str = "") -> Json:
    """Parse strict JSON that need not be in canonical form. Raises as `parse` does."""
    if len(data) > MAX_BYTES:
        _fail(file, where, f"{len(data)} bytes, more than {MAX_BYTES}", "split the document")
    if data.startswith(b"\xef\xbb\xbf"):
        _fail(file, where, "begins with a byte order mark", "store UTF-8 without one")
    try:
        text = data.decode("utf-8")
        value: Json = _CAREFUL_READER.decode(text)
    except UnicodeDecodeError as error:
        _fail(file, _at(where, f"byte {error.start}"), "not UTF-8", "store UTF-8")
    except json.JSONDecodeError as error:
        byte = len(text[: error.pos].encode("utf-8"))
        _fail(file, _at(where, f"byte {byte}"), error.msg.lower().removesuffix(" at"), RESTORE)
    except RecursionError:
        _fail(file, where, TOO_DEEP, RESTORE)
    if is_sound(value, MAX_DEPTH):
        return value
    found = islice(faults(value, MAX_DEPTH), MAX_PROBLEMS)
    if problems := [Problem(file, _at(where, _key_path(place)), what, RESTORE) for place, what, _ in found]:
        raise MalformedJsonError(*problems)
    return value


def parse_record(model: TypeAdapter[Model], data: bytes, *, file: str, where: str = "") -> Model:
    """Turn the bytes of one canonical JSON document into a contract model. Raises as `parse` and `load` do."""
    value = parse(data, file=file, where=where)
    try:
        return model.validate_json(data)
    except ValidationError:
        return load(model, value, file=file, where=where)  # which says by key path what does not fit


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
            Problem(
                file,
                _at(where, _key_path(_keys(item["loc"], value, absent=item["type"] == "missing"))),
                _message(item),
                _todo(item),
            )
            for item in error.errors(include_url=False)
            if not _follows_from_another(item)
        )
        raise InvalidRecordError(*problems) from error


def _follows_from_another(item: ErrorDetails) -> bool:
    """Whether a list is called too short only because its bad items, named already, were not counted."""
    return item["type"] == "too_short" and len(item["input"]) >= item["ctx"]["min_length"]


def _todo(item: ErrorDetails) -> str:
    """A schema states forms; a rule of ours over several fields stands in its own message."""
    return "correct it" if item["type"] == "value_error" else "see the schema"


def _message(item: ErrorDetails) -> str:
    said = item["msg"].removeprefix("Value error, ")
    found = item["input"]
    if isinstance(found, str | int) and not isinstance(found, bool) and len(str(found)) <= 80:
        said = f"{said} (found {found!r})"
    return _shown(f"{said[:1].lower()}{said[1:]}", 500)


def _keys(loc: Place, value: object, *, absent: bool) -> Place:
    """The keys of `loc` that stand in the document, without the tags that validation puts between them.

    With `absent` the last one is a key that should stand there and does not.
    """
    keys: list[int | str] = []
    for position, part in enumerate(loc):
        if isinstance(value, dict) and part not in value and not (absent and position == len(loc) - 1):
            continue
        keys.append(part)
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list | tuple) and isinstance(part, int) and part < len(value):
            value = value[part]
    return tuple(keys)


def _key_path(place: Place) -> str:
    path = ""
    for part in place[:MAX_PARTS]:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            key = _shown(part, 80)
            path += f".{key}" if path else key
    return path if len(place) <= MAX_PARTS else f"{path}…"


def _shown(text: str, length: int) -> str:
    """Somebody's text, unable to break the message, or the terminal, that shows it."""
    cut = text if len(text) <= length else f"{text[:length]}…"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut)


def _at(where: str, inner: str) -> str:
    return ", ".join(part for part in (where, inner) if part)


def _fail(file: str, where: str, what: str, todo: str) -> NoReturn:
    raise MalformedJsonError(Problem(file, where, what, todo))


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json] | Refused:
    result = dict(pairs)
    if len(result) != len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        return Refused(f"key {twice[:80]!a} stands twice in one object")
    return result


def _integer(text: str) -> int | Refused:
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        return Refused(f"integer {text[:20]} is beyond 2^53-1")
    return Refused("-0 is not an integer of evidence") if text == "-0" else int(text)


def _refuse(why: str) -> Callable[[str], Refused]:
    return lambda text: Refused(f"{text[:40]}: {why}")


# The standard library reads and writes in C what `rfc8785` does in Python, some ten times as fast. Its bytes are those
# of RFC 8785 for all that evidence may hold, except that keys beyond U+FFFF are sorted otherwise (by code point).
_WRITER = json.JSONEncoder(ensure_ascii=False, check_circular=False, sort_keys=True, separators=(",", ":"))
_BEYOND_FFFF = re.compile(rb"[\xf0-\xf4]")


def _reader(pairs: Callable[[list[tuple[str, Json]]], object] | None) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=pairs,
        parse_float=_refuse("a number that is not an integer"),
        parse_int=_integer,
        parse_constant=_refuse("not JSON"),
    )


_READER = _reader(None)
_CAREFUL_READER = _reader(_unique)
_QUICK_BYTES = 256 * 1024
"""Only records come by the thousand; to read a large and doubtful document twice would take too long."""
_DOUBTFUL = Refused("doubtful")


def _sorts_alike(data: bytes) -> bool:
    return _BEYOND_FFFF.search(data) is None


def _read_at_once(data: bytes) -> "Json | Refused":
    """The value of bytes that are canonical without doubt. Whatever is doubtful, `read` takes its time for."""
    if len(data) > _QUICK_BYTES or not _sorts_alike(data):
        return _DOUBTFUL
    try:
        value: Json = _READER.decode(data.decode())
        # A key that stands twice, another form of a number and a blank are lost on the way and so make a difference;
        # a refused number and a lone surrogate cannot be written.
        same = _WRITER.encode(value).encode() == data
    except (ValueError, TypeError, RecursionError):
        return _DOUBTFUL
    shallow = data.count(b"{") + data.count(b"[") <= MAX_DEPTH
    return value if same and (shallow or is_sound(value, MAX_DEPTH)) else _DOUBTFUL
