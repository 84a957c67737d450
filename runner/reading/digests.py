"""The digests of a run's files, many of them, in little memory."""

from array import array
from collections.abc import Iterator, Mapping

from runner.contract.values import FileDigest

_LENGTH = 32


class Digests(Mapping[str, FileDigest]):
    """Files by path, in the order in which they were added. Each digest is made into a record when it is asked for."""

    __slots__ = ("_bytes", "_place", "_sha256")

    def __init__(self) -> None:
        self._place: dict[str, int] = {}
        self._bytes = array("Q")
        self._sha256 = bytearray()

    def add(self, file: FileDigest) -> None:
        """Add a file of another path than those before."""
        self._place[file.path] = len(self._bytes)
        self._bytes.append(file.bytes)
        self._sha256 += bytes.fromhex(file.sha256)

    def __getitem__(self, path: str) -> FileDigest:
        at = self._place[path]
        whole = self._sha256[_LENGTH * at : _LENGTH * (at + 1)].hex()
        return FileDigest.model_construct(path=path, bytes=self._bytes[at], sha256=whole)

    def __iter__(self) -> Iterator[str]:
        return iter(self._place)

    def __len__(self) -> int:
        return len(self._place)
