"""Writes any record as TOML, whatever its texts hold."""

import json
from collections.abc import Mapping
from typing import Any

from tests.studies import quoted


def toml(data: Mapping[str, Any]) -> str:
    """A mapping as TOML, one key a line, whatever is below it inline."""
    return "".join(f"{name} = {_inline(value)}\n" for name, value in data.items() if value is not None)


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{quoted(name)} = {_inline(item)}" for name, item in value.items() if item is not None)
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)
