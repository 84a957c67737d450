"""The folder of one run in progress: what lies where, what it began with, and whether it is finished."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from runner.contract.canonical import encode, load, parse
from runner.contract.errors import ContractError
from runner.contract.evidence import Beginning
from runner.contract.plan import Plan
from runner.contract.values import Record
from runner.errors import CorruptLedgerError, StorageError
from runner.project import SEALED
from runner.store import make_folder, put, storing, sweep, sync_folder

PLAN_FILE = "plan.json"
BEGINNING_FILE = "beginning.json"
FINISHED_FILE = "finished.json"

Model = TypeVar("Model", bound=Record)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One run below `.sealbook/runs/<study>/`, known by its path."""

    path: Path

    @property
    def run(self) -> str:
        """The run's id."""
        return self.path.name

    @property
    def sealed(self) -> Path:
        """Where the sealed run is, once it is."""
        return self.path / SEALED

    @property
    def built(self) -> Path:
        """Where a subject is built from a checkout, for this run alone."""
        return self.path / "built"

    @property
    def finished(self) -> bool:
        """Whether the run is sealed, here or elsewhere."""
        return (self.path / FINISHED_FILE).is_file()

    @property
    def begun(self) -> bool:
        """Whether the run came so far that an attempt may have been started."""
        return (self.path / BEGINNING_FILE).is_file()

    def begin(self, plan: Plan, beginning: Beginning) -> None:
        """Write down what the run is held to. The plan stands before anything else."""
        self.path.chmod(0o700)
        put(self.path / PLAN_FILE, plan.canonical())
        put(self.path / BEGINNING_FILE, beginning.canonical())

    def plan(self) -> Plan:
        """The plan the run began with. Raises `CorruptLedgerError` if it cannot be read."""
        return self._read(PLAN_FILE, Plan)

    def beginning(self) -> Beginning:
        """What was known when the run began. Raises as `plan` does."""
        return self._read(BEGINNING_FILE, Beginning)

    def finish(self, seal_sha256: str) -> None:
        """Note that the run is sealed. Doing it again changes nothing."""
        if not self.finished:
            put(self.path / FINISHED_FILE, encode({"seal_sha256": seal_sha256}))

    def set_aside(self, attempt: str) -> None:
        """Keep, unpublished, what an interrupted attempt had written before it was cut off."""
        aside = self.path / "interrupted" / attempt
        for name in (f"events/{attempt}.jsonl", f"artifacts/{attempt}", f"private/{attempt}"):
            left = self.path / name
            with storing(left):
                if left.parent.is_dir():
                    sweep(left.parent)
                if left.exists():
                    make_folder((aside / name).parent, below=self.path)
                    left.rename(aside / name)
                    sync_folder((aside / name).parent)
                    sync_folder(left.parent)

    def _read(self, name: str, model: type[Model]) -> Model:
        with storing(self.path / name):
            data = (self.path / name).read_bytes()
        try:
            return load(model, parse(data, file=name), file=name)
        except ContractError as error:
            todo = "it was made by another version; finish with that, or start a new run with --new"
            raise CorruptLedgerError(f"cannot be read: {error}", todo, where=f"{self.run}/{name}") from error


def unfinished(runs: Path) -> RunFolder | None:
    """The latest run that has begun, if it is not sealed.

    An earlier one was left behind with --new. It is kept as it is and never comes back by itself:
    one that cannot be resumed would otherwise stand in the way of every later run.
    """
    if not runs.is_dir():
        return None
    folders = (RunFolder(path) for path in sorted(runs.iterdir(), key=_age, reverse=True) if path.is_dir())
    latest = next((folder for folder in folders if folder.begun), None)
    return latest if latest is not None and not latest.finished else None


def _age(folder: Path) -> tuple[str, int, str]:
    second, _, number = folder.name.partition("-")
    return second, len(number), number


def new_folder(runs: Path, started_at: str) -> RunFolder:
    """Make a run's folder, named after its start; a second one of the same second gets a number."""
    name = started_at.replace("-", "").replace(":", "")
    with storing(runs):
        runs.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in range(1, 1000):
        folder = runs / (f"{name}-{number}" if number > 1 else name)
        try:
            with storing(folder):
                folder.mkdir(mode=0o700)
                sync_folder(runs)
        except StorageError as error:
            if isinstance(error.__cause__, FileExistsError):
                continue
            raise
        return RunFolder(folder)
    raise StorageError("a thousand runs began in one second", "wait a second", where=name)
