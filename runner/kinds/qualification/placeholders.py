"""Puts values into the braces of a step's texts. Pure; a value is never expanded again."""

from collections.abc import Mapping

from runner.contract.qualification.sequence import PLACEHOLDER


def expand(template: str, values: Mapping[str, str]) -> str:
    """`template` with every `{name}` replaced. Raises KeyError for a name without a value."""
    return PLACEHOLDER.sub(lambda found: values[found[1]], template)
