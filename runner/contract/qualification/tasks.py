"""The checks of one subject, as its pinned task files freeze them."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.qualification.design import Feature
from runner.contract.qualification.sequence import faults
from runner.contract.qualification.steps import (
    KillStep,
    RaceStep,
    RunStep,
    ServiceStep,
    StartStep,
    Step,
    WaitStep,
)
from runner.contract.values import Line, Record, RelativePath, Slug, Text, twice

NO_LEFTOVERS = "no-leftovers"


class Check(Record):
    """One question to one subject, answered by steps."""

    id: Slug
    feature: Feature
    title: Text
    statement: Text
    """What an accepted attempt shows, and no more than that."""
    trials: Annotated[int, Field(ge=1, le=100)]
    seconds: Annotated[int, Field(ge=1, le=7200)] | None = None
    """Wall clock for one attempt, if it differs from the study's cap."""
    slow: bool = False
    """Waits in real time for minutes: a quick run excludes it and says so."""
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _steps_fit_together(self) -> Self:
        wrong = [*faults(self.steps)]
        if next(criteria(self)) == NO_LEFTOVERS:
            wrong.append("nothing is judged: give at least one step an expectation")
        _refuse(wrong)
        return self


class NotOffered(Record):
    """A feature that the subject does not have, said before the run, with its own help as proof."""

    feature: Feature
    reason: Text
    argv: Annotated[tuple[Line, ...], Field(min_length=1)]
    """What prints the help, such as `["{command}", "lock", "--help"]`."""
    help: RelativePath
    """The pinned file with that output; `prepare` compares it with the installed subject."""


class TaskFile(Record):
    """Some of the checks of one subject, as one file states them."""

    format: Literal["sealbook.qualification.tasks/1"]
    subject: Slug
    checks: tuple[Check, ...] = ()
    not_offered: tuple[NotOffered, ...] = ()


class SubjectTasks(Record):
    """All checks of one subject: every feature is answered, by checks or as not offered."""

    subject: Slug
    checks: Annotated[tuple[Check, ...], Field(min_length=1)]
    not_offered: tuple[NotOffered, ...] = ()

    @model_validator(mode="after")
    def _every_feature_is_answered(self) -> Self:
        wrong: list[str] = []
        if repeated := twice(check.id for check in self.checks):
            wrong.append(f"check ids must be unique, twice: {', '.join(repeated)}")
        if repeated := twice(entry.feature.value for entry in self.not_offered):
            wrong.append(f"declared as not offered twice: {', '.join(repeated)}")
        offered = {check.feature for check in self.checks}
        denied = {entry.feature for entry in self.not_offered}
        if both := sorted(offered & denied):
            wrong.append(f"both checked and not offered: {', '.join(both)}")
        if missing := sorted(set(Feature) - offered - denied):
            wrong.append(f"neither checked nor declared as not offered: {', '.join(missing)}")
        if 3 * len(denied) > len(Feature):
            wrong.append(f"{len(denied)} of {len(Feature)} features not offered, over a third")
        _refuse(wrong)
        return self


class QualificationTasks(Record):
    """The checks of all installed subjects of a study."""

    kind: Literal["qualification"] = "qualification"
    version: Literal[1] = 1
    subjects: tuple[SubjectTasks, ...]

    def check(self, subject: str, task: str) -> Check:
        """The check that an attempt performs. Raises KeyError if the plan has none such."""
        try:
            return self._checks[subject, task]
        except KeyError:
            raise KeyError(f"{subject}.{task}") from None

    def criteria(self, arm: str, task: str) -> tuple[str, ...]:
        """The ids of what is judged in an attempt, in order. Raises as `check` does."""
        return tuple(criteria(self.check(arm, task)))

    @cached_property
    def _checks(self) -> dict[tuple[str, str], Check]:
        return {(tasks.subject, check.id): check for tasks in self.subjects for check in tasks.checks}


def criteria(check: Check) -> Iterator[str]:
    """The ids of everything that is judged in an attempt at `check`, in order.

    A step's expectations are `STEP.1`, `STEP.2`, …; a boundary is `STEP.reached`, a service
    `STEP.ready`, a kill `STEP.gone`. Last comes `no-leftovers`: no process outlives its attempt.
    """
    for step in check.steps:
        match step:
            case RunStep():
                yield from (f"{step.id}.{n}" for n in range(1, len(step.expect) + 1))
            case RaceStep():
                yield f"{step.id}.winners"
            case StartStep():
                yield f"{step.id}.reached"
            case ServiceStep():
                yield f"{step.id}.ready"
            case KillStep():
                yield f"{step.id}.gone"
            case WaitStep():
                pass
    yield NO_LEFTOVERS


def _refuse(wrong: Sequence[str]) -> None:
    if wrong:
        raise ValueError("; ".join(wrong))
