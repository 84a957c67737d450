"""`sealbook prepare` and `sealbook run`: the only verbs that start a subject's processes."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from runner import environment
from runner.contract.evidence import MOST_JOBS, CheckoutSubject, CommittedSource, Source
from runner.contract.study import Tier
from runner.contract.tally import Tally
from runner.errors import (
    NothingStartedError,
    NotPreparedError,
    RunStoppedError,
    SetUpFailedError,
    TierUnavailableError,
)
from runner.execute.order import Order
from runner.execute.run import execute
from runner.provenance.git import source_of
from runner.provenance.identity import runner_identity
from runner.reading.sealed import SealedRun
from runner.sandbox.guarded import guarded
from runner.sandbox.tiers import require
from runner.store import in_turn, storing
from runner.verbs.answers import AsJson, print_json, said
from runner.verbs.asked import (
    Asked,
    CorrectnessOnly,
    Quick,
    ReducedTimings,
    StudyName,
    Wishes,
    preview,
    selection_of,
    study_of,
)
from runner.verbs.progress import watching


def prepare_verb(context: typer.Context, study: StudyName) -> None:
    """Fetch and build what the study pins. The only step that uses a network."""
    asked = study_of(context, study)
    name = asked.frozen.study.id
    if asked.kind.is_prepared(asked.frozen, asked.prepared):
        typer.echo(f"{name}: prepared already", err=True)
        return
    lock = asked.prepared.with_name(f"{name}.lock")

    def waiting() -> None:
        typer.echo(f"{name}: another process prepares it, waiting for that", err=True)

    with _stopping_politely("what is prepared so far is kept or removed, never half-used"), in_turn(lock, waiting):
        if not asked.kind.is_prepared(asked.frozen, asked.prepared):
            with storing(asked.prepared):
                asked.kind.prepare(asked.frozen, asked.prepared, lambda line: typer.echo(line, err=True))
    typer.echo(f"{name}: prepared", err=True)


def run_verb(
    context: typer.Context,
    study: StudyName,
    *,
    quick: Quick = False,
    correctness_only: CorrectnessOnly = False,
    reduced_timings: ReducedTimings = False,
    task: Annotated[
        str | None, typer.Option("--task", metavar="TASK", help="Of a comparison: only attempts at this task.")
    ] = None,
    lane: Annotated[
        str | None, typer.Option("--lane", metavar="LANE", help="Of a comparison: only attempts in this lane.")
    ] = None,
    trial: Annotated[
        int | None, typer.Option("--trial", metavar="N", min=1, max=1000, help="Of a comparison: only this trial.")
    ] = None,
    backend: Annotated[
        str | None, typer.Option("--backend", metavar="NAME", help="Of a comparison: who acts; `fixture` by default.")
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Of a comparison: what the backend is set up by, a TOML file."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what the backend would send first in each attempt; send nothing.")
    ] = False,
    probe: Annotated[
        list[str] | None,
        typer.Option(
            "--probe", metavar="TOOL=PATH", help="Of a comparison: the binary of an independent tool that a task asks."
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", metavar="N", min=1, max=MOST_JOBS, help="Of a comparison: perform so many attempts at once."
        ),
    ] = 1,
    repo: Annotated[
        Path | None,
        typer.Option(
            "--repo",
            metavar="PATH",
            exists=True,
            file_okay=False,
            help="Build a subject from this source checkout, apart from everything installed.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Seal the run here; it must be absent or empty."),
    ] = None,
    tier: Annotated[
        Tier | None,
        typer.Option(
            "--tier", help="Keep attempts apart at this tier, not the study's least; below that they are refused."
        ),
    ] = None,
    work_root: Annotated[
        Path | None,
        typer.Option(
            "--work-root", metavar="DIR", help="Where attempts get their private folders; must allow execution."
        ),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin a new run; an unfinished one is kept and not taken up again.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Perform the study for real and seal what came of it. Resumes a run that was cut off.

    Makes no network operation, except that the backend `chat` asks the endpoint its configuration
    names. How attempts end never changes the exit code; it is 3 if not one
    attempt could be started, or not one came to be judged. The sealed record exists all the same.
    """
    wishes = Wishes(task, lane, trial, backend, config, tuple(probe or ()), jobs)
    asked = study_of(context, study, wishes)
    selection = selection_of(
        asked.frozen, quick=quick, correctness_only=correctness_only, reduced_timings=reduced_timings
    )
    if dry_run:
        print_json(preview(asked, selection))
        return
    if not asked.kind.is_prepared(asked.frozen, asked.prepared):
        todo = f"run `sealbook prepare {study}`"
        raise NotPreparedError("what the study pins is not in place", todo, where=asked.frozen.study.id)
    at = tier or _least_tier(asked)
    _require(asked, at)
    order = Order(
        frozen=asked.frozen,
        kind=asked.kind,
        selection=selection,
        tier=at,
        runs=asked.runs,
        prepared=asked.prepared,
        work_root=work_root or Path(tempfile.gettempdir()),
        source=source_of(asked.frozen.folder, environment.home()),
        runner=runner_identity(),
        environment=environment.facts(),
        clock=environment.SystemClock(),
        new_salt=environment.new_salt,
        checkout=repo.resolve() if repo else None,
        out=Path(os.path.realpath(out)) if out else None,
        new=new,
    )
    _warn("the project", order.source)
    with _stopping_politely("the same command resumes it"), guarded(), watching() as watcher:
        sealed = execute(order, watcher)
    _report(asked, sealed, as_json=as_json)
    _refuse_if_nothing_came_of_it(sealed, asked.project.shown(sealed.folder))


