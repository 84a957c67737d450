"""Reproducible draws: numbers that look like chance, follow from a seed alone, and can be drawn again in any language.

Block c, from 0, is the SHA-256 of the UTF-8 text `SEED:PURPOSE:c`, c in decimal digits. Each block gives eight words:
its 32 bytes as unsigned 32-bit integers, big-endian, in order. A purpose keeps draws apart that share a seed.
"""

import struct
from collections.abc import Iterator
from hashlib import sha256

WORDS = 2**32
"""How many values a word can have."""
_BLOCK = struct.Struct(">8I")


def words(seed: str, purpose: str) -> Iterator[int]:
    """The endless words of a seed for one purpose."""
    block = 0
    while True:
        yield from _BLOCK.unpack(sha256(f"{seed}:{purpose}:{block}".encode()).digest())
        block += 1


def below(bound: int, source: Iterator[int]) -> Iterator[int]:
    """Numbers from 0 to `bound` - 1, each as likely as any other: words modulo `bound`.

    A word from the last, incomplete multiple of `bound` on is skipped, since it would favour small numbers. Raises
    ValueError for a bound that no word can serve.
    """
    if not 1 <= bound <= WORDS:
        raise ValueError(f"no draws below {bound}")
    enough = WORDS - WORDS % bound
    return (word % bound for word in source if word < enough)
