"""Recorded text with its control and formatting characters as symbols: shown, never obeyed."""

import re

_INVISIBLE = (
    *range(0x7F, 0xA0),
    0xAD,
    0x61C,
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
    0xFFFE,
    0xFFFF,
    *range(0xE0000, 0xE0080),
)
"""What changes text without showing, or is no character: controls, bidirectional marks, tags, zero widths."""
_SHOWN = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"},
    **{code: f"⟦U+{code:04X}⟧" for code in _INVISIBLE},
    0x7F: "\u2421",
}
_HIDDEN = re.compile("[" + "".join(re.escape(chr(code)) for code in _SHOWN) + "]")
"""Most text has none of them, and to look is ten times faster than to replace."""
_SHOWN_IN_A_LINE = {**_SHOWN, ord("\t"): "\u2409", ord("\n"): "\u240a"}


def shown(text: str) -> str:
    """`text` as any number of lines; line feeds and tabs stay what they are."""
    return text.translate(_SHOWN) if _HIDDEN.search(text) else text


def in_a_line(text: str) -> str:
    """`text` as one line, with its line feeds and tabs as symbols too."""
    return text if text.isascii() and text.isprintable() else text.translate(_SHOWN_IN_A_LINE)
