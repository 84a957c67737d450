"""How much room text takes where nobody can measure it: estimated, and cut with an ellipsis."""

from collections.abc import Sequence
from unicodedata import category, east_asian_width

ROOM = 270
"""Pixels that a drawing has on the narrowest screen, 360 pixels wide."""
_EM = 12.5
_HIDDEN = 8
"""Signs of `⟦U+202E⟧`, as which a formatting character is shown."""


def width(text: str) -> float:
    """The estimated width of `text` in pixels at the size that charts use."""
    return sum(_sign(sign) for sign in text)


def cut(text: str, room: float = ROOM) -> str:
    """`text`, or as much of it as fits `room` pixels, with an ellipsis."""
    if width(text) <= room:
        return text
    kept, left = [], room - width("…")
    for sign in text:
        left -= _sign(sign)
        if left < 0:
            break
        kept.append(sign)
    return "".join(kept).rstrip() + "…"


def packed(words: Sequence[str], gap: float, room: float = ROOM) -> tuple[tuple[int, ...], ...]:
    """Which of `words` stand on each line, by index, where `gap` pixels lie between two."""
    lines: list[list[int]] = []
    left = 0.0
    for index, word in enumerate(words):
        needed = width(word) + gap
        if not lines or needed > left + gap:
            lines.append([])
            left = room
        lines[-1].append(index)
        left -= needed
    return tuple(tuple(line) for line in lines)


def beside(label: str, words: str, gap: float = 14) -> bool:
    """Whether a label and the words at the other end of its line both fit."""
    return width(label) + gap + width(words) <= ROOM


def _sign(sign: str) -> float:
    if category(sign) in ("Cf", "Cc", "Zl", "Zp"):
        return _HIDDEN * 0.62 * _EM
    return (1.0 if east_asian_width(sign) in "WF" else 0.62) * _EM
