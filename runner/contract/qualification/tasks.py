"""The checks of one subject, as its pinned task file freezes them."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.qualification.design import Feature
from runner.contract.qualification.steps import (
    KillStep,
    RaceStep,
    RunStep,
    ServiceStep,
    StartStep,
    Step,
    WaitStep,
)
from runner.contract.values import Line, Record, RelativePath, Slug, Text

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_.]*)\}")
NO_LEFTOVERS = "no-leftovers"
BUILT_IN = frozenset({"command", "python", "work", "state", "source"})


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
        twice = [step for step, n in Counter(step.id for step in self.steps).items() if n > 1]
        if twice:
            raise ValueError(f"step ids must be unique in a check, twice: {', '.join(twice)}")
        started: set[str] = set()
        known = set(BUILT_IN)
        for step in self.steps:
            if isinstance(step, KillStep) and step.target not in started:
                raise ValueError(f"step {step.id}: no earlier step starts {step.target!r}")
            if isinstance(step, ServiceStep):
                known.add(f"port.{step.port}")
            local = known | ({"i"} if isinstance(step, RunStep | RaceStep) else set())
            if unknown := sorted(set(placeholders(step)) - local):
                raise ValueError(f"step {step.id}: unknown placeholder {{{unknown[0]}}}")
            if isinstance(step, StartStep | ServiceStep):
                started.add(step.id)
            if isinstance(step, RunStep):
                known.update(capture.name for capture in step.capture)
            if isinstance(step, RaceStep) and step.winners > step.contenders:
                raise ValueError(f"step {step.id}: more winners than contenders")
        if next(criteria(self)) == NO_LEFTOVERS:
            raise ValueError("nothing is judged: give at least one step an expectation")
        return self


class NotOffered(Record):
    """A feature that the subject does not have, said before the run, with its own help as proof."""

    feature: Feature
    reason: Text
    argv: Annotated[tuple[Line, ...], Field(min_length=1)]
    """What prints the help, such as `["{command}", "lock", "--help"]`."""
    help: RelativePath
    """The pinned file with that output; `prepare` compares it with the installed subject."""


class SubjectTasks(Record):
    """Every feature once: as a check, or as not offered."""

    format: Literal["sealbook.qualification.tasks/1"]
    subject: Slug
    checks: Annotated[tuple[Check, ...], Field(min_length=1)]
    not_offered: tuple[NotOffered, ...] = ()

    @model_validator(mode="after")
    def _every_feature_is_answered(self) -> Self:
        twice = [check for check, n in Counter(c.id for c in self.checks).items() if n > 1]
        if twice:
            raise ValueError(f"check ids must be unique, twice: {', '.join(twice)}")
        offered = {check.feature for check in self.checks}
        denied = {entry.feature for entry in self.not_offered}
        if both := sorted(offered & denied):
            raise ValueError(f"both checked and not offered: {', '.join(both)}")
        if missing := sorted(set(Feature) - offered - denied):
            raise ValueError(f"neither checked nor declared as not offered: {', '.join(missing)}")
        if 3 * len(denied) > len(Feature):
            raise ValueError(f"{len(denied)} of {len(Feature)} features not offered, over a third")
        return self


class QualificationTasks(Record):
    """The checks of all installed subjects of a study."""

    kind: Literal["qualification"] = "qualification"
    version: Literal[1] = 1
    subjects: tuple[SubjectTasks, ...]

    def check(self, subject: str, task: str) -> Check:
        """The check that an attempt performs. Raises KeyError if the plan has none such."""
        for tasks in self.subjects:
            for check in tasks.checks:
                if (tasks.subject, check.id) == (subject, task):
                    return check
        raise KeyError(f"{subject}.{task}")


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


def placeholders(value: object) -> Iterator[str]:
    """Every placeholder name in the texts of a step, however deep."""
    if isinstance(value, str):
        yield from PLACEHOLDER.findall(value)
    elif isinstance(value, Record):
        for name in type(value).model_fields:
            if name not in ("id", "why"):
                yield from placeholders(getattr(value, name))
    elif isinstance(value, dict):
        for item in value.values():
            yield from placeholders(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from placeholders(item)
