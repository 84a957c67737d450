"""Whether run.json states what plan, attempts and events give, counted again from nothing."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from runner.contract.analysis.qualification import analyse
from runner.contract.attempt import Attempt, Outcome
from runner.contract.errors import Problem
from runner.contract.evidence import Commitment, PinnedSubject, Run, Timing
from runner.contract.plan import Plan
from runner.contract.qualification.design import InstalledSubject
from runner.contract.study import Tier
from runner.contract.tally import tally
from runner.contract.values import Record

FILE = "run.json"
_REMEDY = "do not rely on this run"


def check_totals(run: Run, plan: Plan, attempts: Sequence[Attempt]) -> Iterator[Problem]:
    """Tally and analysis, recomputed. Every difference is named by its key path."""
    try:
        counted = tally(plan.slots, attempts, excluded=len(plan.exclusions))
        analysis = analyse(plan, attempts)
    except ValueError as error:
        yield Problem(FILE, "tally", f"cannot be recomputed: {error}", _REMEDY)
        return
    yield from _differences("tally", run.tally, counted)
    yield from _differences("analysis", run.analysis, analysis)


def check_beginning(run: Run, plan: Plan, plan_sha256: str, attempts: Sequence[Attempt]) -> Iterator[Problem]:
    """What run.json says of the plan, the tier and the subjects."""
    if run.plan_sha256 != plan_sha256:
        what = f"{run.plan_sha256} stated, plan.json has {plan_sha256}"
        yield Problem(FILE, "plan_sha256", what, _REMEDY)
    if run.study != plan.study.id:
        yield Problem(FILE, "study", f"{run.study} stated, the plan is for {plan.study.id}", _REMEDY)
    if run.selection is not plan.selection:
        yield Problem(FILE, "selection", f"{run.selection.value} stated, the plan is {plan.selection.value}", _REMEDY)
    tiers = list(Tier)
    for number, attempt in enumerate(attempts, 1):
        if attempt.tier is not run.tier:
            what = f"{attempt.attempt} was made at the tier {attempt.tier.value}, the run at {run.tier.value}"
            yield Problem("attempts.jsonl", f"line {number}", what, _REMEDY)
        too_weak = tiers.index(attempt.tier) < tiers.index(plan.study.tier)
        if too_weak and attempt.outcome not in (Outcome.refused, Outcome.not_started):
            what = f"{attempt.attempt} was performed below the tier {plan.study.tier.value}"
            yield Problem("attempts.jsonl", f"line {number}", what, _REMEDY)
    yield from _subjects(run, plan)


def _subjects(run: Run, plan: Plan) -> Iterator[Problem]:
    installed = [s for s in plan.study.design.subjects if isinstance(s, InstalledSubject)]
    if [facts.subject for facts in run.facts.subjects] != [subject.id for subject in installed]:
        yield Problem(FILE, "facts.subjects", "are not the installed subjects of the plan", _REMEDY)
        return
    for index, (facts, subject) in enumerate(zip(run.facts.subjects, installed, strict=True)):
        where = f"facts.subjects[{index}]"
        if tuple(file.path for file in facts.files) != subject.curated:
            yield Problem(FILE, f"{where}.files", "are not the curated files of the plan", _REMEDY)
        if isinstance(facts, PinnedSubject) and facts.artifacts != subject.artifacts:
            yield Problem(FILE, f"{where}.artifacts", "are not those that the plan pins", _REMEDY)


def check_times(run: Run, attempts: Sequence[Attempt], timings: Sequence[Timing]) -> Iterator[Problem]:
    """Whether timings name every attempt once, in order, and end when the run does."""
    if [timing.attempt for timing in timings] != [attempt.attempt for attempt in attempts]:
        what = "does not name every attempt once, in the order of attempts.jsonl"
        yield Problem("timings.jsonl", "", what, _REMEDY)
    if (ended_at := end_of(run.started_at, timings)) != run.ended_at:
        yield Problem(FILE, "ended_at", f"{run.ended_at} stated, the timings give {ended_at}", _REMEDY)


def end_of(started_at: str, timings: Sequence[Timing]) -> str:
    """The instant, rounded up to a second, at which the last of these attempts ended."""
    last_ns = max((timing.ended_ns for timing in timings), default=0)
    try:
        begin = datetime.strptime(started_at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        end = begin + timedelta(seconds=-(-last_ns // 1_000_000_000))
    except (ValueError, OverflowError):
        return "no instant"
    return end.strftime("%Y-%m-%dT%H:%M:%SZ")


def check_commitments(attempts: Sequence[Attempt], commitments: Sequence[Commitment]) -> Iterator[Problem]:
    """Whether each commitment belongs to an attempt, once, in the order of the attempts."""
    position = {attempt.attempt: number for number, attempt in enumerate(attempts)}
    keys: list[tuple[int, str]] = []
    for number, item in enumerate(commitments, 1):
        if item.attempt not in position:
            what = f"belongs to {item.attempt}, which is no attempt of this run"
            yield Problem("commitments.jsonl", f"line {number}", what, _REMEDY)
        else:
            keys.append((position[item.attempt], item.name))
    if keys != sorted(set(keys)):
        yield Problem("commitments.jsonl", "", "a file stands twice or out of order", _REMEDY)


def _differences(path: str, stated: object, counted: object) -> Iterator[Problem]:
    """Every place at which two values of one model differ."""
    if isinstance(stated, Record) and type(stated) is type(counted):
        for name in type(stated).model_fields:
            yield from _differences(f"{path}.{name}", getattr(stated, name), getattr(counted, name))
    elif isinstance(stated, tuple) and isinstance(counted, tuple) and len(stated) == len(counted):
        for index, pair in enumerate(zip(stated, counted, strict=True)):
            yield from _differences(f"{path}[{index}]", *pair)
    elif isinstance(stated, tuple) and isinstance(counted, tuple):
        yield Problem(FILE, path, f"{len(stated)} stated, the attempts give {len(counted)}", _REMEDY)
    elif stated != counted:
        yield Problem(FILE, path, f"{stated} stated, the attempts give {counted}", _REMEDY)
