"""Patterns that name entries and places: `*` for anything within a segment, `**` for anything at all.

A pattern of a sealed plan is somebody else's, and so may be a name. All ways in which a pattern can go on are followed
at once, so that no pair of them takes longer than the length of one times the length of the other.
"""

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class _Compiled:
    """Which tokens of a pattern are what, one bit a token."""

    literals: dict[str, int]
    within: int
    """Stars that stay in a segment."""
    across: int
    """Stars that do not."""
    end: int
    """Behind the last token."""


@lru_cache(4096)
def matches(pattern: str, name: str) -> bool:
    """Whether a pattern names the whole of `name`."""
    compiled = _compiled(pattern)
    stars = compiled.within | compiled.across
    reached = 1 | (stars & 1) << 1  # a star may stand for nothing
    for character in name:
        stays = compiled.across if character == "/" else stars
        reached = (reached & compiled.literals.get(character, 0)) << 1 | reached & stays
        reached |= (reached & stars) << 1
        if not reached:
            return False
    return bool(reached & compiled.end)


@lru_cache(1024)
def _compiled(pattern: str) -> _Compiled:
    # Stars that stand side by side are one, so that a single step goes behind them.
    tokens = re.findall(r"\*+|[^*]", re.sub(r"\*{3,}", "**", pattern), re.DOTALL)
    literals: dict[str, int] = {}
    within = across = 0
    for place, piece in enumerate(tokens):
        if piece == "*":
            within |= 1 << place
        elif piece == "**":
            across |= 1 << place
        else:
            literals[piece] = literals.get(piece, 0) | 1 << place
    return _Compiled(literals, within, across, 1 << len(tokens))
