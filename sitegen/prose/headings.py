"""The one rule by which a heading gets the id that links name."""

import re
import unicodedata
from collections.abc import Iterable

NAMELESS = "section"
"""The id of a heading without a letter or digit in it."""
_BREAKS = re.compile(r"[\s\-]+")


def heading_ids(texts: Iterable[str]) -> tuple[str, ...]:
    """One id a heading: stable, unique on the page, and never empty.

    Letters, digits and Han characters stay, in lower case and Unicode's composed form; spaces
    become hyphens; all else goes. A repeated id gets `-2`, `-3` and so on.
    """
    ids: list[str] = []
    for text in texts:
        base = _id_of(text)
        candidate, number = base, 1
        while candidate in ids:
            number += 1
            candidate = f"{base}-{number}"
        ids.append(candidate)
    return tuple(ids)


def _id_of(text: str) -> str:
    composed = unicodedata.normalize("NFC", text).lower()
    kept = "".join(ch for ch in composed if unicodedata.category(ch)[0] in "LNM" or ch in "_-" or ch.isspace())
    return _BREAKS.sub("-", kept).strip("-") or NAMELESS
