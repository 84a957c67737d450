"""Puts a hostile text into every field of a record that takes one, found by walking its type and its value.

A field is named `Type.field`; it holds text as its value, in a collection, or as the names of its members. What its own
type refuses is told as refused, so that a field can be in neither list only where the sample record lacks it; a test
fails there. So a new field, or a new kind of record, is covered by itself.
"""

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError

from runner.contract.values import Text

Path = tuple[str | int, ...]
Make = Callable[[str], str]
"""Label to hostile text."""
Form = Callable[[str], str]
FORMS: tuple[Form, ...] = (
    lambda text: text,
    lambda text: "/" + text.replace("/", "∕"),
    lambda text: re.sub(r"\s+", "/", text),
)
"""A text as it is, as one step of a JSON pointer, and without blanks, which a tag does not need."""
SHORT = "<img src=x onerror=hit(1)>\"'‹label›"
"""For fields that take few characters."""


@dataclass
class Poisoned:
    """What became of the free texts of some records."""

    values: dict[str, str] = field(default_factory=dict)
    """Each hostile text by its label, which is the name of its field and a number."""
    taken: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    """Refused though their own type takes such a text: something else in the record decides what they hold."""
    known: dict[str, Any] = field(default_factory=dict)
    """Every field of the types that were walked with its own type, whether the sample has it or not."""


class Key(str):
    """The name of a member, at the end of the path to it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """One text of a record."""

    name: str
    """Of its field."""
    field: Path
    path: Path


def text_fields(kind: object) -> dict[str, Any]:
    """`Type.field` of every field below `kind` that holds text of its author's choice, with its own type."""
    return {f"{owner}.{name}": annotation for owner, name, annotation in _fields(kind, set()) if _free(annotation)}


def poison(kind: Any, data: Any, make: Make, into: Poisoned, *, keep: frozenset[str] = frozenset()) -> Any:
    """`data`, which fits `kind`, with a hostile text in every field that takes one.

    Fields in `keep` stay as they are, because what is around them has to name the same; they count as refused.
    """
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    into.known |= text_fields(kind)
    value = adapter.validate_json(json.dumps(data))
    data = adapter.dump_python(value, mode="json")  # with every field that has a default
    for leaf in list(_leaves(value, ())):
        if leaf.name not in into.known:
            continue
        label = f"{leaf.name}~{len(into.values)}"
        texts = () if leaf.name in keep else (make(label), SHORT.replace("label", label))
        hostile = [form(text) for text in texts for form in FORMS]
        taken = next((text for text in hostile if _fits(adapter, _with(data, leaf.path, text))), None)
        if taken is not None:
            data = _with(data, leaf.path, taken)
            into.values[label] = taken
            into.taken.add(leaf.name)
            continue
        into.refused.add(leaf.name)
        own: TypeAdapter[Any] = TypeAdapter(into.known[leaf.name])
        if any(_fits(own, _get(_with(data, leaf.path, text), leaf.field)) for text in hostile):
            into.bound.add(leaf.name)
    return data


def _fields(kind: object, seen: set[object]) -> Iterator[tuple[str, str, object]]:
    """Every field of every record type that `kind` leads to, once."""
    for part in _parts(kind):
        if not isinstance(part, type) or part in seen or part is Text:
            continue
        seen.add(part)
        if issubclass(part, BaseModel) or dataclasses.is_dataclass(part):
            for name, annotation in get_type_hints(part, include_extras=True).items():
                if name.startswith(("_", "model_")):
                    continue
                yield part.__name__, name, annotation
                yield from _fields(annotation, seen)


def _parts(kind: object) -> Iterator[object]:
    """A type and all that it is made of, literals left out."""
    if get_origin(kind) is Literal:
        return
    yield kind
    arguments = get_args(kind)
    if get_origin(kind) is Annotated:
        arguments = arguments[:1]
    for argument in arguments:
        yield from _parts(argument)


def _free(annotation: object) -> bool:
    """Whether a field holds text itself, alone, in a collection or in two languages."""
    return any(part in (str, Text) for part in _parts(annotation))


def _leaves(value: object, path: Path) -> Iterator[Leaf]:
    """Where each text of a validated value stands, and the field that holds it."""
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _below(getattr(value, name), (*path, name), f"{type(value).__name__}.{name}", (*path, name))
    elif dataclasses.is_dataclass(value):
        for name in (item.name for item in dataclasses.fields(value)):
            yield from _below(getattr(value, name), (*path, name), f"{type(value).__name__}.{name}", (*path, name))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index))


def _below(value: object, path: Path, name: str, of: Path) -> Iterator[Leaf]:
    if isinstance(value, str) and not isinstance(value, Enum):
        yield Leaf(name, of, path)
    elif isinstance(value, Text):
        yield from (Leaf(name, of, (*path, language)) for language in Text.model_fields)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _below(item, (*path, index), name, of)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _below(item, (*path, key), name, of)
            if isinstance(key, str) and not isinstance(key, Enum):
                # Last, as the path to what is below it has the name that it has now.
                yield Leaf(name, of, (*path, Key(key)))
    else:
        yield from _leaves(value, path)


def _fits(adapter: TypeAdapter[Any], data: Any) -> bool:
    try:
        adapter.validate_json(json.dumps(data))
    except ValidationError:
        return False
    return True


def _get(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def _with(data: Any, path: Path, text: str) -> Any:
    """A copy with another text at the end of a path."""
    step, rest = path[0], path[1:]
    if isinstance(step, Key):
        return {text if name == step else name: value for name, value in data.items()}
    changed: Any = list(data) if isinstance(data, list) else dict(data)
    changed[step] = _with(data[step], rest, text) if rest else text
    return changed
