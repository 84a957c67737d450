"""What the owner of a study decides on holds of one sealed run: a record of its own, sealed, beside the run.

It changes nothing of the run. A second decision on the same hold is a later record, and both stay.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from runner.contract.errors import Problem
from runner.contract.evidence import Run
from runner.contract.holds import Hold, holds_of
from runner.contract.values import Instant, Line, Record, RunId, Sha256, Slug, Text, twice

DECISION_FORMAT: Literal["sealbook.decision/1"] = "sealbook.decision/1"
DecisionId = Annotated[str, StringConstraints(pattern=r"^[0-9]{8}T[0-9]{6}Z(?:-[1-9][0-9]*)?$")]
"""UTC instant of the decision in basic ISO 8601, with a counter if two of a study fall into one second."""


class Ruling(StrEnum):
    """What is decided. Neither word changes a verdict, a figure, or what the run amounts to."""

    accepted_as_it_is = "accepted-as-it-is"
    """The version is taken with what is held, which stays what it is."""
    not_taken = "not-taken"
    """The version is not taken because of what is held."""


class Owner(Record):
    """Who decided, as stated by whoever recorded it: no proof of identity."""

    name: Line
    role: Line


class Decision(Record):
    """One decision on some or all holds of one sealed run."""

    format: Literal["sealbook.decision/1"]
    decision: DecisionId
    study: Slug
    run: RunId
    seal_sha256: Sha256
    """Of the run's SHA256SUMS: the decision is on these bytes and no others."""
    holds: Annotated[tuple[Hold, ...], Field(min_length=1)]
    """What it decides, in the order in which the run has them. It says nothing of the run's other holds."""
    ruling: Ruling
    owner: Owner
    decided_at: Instant
    reason: Text

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        wrong = [f"{what} is blank" for what, text in self._texts() if not text.strip()]
        if doubled := twice(hold.name for hold in self.holds):
            wrong.append(f"a hold is decided once in one record, twice: {', '.join(doubled)}")
        if self.decision.partition("-")[0] != decision_id(self.decided_at):
            wrong.append(f"the decision {self.decision} is not named after the instant {self.decided_at}")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self

    def _texts(self) -> tuple[tuple[str, str], ...]:
        return (
            ("the owner's name", self.owner.name),
            ("the owner's role", self.owner.role),
            ("the reason in English", self.reason.en),
            ("the reason in Chinese", self.reason.zh),
        )

    @property
    def order(self) -> tuple[str, int]:
        """A key that sorts decisions of a study by time; those of one second by their counter."""
        return self.decided_at, int(self.decision.partition("-")[2] or 1)


def decision_id(instant: str, number: int = 1) -> str:
    """What a decision of this instant is called: the first of its second, or the one of that number."""
    name = instant.replace("-", "").replace(":", "")
    return name if number == 1 else f"{name}-{number}"


def disagreements(decision: Decision, run: Run, seal_sha256: str, *, file: str) -> Iterator[Problem]:
    """Where a decision is not about this run, whose SHA256SUMS has the given digest; `file` is how messages call it."""
    restore = "restore the sealed decision and the sealed run; neither is ever changed"
    for key, stated, found in (
        ("study", decision.study, run.study),
        ("run", decision.run, run.run),
        ("seal_sha256", decision.seal_sha256, seal_sha256),
    ):
        if stated != found:
            yield Problem(file, key, f"{stated} is decided on, and the run has {found}", restore)
    if decision.decided_at < run.ended_at:
        yield Problem(file, "decided_at", f"lies before the end of the run, which is {run.ended_at}", restore)
    had = holds_of(run.analysis)
    names = {hold.name for hold in had}
    for number, hold in enumerate(decision.holds):
        if hold.name not in names:
            what = f"{hold.name} is no hold of the run (it has: {', '.join(sorted(names)) or 'none'})"
            yield Problem(file, f"holds[{number}]", what, restore)
        elif hold not in had:
            yield Problem(file, f"holds[{number}]", f"states {hold.name} otherwise than the run", restore)
