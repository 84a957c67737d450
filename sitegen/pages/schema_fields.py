"""A JSON Schema of the evidence, read as a field reference: what each record holds, in words of one language.

The schemas are those that Pydantic writes (draft 2020-12): an object for each record, `$defs` for the
records and word lists inside it, `oneOf` with a discriminator for what can be one of several records.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from runner.contract.canonical import MAX_INTEGER
from sitegen.catalog import Catalog
from sitegen.pages.page import Link
from sitegen.pages.wording import Phrase, weave

Node: TypeAlias = Mapping[str, Any]
"""A schema or a part of one."""

REFERENCE = "#/$defs/"
SHAPE = frozenset(
    {
        *("$defs", "$id", "$schema", "title", "description", "properties", "required", "additionalProperties"),
        *("type", "$ref", "oneOf", "anyOf", "items", "patternProperties", "propertyNames"),
    }
)
"""Keywords that the shape of the page and the types tell."""
WORDED = frozenset(
    {
        *("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"),
        *("const", "enum", "pattern", "default", "discriminator"),
    }
)
"""Keywords that are said in words."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """One thing that a value must keep to: words, and what stands in code after them."""

    words: str
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field of a record."""

    name: str
    anchor: str
    type: Phrase
    required: bool
    constraints: tuple[Constraint, ...]
    meaning: str
    """From the model's source, in English; empty where the name says it all."""


