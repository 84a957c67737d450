"""Puts a hostile text into every field of a record that takes one, found by walking its type and its value.

A field is named `Type.field`. What its pattern refuses is told as refused, so that a field can be in neither list only
where the sample record lacks it; a test fails there. So a new field, or a new kind of record, is covered by itself.
"""

import dataclasses
import json
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
)
"""A text as it is, and as one step of a JSON pointer."""
SHORT = "<img src=x onerror=hit(1)>\"'‹label›"
"""For fields that take few characters."""


@dataclass
class Poisoned:
    """What became of the free texts of some records."""

    values: dict[str, str] = field(default_factory=dict)
    """Each hostile text by its label, which is the name of its field and a number."""
    taken: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    """Every field of the types that were walked, whether the sample has it or not."""

    def __or__(self, other: "Poisoned") -> "Poisoned":
        return Poisoned(
            self.values | other.values, self.taken | other.taken, self.refused | other.refused, self.known | other.known
        )


def text_fields(kind: object, seen: set[object] | None = None) -> Iterator[str]:
    """`Type.field` of every field below `kind` that holds text of its author's choice."""
    seen = set() if seen is None else seen
    for owner, name, annotation in _fields(kind, seen):
        if _free(annotation):
            yield f"{owner}.{name}"


def poison(kind: Any, data: Any, make: Make, into: Poisoned, *, keep: frozenset[str] = frozenset()) -> Any:
    """`data`, which fits `kind`, with a hostile text in every field that takes one.

    Fields in `keep` stay as they are, because what is around them has to name the same; they count as refused.
    """
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    into.known |= set(text_fields(kind))
    value = adapter.validate_json(json.dumps(data))
    data = adapter.dump_python(value, mode="json")  # with every field that has a default
    for path, name in list(_leaves(value, ())):
        if name not in into.known:
            continue
        before = _get(data, path)
        label = f"{name}~{len(into.values)}"
        texts = () if name in keep else (make(label), SHORT.replace("label", label))
        for form, text in ((form, text) for text in texts for form in FORMS):
            hostile = form(text)
            _set(data, path, hostile)
            try:
                adapter.validate_json(json.dumps(data))
            except ValidationError:
                continue
            into.values[label] = hostile
            into.taken.add(name)
            break
        else:
            _set(data, path, before)
            into.refused.add(name)
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
    elif get_origin(kind) in (dict, Mapping):
        arguments = arguments[1:]
    for argument in arguments:
        yield from _parts(argument)


def _free(annotation: object) -> bool:
    """Whether a field holds text itself, alone, in a collection or in two languages."""
    return any(part in (str, Text) for part in _parts(annotation))


def _leaves(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Where each text of a validated value stands, and the field that holds it."""
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _below(getattr(value, name), (*path, name), f"{type(value).__name__}.{name}")
    elif dataclasses.is_dataclass(value):
        for item in dataclasses.fields(value):
            yield from _below(getattr(value, item.name), (*path, item.name), f"{type(value).__name__}.{item.name}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _leaves(item, (*path, index))


def _below(value: object, path: Path, name: str) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str) and not isinstance(value, Enum):
        yield path, name
    elif isinstance(value, Text):
        yield from (((*path, language), name) for language in Text.model_fields)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _below(item, (*path, index), name)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _below(item, (*path, key), name)
    else:
        yield from _leaves(value, path)


def _get(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def _set(data: Any, path: Path, value: object) -> None:
    _get(data, path[:-1])[path[-1]] = value
