"""What the words of a command line mean: which project, which study, which kind."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import rfc8785
import typer

from runner.kinds.kind import Kind
from runner.kinds.qualification.kind import Qualification
from runner.project import Project
from runner.reading.manifest import FrozenStudy, read_study

StudyName: TypeAlias = Annotated[
    str, typer.Argument(metavar="STUDY", help="The id of a study under manifests/, or the path of its folder.")
]
Quick: TypeAlias = Annotated[
    bool, typer.Option("--quick", help="Leave out checks that wait in real time for minutes; it is recorded.")
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object for a machine.")]


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


def study_of(context: typer.Context, name: str) -> Asked:
    """The study of this name. Raises `UsageError` if unknown, `ContractError` if not as pinned."""
    project = project_of(context)
    folder = project.study_folder(name)
    frozen = read_study(folder, name=project.shown(folder))
    return Asked(project, frozen, Qualification())


def print_json(value: object) -> None:
    """Print one canonical JSON object, in UTF-8 whatever the terminal speaks."""
    sys.stdout.buffer.write(rfc8785.dumps(value) + b"\n")  # type: ignore[arg-type]
    sys.stdout.buffer.flush()
