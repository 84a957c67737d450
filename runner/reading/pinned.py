"""The pinned files of one study as they were read, and the problems noted on the way."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from runner.contract.errors import ContractError, Problem
from runner.contract.study import Study
from runner.reading.toml import read_toml

STUDY_FILE = "study.toml"

Model = TypeVar("Model")


@dataclass(frozen=True, slots=True)
class PinnedFiles:
    """What a manifest pins, by path, where it could be read and is not too long."""

    study: Study
    contents: Mapping[str, bytes]
    shown: str
    """How messages call the study's folder."""
    problems: list[Problem]

    def note(self, path: str, where: str, what: str, todo: str) -> None:
        """Note a problem of one file of the study."""
        self.problems.append(Problem(f"{self.shown}/{path}", where, what, todo))

    def data(self, path: str, where: str) -> bytes | None:
        """The bytes of a pinned file; None with the problem noted if it is not pinned. `where` asks for it."""
        if path in self.contents:
            return self.contents[path]
        if not any(problem.file == f"{self.shown}/{path}" for problem in self.problems):
            self.note(STUDY_FILE, where, f"{path} is not pinned", f"add it to `pinned` in {STUDY_FILE}")
        return None

    def record(self, model: type[Model], path: str, where: str) -> Model | None:
        """The record in a pinned file; on a problem None, with the problem noted."""
        data = self.data(path, where)
        if data is None:
            return None
        try:
            return read_toml(model, data, file=f"{self.shown}/{path}")
        except ContractError as error:
            self.problems.extend(error.problems)
            return None
