"""All that one attempt put out and kept: every stream of every call, every file of its state, each by its digests.

The raw bytes are kept in private and committed to: every file whole, a stream as far as the output cap lets it be read,
while its digest covers all of it. What is published of each is enough for anybody to see which entries of two attempts
are the same bytes, which are the same value, and which are neither.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.values import AttemptId, Count, Record, Sha256, twice

INVENTORY_FILE = "inventory.json"
CALLS = "calls"
"""Under it stand the streams of every call, as `calls/STEP/stdout` and `calls/STEP/stderr`."""
EntryPath = Annotated[str, Field(min_length=1, max_length=400)]
"""`calls/STEP/stdout`, `calls/STEP/receipt`, `state/FILE`, or `state/FILE#TABLE/KEY` for a row of a database."""


class Form(StrEnum):
    """As what an entry is compared."""

    json = "json"
    """One JSON value."""
    json_lines = "json-lines"
    """Lines, of which one at least is a JSON object or list: compared as the list of them, other lines as texts."""
    data = "data"
    """Bytes, and nothing else is known of them."""
    container = "container"
    """A database, whose rows are entries of their own, or its log or index: bytes are recorded and not compared."""


class Entry(Record):
    """One stream, file or row."""

    path: EntryPath
    form: Form
    bytes: Count
    sha256: Sha256
    """Of the bytes as they were."""
    value_sha256: Sha256 | None
    """Of the JSON value with sorted keys and no blanks; None for what is no JSON."""

    @model_validator(mode="after")
    def _has_a_value_or_none(self) -> Self:
        if (self.value_sha256 is not None) != (self.form in (Form.json, Form.json_lines)):
            raise ValueError("a JSON entry has the digest of its value, and no other has")
        return self


class Inventory(Record):
    """Every entry of one attempt, sorted by path."""

    format: Literal["sealbook.parity-inventory/1"] = "sealbook.parity-inventory/1"
    attempt: AttemptId
    processes: tuple[Count, ...]
    """Ids of all processes that were observed in the attempt, sorted."""
    entries: tuple[Entry, ...]

    @model_validator(mode="after")
    def _is_sorted(self) -> Self:
        paths = [entry.path for entry in self.entries]
        if paths != sorted(paths) or twice(paths):
            raise ValueError("entries are named once each, sorted by path")
        if list(self.processes) != sorted(set(self.processes)):
            raise ValueError("processes are named once each, in order")
        return self

    @property
    def by_path(self) -> Mapping[str, Entry]:
        """The entries by their path."""
        return {entry.path: entry for entry in self.entries}

    @property
    def fingerprint(self) -> str:
        """Of all paths and bytes together. It covers local paths: only attempts at one path can have the same."""
        whole = hashlib.sha256()
        for entry in self.entries:
            whole.update(f"{entry.sha256}  {entry.path}\n".encode())
        return whole.hexdigest()


class NotJsonError(ValueError):
    """Bytes that are no JSON value in which each member stands once."""


def value_of(data: bytes) -> tuple[Form, object]:
    """What bytes are compared as, with their JSON value; None as the value of what is no JSON.

    A member that stands twice, or text that is not UTF-8, makes bytes of the whole: nothing of it may be lost unseen.
    """
    try:
        return Form.json, _parse(data.decode("utf-8"))
    except (ValueError, RecursionError):
        pass
    try:
        lines = [_line(line) for line in data.decode("utf-8").split("\n")]
    except (ValueError, RecursionError):
        return Form.data, None
    if any(not isinstance(line, str) for line in lines):
        return Form.json_lines, lines
    return Form.data, None


def _line(text: str) -> object:
    """An object or list that stands alone on its line; else the line as it is. Raises ValueError for a broken one."""
    return _parse(text) if text[:1] in ("{", "[") else text


def entry_of(path: str, data: bytes) -> Entry:
    """The entry of some bytes."""
    form, value = value_of(data)
    return Entry(
        path=path,
        form=form,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        value_sha256=None if form is Form.data else hashlib.sha256(spelled(value).encode()).hexdigest(),
    )


def spelled(value: object) -> str:
    """A JSON value in its one spelling here: sorted keys, no blanks, ASCII. 1 and 1.0 are two values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def leaves(left: object, right: object, pointer: str = "") -> Iterator[tuple[str, object, object]]:
    """Every place (RFC 6901) at which two JSON values differ, with both sides; `ABSENT` where one has none.

    Lists of different length differ as a whole: which of their items belong together nobody can say.
    """
    if isinstance(left, dict) and isinstance(right, dict):
        for name in sorted(left.keys() | right.keys()):
            at = f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}"
            yield from leaves(left.get(name, ABSENT), right.get(name, ABSENT), at)
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for number, (one, other) in enumerate(zip(left, right, strict=True)):
            yield from leaves(one, other, f"{pointer}/{number}")
    elif left is ABSENT or right is ABSENT or spelled(left) != spelled(right):
        yield pointer, left, right


class Absent:
    """What a side has where it has no such member. It is no JSON value, null included."""


ABSENT = Absent()


def _parse(text: str) -> object:
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotJsonError("a member stands twice")
    return found
