"""`sealbook doctor`: whether the sandbox holds on this machine, found out by attacking it."""

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from runner.contract.study import Tier
from runner.errors import TierUnavailableError
from runner.sandbox.battery.catalog import ATTACKS, CONTROLS, TRIALS, Trial
from runner.sandbox.battery.trial import Judged, Verdict, battery, is_control
from runner.sandbox.guarded import guarded
from runner.sandbox.tiers import missing
from runner.sandbox.workspace import check_work_root
from runner.verbs.answers import AsJson, print_json

_GUARDS = {
    Tier.process: "private folders, listed variables, limits; against accidents of the same user only",
    Tier.bwrap: "namespaces, a read-only view, a filter of system calls, no network; against hostile programs",
}
_WORDS = {
    Verdict.held: "held",
    Verdict.broken: "BROKEN",
    Verdict.not_claimed: "not claimed",
    Verdict.not_limited: "not limited",
}
_NOT_LIMITED = (
    "not limited: this user can make no control group here, so nothing limits the memory of all processes together"
)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found of one tier."""

    tier: Tier
    problem: tuple[str, str] | None
    """What stands in its way, and what to do; None when it can be had."""
    rows: tuple[Judged, ...]
    """One for each trial, in the catalog's order; none when it cannot be had."""

    @property
    def broken(self) -> bool:
        """Whether an attack got through, or what must work did not."""
        return any(row.verdict is Verdict.broken for row in self.rows)


def doctor_verb(
    *,
    tier: Annotated[
        list[Tier] | None, typer.Option("--tier", help="Look at this tier alone; may be given twice. All by default.")
    ] = None,
    work_root: Annotated[
        Path | None, typer.Option("--work-root", metavar="DIR", help="Where the attacks get their private folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Attack the sandbox of this machine in every way that is known, and say what held.

    Every attack is harmless where it succeeds. Exit code 0 if all held, 1 if one got through, 3 if
    none of the tiers can be had here.
    """
    root = check_work_root(work_root or Path(tempfile.gettempdir()))
    with guarded():
        found = tuple(_diagnose(each, root) for each in Tier if tier is None or each in tier)
    if all(diagnosis.problem for diagnosis in found):
        first = found[0]
        what, todo = first.problem or ("", "")
        raise TierUnavailableError(f"tier {first.tier.value} cannot be had on this machine: {what}", todo)
    if as_json:
        print_json(as_record(found))
    else:
        for line in table(found):
            typer.echo(line)
    if any(diagnosis.broken for diagnosis in found):
        raise typer.Exit(1)


def _diagnose(tier: Tier, root: Path) -> Diagnosis:
    if problem := missing(tier):
        return Diagnosis(tier, problem, ())
    rows: list[Judged] = []
    typer.echo(f"attacking tier {tier.value} …", err=True)
    battery(tier, root, tell=rows.append)
    return Diagnosis(tier, None, tuple(rows))


def table(found: Sequence[Diagnosis]) -> list[str]:
    """The diagnosis in words, one line an entry. Pure."""
    lines = []
    for diagnosis in found:
        lines.append(f"tier {diagnosis.tier.value}: {_GUARDS[diagnosis.tier]}")
        if diagnosis.problem:
            lines.append("    cannot be had: " + "; ".join(part for part in diagnosis.problem if part))
    had = [diagnosis for diagnosis in found if not diagnosis.problem]
    wide = max(len(trial.tries) for trial in TRIALS) + 2
    for title, trials in (("must work", CONTROLS), ("must not succeed", ATTACKS)):
        lines += ["", title.ljust(wide + 2) + _columns(diagnosis.tier.value for diagnosis in had) + "answer"]
        for trial in trials:
            rows = [_row(diagnosis, trial) for diagnosis in had]
            answer = next((row.saw for row in reversed(rows) if row.saw), "")
            lines.append(f"  {trial.tries.ljust(wide)}{_columns(_WORDS[row.verdict] for row in rows)}{answer}".rstrip())
    lines.append("")
    lines += [_sum(diagnosis) for diagnosis in had]
    if any(row.verdict is Verdict.not_limited for diagnosis in had for row in diagnosis.rows):
        lines.append(_NOT_LIMITED)
    return lines


def as_record(found: Sequence[Diagnosis]) -> dict[str, object]:
    """The diagnosis for a machine. Pure."""
    return {
        "held": not any(diagnosis.broken for diagnosis in found),
        "tiers": [
            {
                "tier": diagnosis.tier.value,
                "available": diagnosis.problem is None,
                "problem": "; ".join(part for part in diagnosis.problem or () if part),
                "trials": [
                    {
                        "name": row.trial.name,
                        "tries": row.trial.tries,
                        "control": is_control(row.trial),
                        "verdict": row.verdict.value,
                        "saw": row.saw,
                    }
                    for row in diagnosis.rows
                ],
            }
            for diagnosis in found
        ],
    }


def _sum(diagnosis: Diagnosis) -> str:
    count = {verdict: sum(row.verdict is verdict for row in diagnosis.rows) for verdict in Verdict}
    tried = count[Verdict.held] + count[Verdict.broken]
    rest = [f"{count[verdict]} {_WORDS[verdict]}" for verdict in (Verdict.not_claimed, Verdict.not_limited)]
    shown = [text for text in rest if not text.startswith("0 ")]
    return f"tier {diagnosis.tier.value}: {count[Verdict.held]} of {tried} held" + "".join(
        f", {text}" for text in shown
    )


def _row(diagnosis: Diagnosis, trial: Trial) -> Judged:
    return next(row for row in diagnosis.rows if row.trial is trial)


def _columns(words: Iterable[str]) -> str:
    return "".join(word.ljust(14) for word in words)
