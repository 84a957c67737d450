"""The scenarios of a parity study: what is done to every variant alike, and what must come of it."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.contract.comparison.tasks import PinnedText
from runner.contract.parity.design import MEASUREMENT, MUTANT
from runner.contract.values import Line, Record, RelativePath, Slug, Text, twice

Scalar = bool | int | str
Members = dict[Annotated[str, Field(min_length=1, max_length=100)], Scalar]
Arguments = Annotated[tuple[Line, ...], Field(min_length=1)]

MODULE_ROOT = "module-root"
DAEMON_STOPPED = "daemon-stopped"
NO_LEFTOVERS = "no-leftovers"
SAME_PATHS = "same-paths"
SAME_OUTPUT = "same-output"
SAME_STATE = "same-state"
COMPARED = (SAME_PATHS, SAME_OUTPUT, SAME_STATE)
"""What is judged of a variant that is held against another."""
TARGET_ONCE = "target-once"
ORIGINAL_UNCHANGED = "original-unchanged"
MUTANT_REJECTED = "mutant-rejected"
MUTANT_STATUS = "mutant-exit-status"
NOTHING_ELSE = "nothing-else-failed"
OF_MUTANT = (TARGET_ONCE, MUTANT_REJECTED, MUTANT_STATUS, NOTHING_ELSE, ORIGINAL_UNCHANGED)
SAMPLES_TAKEN = "samples-taken"
STABLE_DAEMONS = "stable-daemons"
OF_MEASUREMENT = (MODULE_ROOT, SAMPLES_TAKEN, STABLE_DAEMONS, NO_LEFTOVERS)
OF_COMMAND_MEASUREMENT = (MODULE_ROOT, SAMPLES_TAKEN, NO_LEFTOVERS)
"""Of a row whose scenario has no daemon."""


class Expected(Record):
    """What a call must come to, stated without regard to what any variant does."""

    exit: Annotated[int, Field(ge=0, le=255)]
    records: tuple[Members, ...] | None = None
    """The JSON objects on stdout, in order: each has at least these members, and there are no more of them. None where
    nothing is said of them."""
    holds: tuple[Line, ...] = ()
    """Texts that stdout or stderr holds."""


class CallStep(Record):
    """The software is started with these arguments and ends by itself."""

    step: Literal["call"]
    id: Slug
    args: Arguments
    """`{backend}` alone stands for the backend's arguments; `{state}` is the folder of durable state."""
    expect: Expected
    keeps_state: bool = False
    """It must leave the durable state as it is: files byte for byte, databases row by row."""


class AskStep(Record):
    """The daemon is asked; where none runs, this starts it."""

    step: Literal["ask"]
    id: Slug
    expect: Expected
    keeps_state: bool = False


class EditStep(Record):
    """The files of a folder are copied over the project."""

    step: Literal["edit"]
    id: Slug
    files: RelativePath
    """A folder of pinned files."""


class RestartStep(Record):
    """The daemon is stopped, which must be proved; the next `ask` must be answered by another process."""

    step: Literal["restart"]
    id: Slug


class StopStep(Record):
    """The daemon is stopped, which must be proved; what follows runs without one."""

    step: Literal["stop"]
    id: Slug


Step = Annotated[CallStep | AskStep | EditStep | RestartStep | StopStep, Field(discriminator="step")]


