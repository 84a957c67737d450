"""`sealbook verify`: whether sealed runs, and decisions on them, are what was sealed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from runner.contract.analysis.gate import gate_of, out_of_reach
from runner.contract.errors import ContractError, InvalidRecordError, Problem
from runner.errors import GateMissedError
from runner.reading.decision import SealedDecision, no_run
from runner.reading.find import Found, FoundDecision, find_sealed
from runner.reading.sealed import SealedRun
from runner.verbs.answers import AsJson, print_json, said


def verify_verb(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="PATH...", help="A sealed run or decision, a study, a project, or a built site."),
    ],
    *,
    gates: Annotated[
        bool, typer.Option("--gates", help="Also ask of each run that it is qualified, or its matrix complete.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check sealed runs: every byte, every form, and every published number counted again.

    Decisions on their holds are checked as well, and against the run that they name. Needs nothing but the files. Exit
    code 1 if anything is wrong, with file, line and reason. What a study came to is nothing wrong with its run; with
    --gates, a run that did not come to what its study asks for ends with 1 as well, whatever was decided on it.
    """
    verified = _Verified()
    for path in paths:
        verified.path(path)
    if not as_json:
        for line in verified.lines():
            typer.echo(line)
    if verified.problems:
        raise InvalidRecordError(*verified.problems)
    if gates and (missed := [problem for shown, run in verified.runs for problem in _missed(shown, run)]):
        raise GateMissedError.of(*missed)
    if as_json:
        print_json(verified.as_json())


@dataclass(slots=True)
class _Verified:
    """What was found right so far, and everything that was not."""

    runs: list[tuple[str, SealedRun]] = field(default_factory=list)
    decisions: list[tuple[str, SealedDecision, bool]] = field(default_factory=list)
    """Each with whether it was compared with its run."""
    problems: list[Problem] = field(default_factory=list)
    _opened: dict[Path, SealedRun | None] = field(default_factory=dict)
    """By folder, so that a decision reads no run again; None for one that does not verify."""

    def path(self, path: Path) -> None:
        """Verify all that is sealed below a path: runs first, as decisions are compared with them."""
        try:
            found = find_sealed(path, str(path))
        except ContractError as error:
            self.problems.extend(error.problems)
            return
        for item in found:
            if isinstance(item, Found) and (run := self._open(item)) is not None:
                self.runs.append((item.shown, run))
        for item in found:
            if isinstance(item, FoundDecision):
                self._decision(item)

    def lines(self) -> Iterator[str]:
        """What was found right, a line each."""
        for shown, run in self.runs:
            yield f"{shown}: verified, {len(run.files)} files, {len(run.attempts)} attempts: {said(run.run.tally)}"
        for shown, decision, compared in self.decisions:
            yield f"{shown}: verified, {_said(decision, compared=compared)}"

    def as_json(self) -> dict[str, object]:
        """The same for a machine."""
        return {
            "verified": [_as_json(*item) for item in self.runs],
            "decisions": [_decision_as_json(*item) for item in self.decisions],
        }

    def _decision(self, found: FoundDecision) -> None:
        """Verify a decision, and compare it with its run where that is."""
        try:
            decision = found.open()
        except ContractError as error:
            self.problems.extend(error.problems)
            return
        folder = found.run(decision)
        there = folder.is_dir()
        if there:
            known = folder.resolve()
            run = self._opened[known] if known in self._opened else self._open(Found(folder, str(folder)))
            if run is None:  # told with the run
                return
            problems = decision.against(run)
        else:
            problems = (no_run(decision),) if found.placed else ()
        self.problems.extend(problems)
        if not problems:
            self.decisions.append((found.shown, decision, there))

    def _open(self, found: Found) -> SealedRun | None:
        run: SealedRun | None = None
        try:
            run = found.open()
        except ContractError as error:
            self.problems.extend(error.problems)
        self._opened[found.folder.resolve()] = run
        return run


def _missed(shown: str, run: SealedRun) -> Iterator[Problem]:
    gate = gate_of(run.run.analysis)
    if not gate.met:
        what = f"the gate is missed: the run is to be {gate.asked.value}, and it is {gate.found.value}"
        see = "see what its attempts say"
        if why := out_of_reach(run.run.selection):
            what, see = f"{what}; {why}, so that such a run never is", f"{see}, and make a full run"
        todo = f"{see}; a later run has a gate of its own and does not change this one"
        yield Problem(f"{shown}/run.json", "analysis.disposition", what, todo)


def _said(sealed: SealedDecision, *, compared: bool) -> str:
    decision = sealed.decision
    names = ", ".join(hold.name for hold in decision.holds)
    missing = "" if compared else "; the run is not here, so that its seal and its holds were not compared"
    return f"{decision.ruling.value} on {names} of {decision.study} {decision.run}{missing}"


def _as_json(shown: str, run: SealedRun) -> dict[str, object]:
    gate = gate_of(run.run.analysis)
    return {
        "path": shown,
        "study": run.run.study,
        "run": run.run.run,
        "files": len(run.files),
        "attempts": len(run.attempts),
        "seal_sha256": run.seal_sha256,
        "gate": {"asked": gate.asked.value, "found": gate.found.value, "met": gate.met},
        "tally": run.run.tally.model_dump(mode="json"),
    }


def _decision_as_json(shown: str, sealed: SealedDecision, compared: bool) -> dict[str, object]:  # noqa: FBT001  a fact
    decision = sealed.decision
    return {
        "path": shown,
        "study": decision.study,
        "run": decision.run,
        "decision": decision.decision,
        "ruling": decision.ruling.value,
        "holds": [hold.name for hold in decision.holds],
        "seal_sha256": sealed.seal_sha256,
        "compared_with_run": compared,
    }
