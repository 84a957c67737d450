"""The tools that a model is offered in a lane, and what its calls of them mean. Pure.

A lane's operations are offered as the contract defines them: the form of a tool is the JSON Schema of its operation, so
that what a model may do and what a transcript may hold are one list.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from runner.backends.questions import Tool
from runner.contract.comparison.actions import (
    AddParameter,
    Operation,
    RemoveParameter,
    RenameSymbol,
    ReplaceText,
    SymbolOperation,
    TextOperation,
    WriteText,
)
from runner.contract.comparison.design import Interface

_OPERATIONS: Mapping[Interface, Sequence[type[Operation]]] = {
    Interface.symbol_operations: (RenameSymbol, AddParameter, RemoveParameter),
    Interface.text_edits: (ReplaceText, WriteText),
}
_ADAPTERS: Mapping[Interface, TypeAdapter[Any]] = {
    Interface.symbol_operations: TypeAdapter(Annotated[SymbolOperation, Field(discriminator="op")]),
    Interface.text_edits: TypeAdapter(Annotated[TextOperation, Field(discriminator="op")]),
}
_OWN_FIELDS = frozenset(("op", "expects"))
"""What the runner fills in: the name is the tool's, and the digest is that of the file as the model last read it."""
_PATH = {"path": {"type": "string", "description": "A file, from the workspace."}}
_READING: tuple[Tool, ...] = (
    {
        "name": "list_files",
        "description": "List the files of the workspace.",
        "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
    },
    {
        "name": "read_file",
        "description": "Read one file of the workspace.",
        "parameters": {"type": "object", "properties": _PATH, "required": ["path"], "additionalProperties": False},
    },
    {
        "name": "report_stale",
        "description": "Say that what you knew of a file is out of date, before you do something about it.",
        "parameters": {"type": "object", "properties": _PATH, "required": ["path"], "additionalProperties": False},
    },
)


@dataclass(frozen=True, slots=True)
class ListFiles:
    """The model wants to know which files there are."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The model wants to read a file."""

    path: str


@dataclass(frozen=True, slots=True)
class ReportStale:
    """The model says that what it knew is out of date."""


@dataclass(frozen=True, slots=True)
class Operate:
    """The model wants something done."""

    operation: Operation


@dataclass(frozen=True, slots=True)
class WrongCall:
    """A call that means nothing here; the model is told why."""

    why: str


Meaning = ListFiles | ReadFile | ReportStale | Operate | WrongCall


def offered(interface: Interface) -> tuple[Tool, ...]:
    """Every tool of a lane, in a fixed order."""
    return (*_READING, *(_tool(model) for model in _OPERATIONS[interface]))


def meaning(name: str, arguments: str, interface: Interface, seen: Mapping[str, str]) -> Meaning:
    """What a call asks for. `seen` are the digests of files as the model last read them, by path."""
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        return WrongCall(f"the arguments are not JSON: {error}")
    if not isinstance(given, dict):
        return WrongCall("the arguments are no object")
    if name == "list_files":
        return ListFiles()
    if name in ("read_file", "report_stale"):
        path = given.get("path")
        if not isinstance(path, str):
            return WrongCall("path: a text is needed")
        return ReadFile(path) if name == "read_file" else ReportStale()
    return _operation(name, given, interface, seen)


def _operation(name: str, given: dict[str, Any], interface: Interface, seen: Mapping[str, str]) -> Meaning:
    names = [model.model_fields["op"].default for model in _OPERATIONS[interface]]
    if name not in names:
        return WrongCall(
            f"there is no tool {name!r}; there are: {', '.join(item['name'] for item in offered(interface))}"
        )
    path = given.get("path")
    filled = {**given, "op": name, "expects": seen.get(path) if isinstance(path, str) else None}
    try:
        return Operate(_ADAPTERS[interface].validate_python(filled))
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        return WrongCall("; ".join(f"{'.'.join(map(str, item['loc'][1:]))}: {item['msg'].lower()}" for item in found))


def _tool(model: type[Operation]) -> Tool:
    schema = model.model_json_schema()
    properties = {name: _plain(form) for name, form in schema["properties"].items() if name not in _OWN_FIELDS}
    return {
        "name": model.model_fields["op"].default,
        "description": schema["description"],
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": [name for name in schema["required"] if name not in _OWN_FIELDS],
            "additionalProperties": False,
        },
    }


def _plain(form: dict[str, Any]) -> dict[str, Any]:
    """A field's form without the titles and defaults that mean nothing to a model."""
    return {name: item for name, item in form.items() if name not in ("title", "default")}
