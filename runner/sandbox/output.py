"""One output stream: bounded memory, every byte counted and hashed, and readable as text."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Captured:
    """What one stream came to."""

    kept: bytes
    """The first bytes, up to the cap, and never half of a UTF-8 character at the cap."""
    total_bytes: int
    sha256: str
    """Over every byte, kept or not."""

    @property
    def complete(self) -> bool:
        """Whether every byte was kept."""
        return len(self.kept) == self.total_bytes

    @property
    def text(self) -> str:
        """The kept bytes as text."""
        return readable(self.kept)


EMPTY = Captured(kept=b"", total_bytes=0, sha256=hashlib.sha256().hexdigest())


class Meter:
    """Takes a stream's bytes in pieces. Holds no more than `cap` of them, however many come."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._kept = bytearray()
        self._total = 0
        self._hash = hashlib.sha256()

    def take(self, piece: bytes) -> None:
        """Count and hash `piece`, and keep what still fits."""
        self._total += len(piece)
        self._hash.update(piece)
        if len(self._kept) < self._cap:
            self._kept += piece[: self._cap - len(self._kept)]

    def peek(self) -> bytes:
        """What is kept so far."""
        return bytes(self._kept)

    def captured(self) -> Captured:
        """The stream as it stands."""
        kept = bytes(self._kept)
        if self._total > len(kept):
            kept = kept[: len(kept) - _cut_character(kept)]
        return Captured(kept=kept, total_bytes=self._total, sha256=self._hash.hexdigest())


def readable(data: bytes) -> str:
    """Bytes as text: UTF-8, and a backslash, `x` and two digits for each byte that is not."""
    return data.decode("utf-8", "backslashreplace")


def _cut_character(data: bytes) -> int:
    """How many bytes at the end begin a UTF-8 character that the end cuts off."""
    for back in range(1, min(4, len(data) + 1)):
        byte = data[-back]
        if byte & 0b1100_0000 == 0b1000_0000:
            continue
        length = 2 if byte >> 5 == 0b110 else 3 if byte >> 4 == 0b1110 else 4 if byte >> 3 == 0b11110 else 1
        return back if length > back else 0
    return 0
