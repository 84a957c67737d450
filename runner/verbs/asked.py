"""What the words of a command line mean: which project, which study, which kind."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from pydantic import TypeAdapter, ValidationError

from runner.contract.comparison.tasks import FIXTURE_BACKEND
from runner.contract.comparison.tasks import Asked as AskedPart
from runner.contract.parity.design import ParityDesign
from runner.contract.plan import Selection
from runner.contract.qualification.design import QualificationDesign
from runner.contract.seal import digest
from runner.contract.values import Slug
from runner.errors import UsageError
from runner.kinds.comparison.kind import Comparison
from runner.kinds.kind import Kind
from runner.kinds.parity.kind import Parity
from runner.kinds.qualification.kind import Qualification
from runner.project import Project
from runner.reading.manifest import FrozenStudy, read_study

StudyName: TypeAlias = Annotated[
    str, typer.Argument(metavar="STUDY", help="The id of a study under manifests/, or the path of its folder.")
]
Quick: TypeAlias = Annotated[
    bool, typer.Option("--quick", help="Leave out checks that wait in real time for minutes; it is recorded.")
]
CorrectnessOnly: TypeAlias = Annotated[
    bool, typer.Option("--correctness-only", help="Of a parity study: measure nothing; it is recorded.")
]
ReducedTimings: TypeAlias = Annotated[
    bool,
    typer.Option("--reduced-timings", help="Of a parity study: a sixteenth of the samples, and no gate judges them."),
]

_NAME = TypeAdapter(Slug)
_OF_A_COMPARISON = ("--task", "--lane", "--trial", "--backend", "--config", "--probe")


@dataclass(frozen=True, slots=True)
class Asked:
    """A study that a command is about, with what knows how to perform it."""

    project: Project
    frozen: FrozenStudy
    kind: Kind

    @property
    def prepared(self) -> Path:
        """What `prepare` made for the study."""
        return self.project.prepared(self.frozen.study.id)

    @property
    def runs(self) -> Path:
        """The study's runs that are not published."""
        return self.project.runs(self.frozen.study.id)


def project_of(context: typer.Context) -> Project:
    """The project that the front door was asked for. Raises `UsageError` if there is none."""
    find: Callable[[], Path] = context.obj
    return Project(find())


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a command says about a comparison: which part of the matrix, who acts, and with which probes."""

    task: str | None = None
    lane: str | None = None
    trial: int | None = None
    backend: str | None = None
    configuration: Path | None = None
    """What the backend is set up by."""
    probes: tuple[str, ...] = ()
    """Each as TOOL=PATH."""
    jobs: int = 1
    """How many attempts side by side."""


def study_of(context: typer.Context, name: str, wishes: Wishes | None = None) -> Asked:
    """The study of this name. Raises `UsageError` if unknown, `ContractError` if not as pinned."""
    project = project_of(context)
    folder = project.study_folder(name)
    frozen = read_study(folder, name=project.shown(folder))
    return Asked(project, frozen, _kind(frozen, wishes or Wishes()))


def _kind(frozen: FrozenStudy, wishes: Wishes) -> Kind:
    """What performs the study. Raises `UsageError` for options that its kind does not have."""
    name = frozen.study.id
    if isinstance(frozen.study.design, QualificationDesign):
        if wishes.jobs > 1:
            what = "a qualification measures times and races, so that one attempt at a time is performed"
            raise UsageError(what, "leave --jobs out", where=name)
        _refuse(wishes, _OF_A_COMPARISON, "qualification", name)
        return Qualification()
    if isinstance(frozen.study.design, ParityDesign):
        _refuse(wishes, (*_OF_A_COMPARISON, "--jobs"), "parity study", name)
        return Parity()
    asked = _part(wishes, name)
    backend = wishes.backend or FIXTURE_BACKEND
    return Comparison(asked, backend, wishes.configuration, _probes(wishes, name), wishes.jobs)


def _refuse(wishes: Wishes, options: tuple[str, ...], kind: str, name: str) -> None:
    """Raise `UsageError` if one of the options was given."""
    if wishes != Wishes():
        what = f"{', '.join(options[:-1])} and {options[-1]} belong to a comparison, and this is a {kind}"
        raise UsageError(what, "leave them out", where=name)


def _part(wishes: Wishes, name: str) -> AskedPart:
    for option, value in (("--task", wishes.task), ("--lane", wishes.lane)):
        if value is not None and not _is_name(value):
            raise UsageError(f"{option} {value!r} is no name", "give one that `sealbook plan` lists", where=name)
    return AskedPart(task=wishes.task, lane=wishes.lane, trial=wishes.trial)


def _is_name(text: str) -> bool:
    try:
        _NAME.validate_python(text)
    except ValidationError:
        return False
    return True


def _probes(wishes: Wishes, name: str) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for text in wishes.probes:
        tool, equals, path = text.partition("=")
        if not (tool and equals and path):
            raise UsageError(f"--probe {text!r} is not TOOL=PATH", "give it as --probe mypy=/path/to/mypy", where=name)
        if tool in found:
            raise UsageError(f"--probe {tool} stands twice", "give each tool once", where=name)
        found[tool] = Path(path).absolute()
    return found


def selection_of(frozen: FrozenStudy, *, quick: bool, correctness_only: bool, reduced_timings: bool) -> Selection:
    """How much of the study is planned.

    Raises `UsageError` for an option that its kind does not have, and for two that ask for different runs.
    """
    of_parity = {
        "--correctness-only": Selection.correctness_only if correctness_only else None,
        "--reduced-timings": Selection.reduced_timings if reduced_timings else None,
    }
    asked = {option: selection for option, selection in of_parity.items() if selection}
    if asked and not isinstance(frozen.study.design, ParityDesign):
        what = f"{' and '.join(asked)} belong{'s' * (len(asked) == 1)} to a parity study"
        found = f", and this is a {frozen.study.design.kind}"
        raise UsageError(what + found, "leave it out" if len(asked) == 1 else "leave them out", where=frozen.study.id)
    if quick:
        asked = {"--quick": Selection.quick, **asked}
    if len(asked) > 1:
        raise UsageError(f"{' and '.join(asked)} ask for different runs", "give one of them", where=frozen.study.id)
    return next(iter(asked.values()), Selection.full)


def preview(asked: Asked, selection: Selection) -> dict[str, object]:
    """What a backend would send first in each attempt, without sending it. Raises `UsageError` if it sends nothing."""
    if not isinstance(asked.kind, Comparison):
        what = f"no backend acts in a study of kind {asked.frozen.study.design.kind}"
        raise UsageError(what, "leave --dry-run out", where=asked.frozen.study.id)
    plan = asked.kind.plan(asked.frozen, selection)
    shown = [{"attempt": slot.attempt_id(0), **asked.kind.preview(plan, slot)} for slot in plan.slots]
    return {"network_calls_made": 0, "plan_sha256": digest(plan.canonical()), "requests": shown}