def _least_tier(asked: Asked) -> Tier:
    """The least tier that the study accepts and that it can be performed at; the study's own where there is none."""
    tiers = list(Tier)
    enough = [tier for tier in tiers[tiers.index(asked.frozen.study.tier) :] if tier in asked.kind.tiers]
    return enough[0] if enough else asked.frozen.study.tier


def _require(asked: Asked, tier: Tier) -> None:
    """Raise `TierUnavailableError` before anything starts; no tier ever stands in for another."""
    name = asked.frozen.study.id
    if tier not in asked.kind.tiers:
        able = ", ".join(sorted(tier.value for tier in asked.kind.tiers))
        what = f"a study of kind {asked.frozen.study.design.kind} is performed at tier {able}, not at {tier.value}"
        raise TierUnavailableError(what, f"use tier {able}", where=name)
    require(tier, for_what=name)


@contextmanager
def _stopping_politely(todo: str) -> Iterator[None]:
    """Turn Ctrl-C and SIGTERM, wherever they arrive, into an error that says what becomes of the work."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt as error:
        raise RunStoppedError("stopped on request", todo) from error
    finally:
        signal.signal(signal.SIGTERM, before)


def _report(asked: Asked, sealed: SealedRun, *, as_json: bool) -> None:
    for facts in sealed.run.facts.subjects:
        if isinstance(facts, CheckoutSubject):
            _warn(f"the checkout of {facts.subject}", facts.source)
    shown = asked.project.shown(sealed.folder)
    tally = sealed.run.tally
    if not as_json:
        typer.echo(f"{shown}: sealed, {said(tally)}; {sealed.run.analysis.disposition.value}")
    elif _came_to_something(tally):
        print_json(
            {
                "study": sealed.run.study,
                "run": sealed.run.run,
                "sealed": shown,
                "seal_sha256": sealed.seal_sha256,
                "tally": tally.model_dump(mode="json"),
                "disposition": sealed.run.analysis.disposition.value,
            }
        )


def _refuse_if_nothing_came_of_it(sealed: SealedRun, shown: str) -> None:
    tally = sealed.run.tally
    if _came_to_something(tally):
        return
    if tally.failed_to_run == 0:
        what = f"not one of {tally.planned} attempts was started"
        raise NothingStartedError(what, "see the reasons in attempts.jsonl", where=shown)
    what = f"not one of {tally.planned} attempts came to be judged"
    raise SetUpFailedError(what, "see the reasons in attempts.jsonl", where=shown)


def _came_to_something(tally: Tally) -> bool:
    return tally.accepted + tally.rejected + tally.timed_out > 0


def _warn(what: str, source: Source) -> None:
    if not isinstance(source, CommittedSource):
        typer.echo(f"note: {what} has no known commit ({source.reason}); the record says so", err=True)
    elif source.modified:
        more = f"{', '.join(source.modified[:3])}{' …' if len(source.modified) > 3 else ''}"
        typer.echo(f"note: {what} is modified ({more}); the record says so", err=True)
