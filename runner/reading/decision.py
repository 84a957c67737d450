"""Opens a sealed decision and verifies it: bytes, form, and that it is about the run that it names."""

from dataclasses import dataclass
from pathlib import Path

from runner.contract.decision import Decision, disagreements
from runner.contract.errors import InvalidRecordError, Problem
from runner.contract.seal import DECISION_FILE, DECISION_FORM
from runner.reading.folder import SealedFolder, open_sealed_folder
from runner.reading.records import read_document
from runner.reading.sealed import SealedRun


@dataclass(frozen=True, slots=True)
class SealedDecision:
    """A sealed decision whose bytes and form are right."""

    decision: Decision
    sealed: SealedFolder

    @property
    def sha256(self) -> str:
        """Of decision.json."""
        return self.sealed.files[DECISION_FILE].sha256

    @property
    def seal_sha256(self) -> str:
        """Of SHA256SUMS, which stands for the whole record."""
        return self.sealed.seal_sha256

    def against(self, run: SealedRun) -> tuple[Problem, ...]:
        """Where it is not about this verified run."""
        file = f"{self.sealed.shown}/{DECISION_FILE}"
        return tuple(disagreements(self.decision, run.run, run.seal_sha256, file=file))


def open_decision(folder: Path, *, name: str, study: str | None = None, placed: bool = False) -> SealedDecision:
    """Open the sealed decision in `folder`, which messages call `name`.

    `study` is the one that its place belongs to, and if it is `placed`, its folder has its name. Raises `ContractError`
    with every problem. Whether the run it names is the one that lies here, `SealedDecision.against` says.
    """
    sealed = open_sealed_folder(folder, name, DECISION_FORM)
    problems: list[Problem] = []
    decision = read_document(Decision, sealed.file(DECISION_FILE), problems)
    if decision is None:
        raise InvalidRecordError(*problems)
    for key, stated, place in (
        ("study", decision.study, study),
        ("decision", decision.decision, folder.resolve().name if placed else None),
    ):
        if place is not None and stated != place:
            what = f"{stated} stated, its place says {place}"
            problems.append(Problem(f"{name}/{DECISION_FILE}", key, what, "move it back"))
    if problems:
        raise InvalidRecordError(*problems)
    return SealedDecision(decision, sealed)


def no_run(decision: SealedDecision) -> Problem:
    """What is wrong with a decision in its place whose run is not in its own."""
    what = f"decides on the run {decision.decision.run}, which is not published here"
    todo = "restore the run: neither a published run nor a decision on it is ever removed"
    return Problem(f"{decision.sealed.shown}/{DECISION_FILE}", "run", what, todo)
