"""One thing that is changed in a sealed parity run, and everything that a verifier says then."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests.runner.reading.forger import Forger

ROW = "files-bad-word.1"


@dataclass(frozen=True)
class Defect:
    """One change. A `.jsonl` file is changed as the list of its lines."""

    file: str
    change: Callable[[Any], object]
    said: tuple[str, ...]
    rules: tuple[str, ...] = ()
    """What it proves to be noticed."""

    def is_told(self, forger: Forger) -> None:
        """Assert that exactly this is said, each with its file and place."""
        make = forger.lines if self.file.endswith(".jsonl") else forger.document
        make(self.file, self.change)
        found = forger.problems()
        for words in self.said:
            assert any(problem.startswith(f"run/{words}") for problem in found), (words, found)
        for problem in found:
            assert any(problem.startswith(f"run/{words}") for words in self.said), problem


def named(defects: Mapping[str, Defect]) -> list[Any]:
    """Every defect by its name, with the rules that it proves."""
    return [
        pytest.param(defect, id=name, marks=pytest.mark.rule(*defect.rules) if defect.rules else ())
        for name, defect in defects.items()
    ]


def process(events: list, step: str) -> dict:
    return next(item for item in events if item["event"] == "process" and item["step"] == step)


def judged(events: list, criterion: str) -> dict:
    return next(item for item in events if item.get("criterion") == criterion)


def of(arm: str, attempts: list) -> dict:
    return next(item["detail"]["what"] for item in attempts if item["arm"] == arm)
