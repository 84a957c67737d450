"""Where things lie in a project: its root, its studies, its runs. It names paths and writes nothing."""

from dataclasses import dataclass
from pathlib import Path

from runner.contract.errors import printable
from runner.errors import UsageError

SITE_FILE = "content/site.toml"
MANIFESTS = "manifests"
STUDY_FILE = "study.toml"
IN_PROGRESS = ".sealbook"
EVIDENCE = "evidence"
DECISIONS = "decisions"
SEALED = "sealed"


@dataclass(frozen=True, slots=True)
class Project:
    """One project, known by its root."""

    root: Path

    def study_ids(self) -> tuple[str, ...]:
        """Every folder below manifests/ that holds a study.toml, sorted."""
        return tuple(sorted(file.parent.name for file in (self.root / MANIFESTS).glob(f"*/{STUDY_FILE}")))

    def study_folder(self, name: str) -> Path:
        """The folder of a study given by id or by path. Raises `UsageError` naming those there are."""
        if name in self.study_ids():
            return self.root / MANIFESTS / name
        path = Path(name).parent if Path(name).name == STUDY_FILE else Path(name)
        if _holds(path, STUDY_FILE):
            return path.resolve()
        known = ", ".join(self.study_ids()) or "none"
        raise UsageError(f"no study {name!r}", f"there are: {known}", where=MANIFESTS)

    def prepared(self, study: str) -> Path:
        """What `prepare` made for a study."""
        return self.root / IN_PROGRESS / "prepared" / study

    def runs(self, study: str) -> Path:
        """The folder of a study's runs that are not published."""
        return self.root / IN_PROGRESS / "runs" / study

    def deciding(self, study: str) -> Path:
        """The lock of whoever records a decision on a run of a study."""
        return self.root / IN_PROGRESS / "decisions" / f"{study}.lock"

    def shown(self, path: Path) -> str:
        """How messages call a path: relative to the project where it lies inside."""
        try:
            return printable(str(path.resolve().relative_to(self.root)))
        except ValueError:
            return printable(str(path))


def find_project(given: Path | None, start: Path) -> Project:
    """The project at `given`, or the nearest one from `start` upwards.

    Raises `UsageError` if there is none.
    """
    if given is not None:
        if _holds(given, SITE_FILE):
            return Project(given.resolve())
        raise UsageError(f"{given} is no project: it has no {SITE_FILE}", "correct --root")
    for folder in (start.resolve(), *start.resolve().parents):
        if _holds(folder, SITE_FILE):
            return Project(folder)
    todo = "change into a project or give --root DIR"
    raise UsageError(f"no {SITE_FILE} here or in any folder above", todo)


def _holds(folder: Path, file: str) -> bool:
    """Whether the file is there for us. A place that may not be looked into, or no place at all, holds nothing."""
    try:
        return (folder / file).is_file()
    except OSError:
        return False
