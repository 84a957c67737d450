"""Records what the owner decides on holds of a published run: sealed beside the runs, and never changed afterwards."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from runner.contract.decision import DECISION_FORMAT, Decision, Owner, Ruling, decision_id
from runner.contract.errors import Problem
from runner.contract.holds import FindingHold, GateHold, holds_of
from runner.contract.seal import DECISION_FILE, SEAL_FILE, digest, format_seal
from runner.contract.values import MAX_LINE, Text, twice, without_surrogates
from runner.errors import RunnerError, UsageError
from runner.project import DECISIONS, EVIDENCE, SEALED
from runner.reading.decision import SealedDecision, open_decision
from runner.reading.find import Found
from runner.reading.sealed import SealedRun
from runner.store import PART, kept_folder, put, storing

MOST_IN_A_SECOND = 1000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asks to be recorded, as given; whatever was not given is empty."""

    ruling: Ruling | None
    name: str
    role: str
    reason_en: str
    reason_zh: str
    holds: tuple[str, ...] = ()
    """By name."""
    every: bool = False
    """All that the run has, instead of those named."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A decision that may be recorded."""

    decision: Decision
    """Called as the first one of its second."""
    run: SealedRun
    decisions: Path
    """The folder that it is to lie in."""
    undecided: tuple[str, ...]
    """The run's holds that it says nothing of."""


def drafted(study_folder: Path, runs: Path, run: str, wanted: Wanted, now: str) -> Draft:
    """What is to be recorded on the published run `run` of a study; `runs` are its runs that are not published.

    Writes nothing. Raises `UsageError` with everything that keeps it from being recorded, and `ContractError` if the
    run does not verify.
    """
    faults = [*_unstated(wanted)]
    evidence = study_folder / EVIDENCE
    if missing := _not_published(evidence, runs, run, study_folder.name):
        raise UsageError.of(*faults, missing)
    shown = f"{study_folder.name}/{EVIDENCE}/{run}"
    opened = Found(evidence / run, shown, study_folder.name, run).open()
    faults += _refused(opened, wanted, now)
    if faults or wanted.ruling is None:
        raise UsageError.of(*faults)
    had = holds_of(opened.run.analysis)
    decided = tuple(hold for hold in had if wanted.every or hold.name in wanted.holds)
    record = Decision(
        format=DECISION_FORMAT,
        decision=decision_id(now),
        study=opened.run.study,
        run=opened.run.run,
        seal_sha256=opened.seal_sha256,
        holds=decided,
        ruling=wanted.ruling,
        owner=Owner(name=without_surrogates(wanted.name), role=without_surrogates(wanted.role)),
        decided_at=now,
        reason=Text(en=without_surrogates(wanted.reason_en), zh=without_surrogates(wanted.reason_zh)),
    )
    return Draft(record, opened, study_folder / DECISIONS, tuple(hold.name for hold in had if hold not in decided))


def record(draft: Draft) -> SealedDecision:
    """Seal a decision into a folder of its own, named after its instant; all of it or nothing.

    Two processes may not do this for one study at once. Raises `StorageError`.
    """
    for left in draft.decisions.glob(f".*{PART}") if draft.decisions.is_dir() else ():
        with storing(left):  # by a crash: whoever writes here does so alone
            shutil.rmtree(left)
    name = _free(draft.decisions, draft.decision.decided_at)
    decision = draft.decision.model_copy(update={"decision": name})
    data = decision.canonical()
    with kept_folder(draft.decisions / name) as part:
        put(part / DECISION_FILE, data)
        put(part / SEAL_FILE, format_seal({DECISION_FILE: digest(data)}))
        if wrong := open_decision(part, name=name, study=decision.study).against(draft.run):
            raise RunnerError.of(*wrong)
    return open_decision(draft.decisions / name, name=name, study=decision.study, placed=True)


def _unstated(wanted: Wanted) -> Iterator[Problem]:
    """What every decision states and this one does not, each by the option that gives it."""
    if wanted.ruling is None:
        yield _fault("--ruling", "is not given", f"give one of: {', '.join(Ruling)}")
    for option, text, todo in (
        ("--by", wanted.name, "name who decides"),
        ("--role", wanted.role, "say in which role"),
        ("--reason-en", wanted.reason_en, "give the reason in English"),
        ("--reason-zh", wanted.reason_zh, "give the reason in Chinese"),
    ):
        if not text.strip():
            yield _fault(option, "is empty", todo)
        elif len(without_surrogates(text)) > MAX_LINE:
            yield _fault(option, f"has more than {MAX_LINE} characters", "shorten it")
    if doubled := twice(wanted.holds):
        yield _fault("--hold", f"names twice: {', '.join(doubled)}", "name each hold once")
    if wanted.every and wanted.holds:
        yield _fault("--all", "stands beside --hold", "give one of the two")


def _not_published(evidence: Path, runs: Path, run: str, study: str) -> Problem | None:
    """Why the run is none that can be decided on; None if it is published."""
    known = sorted(path.name for path in evidence.iterdir() if path.is_dir()) if evidence.is_dir() else []
    known = [name for name in known if not name.startswith(".")]
    if run in known:
        return None
    own = {path.name for path in runs.iterdir() if (path / SEALED).is_dir()} if runs.is_dir() else set()
    if run in own:
        return Problem(run, "", "is not published", f"`sealbook publish {study} {run}` first, and commit it")
    return Problem(study, "", f"no published run {run!r}", f"there are: {', '.join(known) or 'none'}")


def _refused(run: SealedRun, wanted: Wanted, now: str) -> Iterator[Problem]:
    """Why nothing of this can be decided on this run."""
    name, had = run.run.run, holds_of(run.run.analysis)
    if not had:
        yield Problem(name, "", "holds nothing", "there is nothing to decide")
        return
    if now < run.run.ended_at:
        what = f"ended at {run.run.ended_at}, and the clock of this machine says {now}"
        yield Problem(name, "", what, "set the clock")
    listed = f"the run holds: {'; '.join(_told(hold) for hold in had)}"
    if not wanted.every and not wanted.holds:
        yield _fault("--hold", "is not given", f"name what is decided, or give --all; {listed}")
    known = {hold.name for hold in had}
    if unknown := [hold for hold in wanted.holds if hold not in known]:
        yield _fault("--hold", f"{', '.join(unknown)} is no hold of {name}", listed)


def _told(hold: GateHold | FindingHold) -> str:
    if isinstance(hold, GateHold):
        return f"{hold.name} (gate {hold.number} on {hold.row})"
    return f"{hold.name} (finding: {', '.join(hold.criteria)})"


def _fault(option: str, what: str, todo: str) -> Problem:
    return Problem("", option, what, todo)


def _free(decisions: Path, now: str) -> str:
    """What the next decision of this second is called."""
    for number in range(1, MOST_IN_A_SECOND):
        name = decision_id(now, number)
        if not (decisions / name).exists():
            return name
    raise RunnerError("has no room for another decision of this second", "try again", where=decisions.name)