@dataclass(frozen=True, slots=True)
class RecordView:
    """One record, or one list of words, of a schema."""

    name: str
    anchor: str
    meaning: str
    places: tuple[str, ...]
    """Where it stands in the file, as JSON pointers in which `*` is any index or key."""
    fields: tuple[FieldRow, ...]
    type: Phrase
    """What it is, if it is no record with fields."""
    constraints: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads one schema in the words of one language."""

    schema: Node
    page: str
    """The place of the page that shows it, from the site's root: what links between records lead to."""
    catalog: Catalog
    definitions: Node = field(init=False)

    def __post_init__(self) -> None:
        """Keep what the schema defines beside its root."""
        object.__setattr__(self, "definitions", self.schema.get("$defs", {}))

    def records(self, root: str) -> tuple[RecordView, ...]:
        """The root, which is called `root`, then every definition by name."""
        places: dict[str, list[str]] = {}
        _walk(self.schema, self.definitions, "", (), places)
        found = [self._record(root, self.schema, ())]
        found += [self._record(name, node, tuple(places.get(name, ()))) for name, node in self.definitions.items()]
        return tuple(found)

    def _record(self, name: str, node: Node, places: tuple[str, ...]) -> RecordView:
        properties = node.get("properties")
        required = frozenset(node.get("required", ()))
        rows = tuple(self._field(name, key, item, required=key in required) for key, item in (properties or {}).items())
        whole = properties is not None or node.get("type") == "object"
        return RecordView(
            name=name,
            anchor=anchor(name),
            meaning=node.get("description", ""),
            places=places,
            fields=rows,
            type=() if whole else self._type(node),
            constraints=() if whole else tuple(self._constraints(node)),
        )

    def _field(self, record: str, name: str, node: Node, *, required: bool) -> FieldRow:
        return FieldRow(
            name=name,
            anchor=anchor(record, name),
            type=self._type(node),
            required=required,
            constraints=tuple(self._constraints(node)),
            meaning=node.get("description", ""),
        )

    def _type(self, node: Node) -> Phrase:
        say = self.catalog.say
        if reference := node.get("$ref"):
            name = reference.removeprefix(REFERENCE)
            return (Link(name, f"{self.page}#{anchor(name)}"),)
        if choices := node.get("oneOf") or node.get("anyOf"):
            return self._choice([self._type(choice) for choice in choices])
        if node.get("type") == "array":
            return self._woven("schemas.type.array", item=self._type(node["items"]))
        for value in _values(node):
            return self._woven("schemas.type.map", item=self._type(value))
        return (say(f"schemas.type.{node['type']}"),)

    def _choice(self, choices: list[Phrase]) -> Phrase:
        found, *others = choices
        for other in others:
            found = self._woven("schemas.type.or", one=found, other=other)
        return found

    def _woven(self, key: str, **phrases: Phrase) -> Phrase:
        """The message `key` with whole phrases where its placeholders stand."""
        pieces = weave(self.catalog, key, phrases)
        return tuple(part for piece in pieces for part in ((piece,) if isinstance(piece, str) else piece))

    def _constraints(self, node: Node) -> Iterator[Constraint]:
        say = self.catalog.say
        yield from self._bounds(node)
        if "const" in node:
            yield Constraint(say("schemas.must.const"), (_code(node["const"]),))
        if "enum" in node:
            yield Constraint(say("schemas.must.enum"), tuple(_code(value) for value in node["enum"]))
        if "pattern" in node:
            yield Constraint(say("schemas.must.pattern"), (node["pattern"],))
        if "discriminator" in node:
            yield Constraint(say("schemas.must.discriminator"), (node["discriminator"]["propertyName"],))
        yield from self._parts(node)
        if "default" in node and "const" not in node:
            yield Constraint(say("schemas.must.default"), (_code(node["default"]),))
        for keyword in sorted(node.keys() - SHAPE - WORDED):  # said as it stands rather than not at all
            yield Constraint(keyword, (_code(node[keyword]),))

    def _parts(self, node: Node) -> Iterator[Constraint]:
        """What the items of a list, the keys and values of a map, and each of several choices must keep to."""
        if "items" in node:
            yield from self._inside("schemas.must.item", node["items"])
        for pattern in node.get("patternProperties", {}):
            yield Constraint(self.catalog.say("schemas.must.key"), (pattern,))
        for value in _values(node):
            yield from self._inside("schemas.must.value", value)
        if "propertyNames" in node:
            yield from self._inside("schemas.must.each-key", node["propertyNames"])
        for choice in (*node.get("oneOf", ()), *node.get("anyOf", ())):
            yield from self._constraints(choice)

    def _inside(self, key: str, node: Node) -> Iterator[Constraint]:
        for item in self._constraints(node):
            yield Constraint(self.catalog.say(key, must=item.words), item.codes)

    def _bounds(self, node: Node) -> Iterator[Constraint]:
        """Ranges of numbers, and how long texts and lists may be."""
        named = (
            ("range", "minimum", "maximum"),
            ("length", "minLength", "maxLength"),
            ("items", "minItems", "maxItems"),
        )
        for name, lowest, highest in named:
            low, high = node.get(lowest), node.get(highest)
            high = None if high == MAX_INTEGER else high  # the largest number that any JSON reader keeps exactly
            low = None if low == -MAX_INTEGER else low
            if low is not None and high is not None:
                yield Constraint(self.catalog.say(f"schemas.must.{name}", low=low, high=high))
            elif low is not None:
                yield Constraint(self.catalog.say(f"schemas.must.{name}-low", low=low))
            elif high is not None:
                yield Constraint(self.catalog.say(f"schemas.must.{name}-high", high=high))


def anchor(record: str, name: str = "") -> str:
    """The id of a record, or of one of its fields."""
    return f"schema.{record}.{name}" if name else f"schema.{record}"


def _walk(node: Node, definitions: Node, at: str, inside: tuple[str, ...], places: dict[str, list[str]]) -> None:
    """Note every place below `at` where a definition stands; what contains itself is followed once."""
    if reference := node.get("$ref"):
        name = reference.removeprefix(REFERENCE)
        found = places.setdefault(name, [])
        if at not in found:
            found.append(at)
        if name not in inside:
            _walk(definitions[name], definitions, at, (*inside, name), places)
    for name, item in node.get("properties", {}).items():
        _walk(item, definitions, f"{at}/{name}", inside, places)
    if isinstance(node.get("items"), dict):
        _walk(node["items"], definitions, f"{at}/*", inside, places)
    for item in _values(node):
        _walk(item, definitions, f"{at}/*", inside, places)
    for item in (*node.get("oneOf", ()), *node.get("anyOf", ())):
        _walk(item, definitions, at, inside, places)


def _values(node: Node) -> tuple[Node, ...]:
    """What each value of a map is, whose keys are any or fit a pattern; empty for what is no map."""
    further = node.get("additionalProperties")
    return (*node.get("patternProperties", {}).values(), *((further,) if isinstance(further, dict) else ()))


def _code(value: object) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
