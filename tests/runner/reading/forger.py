"""Changes a sealed run and seals it again, so that its bytes are consistent and its numbers are not."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from runner.contract.canonical import encode, parse_record
from runner.contract.comparison.ledger import Ledger
from runner.contract.comparison.observation import LEDGER_FILE, OBSERVATION_FILE, observe
from runner.contract.errors import InvalidRecordError
from runner.contract.seal import SEAL_FILE, digest, format_seal
from runner.reading.sealed import SealedRun, open_run


class Forger:
    """Changes a sealed run and seals it again, as somebody would who holds the files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)

    @classmethod
    def of(cls, sealed: SealedRun, folder: Path) -> "Forger":
        """A forger of a copy of the run, in `folder`."""
        shutil.copytree(sealed.folder, folder)
        return cls(folder)

    def document(self, name: str, change: Callable[[dict], object]) -> None:
        value = json.loads((self.folder / name).read_bytes())
        change(value)
        (self.folder / name).write_bytes(encode(value))

    def lines(self, name: str, change: Callable[[list], object]) -> None:
        values = [json.loads(line) for line in (self.folder / name).read_bytes().splitlines()]
        change(values)
        (self.folder / name).write_bytes(b"".join(encode(value) + b"\n" for value in values))

    def line(self, name: str, attempt: str, change: Callable[[dict], object]) -> None:
        self.lines(name, lambda values: [change(v) for v in values if v["attempt"] == attempt])

    def ledger(self, attempt: str, change: Callable[[dict], object]) -> None:
        """Change the ledger of an attempt at a comparison, and derive its observation again."""
        folder = self.folder / "artifacts" / attempt
        self.document(f"artifacts/{attempt}/{LEDGER_FILE}", change)
        ledger = parse_record(TypeAdapter(Ledger), (folder / LEDGER_FILE).read_bytes(), file=LEDGER_FILE)
        (folder / OBSERVATION_FILE).write_bytes(observe(ledger).canonical())

    def evidence(self, attempt: str, name: str, data: bytes) -> None:
        """Put other bytes in the place of an artifact of an attempt at a comparison, in its ledger as well."""
        (self.folder / "artifacts" / attempt / name).write_bytes(data)

        def other(ledger: dict) -> None:
            (artifact,) = (item for item in ledger["artifacts"] if item["path"] == name)
            artifact |= {"bytes": len(data), "sha256": digest(data)}

        self.ledger(attempt, other)

    def seal(self) -> None:
        """Seal the files as they are now."""
        sums = {
            str(path.relative_to(self.folder)): digest(path.read_bytes())
            for path in self.folder.rglob("*")
            if path.is_file() and path.name != SEAL_FILE
        }
        (self.folder / SEAL_FILE).write_bytes(format_seal(sums))

    def problems(self) -> list[str]:
        """What the verifier says once the forger has sealed the run again."""
        self.seal()
        with pytest.raises(InvalidRecordError) as refused:
            open_run(self.folder, name="run")
        return [str(problem) for problem in refused.value.problems]


def said(problems: list[str], *words: str) -> bool:
    return any(all(word in problem for word in words) for problem in problems)
