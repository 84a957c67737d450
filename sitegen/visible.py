"""Recorded text with its control and formatting characters as symbols: shown, never obeyed."""

import re

_INVISIBLE = (
    (0x7F, 0x9F),
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0D),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""What changes text without showing, or is no character, from first to last: controls, bidirectional marks, tags,
fillers, zero widths. Unicode's Default_Ignorable_Code_Point, without the variation selectors that emoji are written
with."""
_SHOWN = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"},
    **{code: f"⟦U+{code:04X}⟧" for first, last in _INVISIBLE for code in range(first, last + 1)},
    0x7F: "\u2421",
}
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _INVISIBLE) + "]")
"""Most text has none of them, and to look is ten times faster than to replace: in ranges, for `re` compares the
characters beyond the first plane one by one."""
_SHOWN_IN_A_LINE = {**_SHOWN, ord("\t"): "\u2409", ord("\n"): "\u240a"}


def shown(text: str) -> str:
    """`text` as any number of lines; line feeds and tabs stay what they are."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_SHOWN) if _HIDDEN.search(text) else text


def in_a_line(text: str) -> str:
    """`text` as one line, with its line feeds and tabs as symbols too."""
    return text if text.isascii() and text.isprintable() else text.translate(_SHOWN_IN_A_LINE)
