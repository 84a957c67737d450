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

    def told(self, forger: Forger) -> set[str]:
        """What a verifier says then: of each problem the words of `said` that it begins with, or else all of it."""
        make = forger.lines if self.file.endswith(".jsonl") else forger.document
        make(self.file, self.change)
        found: set[str] = set()
        for problem in forger.problems():
            found |= {words for words in self.said if problem.startswith(f"run/{words}")} or {problem}
        return found


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
