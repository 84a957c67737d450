"""One attempt file: all that is kept of an attempt until its run is sealed."""

from dataclasses import dataclass
from typing import Self

from runner.contract.attempt import Attempt
from runner.contract.canonical import Json, encode, load, parse
from runner.contract.errors import ContractError
from runner.contract.evidence import Commitment, Timing
from runner.contract.values import FileDigest
from runner.errors import CorruptLedgerError


@dataclass(frozen=True, slots=True)
class Kept:
    """An attempt with its times, its commitments and the digests of its published files."""

    attempt: Attempt
    timing: Timing
    commitments: tuple[Commitment, ...]
    files: tuple[FileDigest, ...]
    """Its events and artifacts, by path in the run's folder."""
    replaced: int

    def encode(self) -> bytes:
        """The bytes of the attempt file."""
        return encode(
            {
                "attempt": self.attempt.model_dump(mode="json"),
                "timing": self.timing.model_dump(mode="json"),
                "commitments": [item.model_dump(mode="json") for item in self.commitments],
                "files": [item.model_dump(mode="json") for item in self.files],
                "replaced": self.replaced,
            }
        )

    @classmethod
    def parse(cls, data: bytes, *, file: str) -> Self:
        """Read an attempt file back. Raises `CorruptLedgerError` if it is none."""
        try:
            value = parse(data, file=file)
            fields: dict[str, Json] = value if isinstance(value, dict) else {}
            replaced = fields.get("replaced")
            return cls(
                attempt=load(Attempt, fields.get("attempt"), file=file, where="attempt"),
                timing=load(Timing, fields.get("timing"), file=file, where="timing"),
                commitments=tuple(load(Commitment, item, file=file) for item in _list(fields, "commitments")),
                files=tuple(load(FileDigest, item, file=file) for item in _list(fields, "files")),
                replaced=replaced if isinstance(replaced, int) else 0,
            )
        except ContractError as error:
            todo = "it was made by another version; finish with that, or start a new run with --new"
            raise CorruptLedgerError(f"cannot be read: {error}", todo, where=file) from error


def _list(fields: dict[str, Json], name: str) -> list[Json]:
    found = fields.get(name)
    return found if isinstance(found, list) else []
