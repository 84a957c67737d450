"""How a text of a sealed run compares with what it was before paths and names of the machine were replaced in it."""

import re

from runner.contract.events import Output
from runner.contract.seal import digest

_PLACEHOLDER = re.compile(r"\{[a-z0-9-]+\}")
_NOTHING = digest(b"")
_ESCAPED = re.compile(r"\\x[89a-f][0-9a-f]")


def has_placeholder(text: str) -> bool:
    """Whether something may have been replaced in a text."""
    return _PLACEHOLDER.search(text) is not None


def fits(published: object, known: object) -> bool:
    """Whether a published value is what is known of it, texts compared beside what was replaced in them."""
    if isinstance(published, str) and isinstance(known, str):
        if published == known or not has_placeholder(published):
            return published == known
        return _matches(_PLACEHOLDER.split(published), known)
    if isinstance(published, dict) and isinstance(known, dict):
        return published.keys() == known.keys() and all(fits(published[key], known[key]) for key in known)
    if isinstance(published, list) and isinstance(known, list):
        return len(published) == len(known) and all(map(fits, published, known))
    return type(published) is type(known) and published == known


def _matches(parts: list[str], known: str) -> bool:
    """Whether `known` is these parts with something between each two: found from the left, without ever going back."""
    first, *middle, last = parts
    if not known.startswith(first):
        return False
    at = len(first)
    for part in middle:
        if (at := known.find(part, at + 1)) < 0:
            return False
        at += len(part)
    return known.endswith(last) and len(known) - len(last) > at


def is_verbatim(output: Output) -> bool:
    """Whether the kept text is, byte for byte, what the process wrote first."""
    return not output.replaced and _ESCAPED.search(output.text) is None


def faults_of(output: Output) -> str:
    """What of an output contradicts itself; empty if nothing does."""
    if output.kept_bytes > output.total_bytes:
        return f"{output.kept_bytes} bytes were kept of {output.total_bytes}"
    if output.replaced and output.replaced > len(_PLACEHOLDER.findall(output.text)):
        return f"{output.replaced} replacements are stated, and so many placeholders are not there"
    if output.replaced or (not output.total_bytes and not output.text and output.sha256 == _NOTHING):
        return ""
    length = len(output.text.encode())
    least = length - 3 * len(_ESCAPED.findall(output.text))
    if not least <= output.kept_bytes <= length:
        return f"{output.kept_bytes} kept bytes are stated, and the kept text has {length}"
    if (
        is_verbatim(output)
        and output.kept_bytes == output.total_bytes
        and digest(output.text.encode()) != output.sha256
    ):
        return "the digest is not that of the text, which is whole"
    return ""