class Scenario(Record):
    """One situation, run by every variant in every backend."""

    id: Slug
    title: Text
    statement: Text
    """What an accepted attempt shows, and no more than that."""
    project: RelativePath
    """A folder of pinned files: the project before the first step."""
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders of pinned files that it needs."""
        return (self.project, *(step.files for step in self.steps if isinstance(step, EditStep)))

    @property
    def asks(self) -> bool:
        """Whether it needs a daemon."""
        return any(isinstance(step, AskStep) for step in self.steps)

    @property
    def ends_with_daemon(self) -> bool:
        """Whether a daemon runs when all steps are done."""
        runs = False
        for step in self.steps:
            runs = isinstance(step, AskStep) or (runs and not isinstance(step, RestartStep | StopStep))
        return runs

    def step(self, name: str) -> CallStep | AskStep | EditStep | RestartStep | StopStep:
        """The step of this id. Raises KeyError."""
        for item in self.steps:
            if item.id == name:
                return item
        raise KeyError(name)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        wrong: list[str] = []
        if repeated := twice(step.id for step in self.steps):
            wrong.append(f"step ids must be unique in a scenario, twice: {', '.join(repeated)}")
        runs = False
        for position, step in enumerate(self.steps):
            if isinstance(step, RestartStep | StopStep):
                if not runs:
                    wrong.append(f"step {step.id}: no daemon runs that could be stopped")
                runs = False
            if isinstance(step, RestartStep) and not any(
                isinstance(item, AskStep) for item in self.steps[position + 1 :]
            ):
                wrong.append(f"step {step.id}: no step after it asks the daemon again")
            runs |= isinstance(step, AskStep)
        if wrong:
            raise ValueError("; ".join(wrong))
        return self


class ScenarioFile(Record):
    """All scenarios of a study, as one file states them."""

    format: Literal["sealbook.parity.scenarios/1"]
    scenarios: Annotated[tuple[Scenario, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _are_told_apart(self) -> Self:
        if repeated := twice(scenario.id for scenario in self.scenarios):
            raise ValueError(f"scenario ids must be unique, twice: {', '.join(repeated)}")
        return self


class ParityTasks(Record):
    """The scenarios with every file that an attempt at them needs."""

    kind: Literal["parity"] = "parity"
    version: Literal[1] = 1
    reference: Slug
    """The variant that no other is before; all others are held against one."""
    backends: Annotated[tuple[Slug, ...], Field(min_length=1)]
    scenarios: Annotated[tuple[Scenario, ...], Field(min_length=1)]
    files: tuple[PinnedText, ...]

    def check(self, arm: str, task: str) -> Scenario:
        """The scenario that an attempt is at. Raises KeyError if there is none such."""
        del arm
        return self.row(task)[1]

    def row(self, task: str) -> tuple[str, Scenario]:
        """The backend's id and the scenario of a row. Raises KeyError."""
        return self._rows[task]

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of all rows, backend by backend."""
        return tuple(self._rows)

    def criteria(self, arm: str, task: str) -> tuple[str, ...]:
        """The ids of what is judged in an attempt, in order. Raises as `check` does."""
        scenario = self.check(arm, task)
        if arm == MUTANT:
            return OF_MUTANT
        if arm == MEASUREMENT:
            return OF_MEASUREMENT if scenario.asks else OF_COMMAND_MEASUREMENT
        return (*of_scenario(scenario), *(() if arm == self.reference else COMPARED))

    def text(self, path: str) -> str:
        """The content of a pinned file. Raises KeyError if the plan does not carry it."""
        return self._texts[path]

    def below(self, folder: str) -> dict[str, str]:
        """The pinned files below a folder, by their path in it."""
        return {
            path.removeprefix(f"{folder}/"): text for path, text in self._texts.items() if path.startswith(f"{folder}/")
        }

    @cached_property
    def _rows(self) -> dict[str, tuple[str, Scenario]]:
        return {
            row_name(backend, scenario.id): (backend, scenario)
            for backend in self.backends
            for scenario in self.scenarios
        }

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {file.path: file.text for file in self.files}


def row_name(backend: str, scenario: str) -> str:
    """How the row of a backend and a scenario is called: it is the task of its attempts."""
    return f"{backend}-{scenario}"


def of_scenario(scenario: Scenario) -> Iterator[str]:
    """The ids of everything that is judged of one variant alone, in order.

    A call is judged as `STEP.exit`, `STEP.records`, `STEP.holds` and `STEP.state-kept`, as far as it states them; a
    restart as `STEP.stopped` and `STEP.new-process`, a stop as `STEP.stopped`.
    """
    yield MODULE_ROOT
    for step in scenario.steps:
        match step:
            case CallStep() | AskStep():
                yield f"{step.id}.exit"
                if step.expect.records is not None:
                    yield f"{step.id}.records"
                if step.expect.holds:
                    yield f"{step.id}.holds"
                if step.keeps_state:
                    yield f"{step.id}.state-kept"
            case RestartStep():
                yield f"{step.id}.stopped"
                yield f"{step.id}.new-process"
            case StopStep():
                yield f"{step.id}.stopped"
            case EditStep():
                pass
    if scenario.ends_with_daemon:
        yield DAEMON_STOPPED
    yield NO_LEFTOVERS
