"""Whether run.json states what plan, attempts and events give, counted again from nothing."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from runner.contract.analysis.count import Count, counting
from runner.contract.attempt import Attempt, Outcome
from runner.contract.errors import Problem
from runner.contract.evidence import PinnedSubject, Run
from runner.contract.plan import Plan
from runner.contract.qualification.design import InstalledSubject
from runner.contract.study import Tier
from runner.contract.values import Record
from runner.reading.checks.comparisons import check_facts
from runner.reading.checks.parities import check_parity_facts

FILE = "run.json"
_REMEDY = "do not rely on this run"


class TotalsCheck:
    """Counts and analyses the attempts again, one by one, and holds run.json against it."""

    def __init__(self, run: Run, plan: Plan, data: Callable[[str], bytes]) -> None:
        self._run = run
        self._plan = plan
        self._tier: list[Problem] = []
        self._wrong = ""
        tiers = list(Tier)
        self._too_weak = frozenset(tiers[: tiers.index(plan.study.tier)])
        self._count: Count | None = None
        try:
            self._count = counting(plan, data)
        except ValueError as error:
            self._wrong = str(error)

    def see(self, number: int, attempt: Attempt) -> None:
        """Take the attempt of line `number`."""
        if attempt.tier is not self._run.tier:
            what = f"{attempt.attempt} was made at the tier {attempt.tier.value}, the run at {self._run.tier.value}"
            self._tier.append(Problem("attempts.jsonl", f"line {number}", what, _REMEDY))
        if attempt.tier in self._too_weak and attempt.outcome not in (Outcome.refused, Outcome.not_started):
            what = f"{attempt.attempt} was performed below the tier {self._plan.study.tier.value}"
            self._tier.append(Problem("attempts.jsonl", f"line {number}", what, _REMEDY))
        if self._count is None:
            return
        try:
            self._count.add(attempt)
        except ValueError as error:
            self._wrong = str(error)
            self._count = None

    def end(self, plan_sha256: str) -> Iterator[Problem]:
        """What run.json says wrongly of the plan, the tier, the subjects, and the counts, by key path."""
        yield from check_beginning(self._run, self._plan, plan_sha256)
        yield from self._tier
        yield from _subjects(self._run, self._plan)
        yield from check_facts(self._run, self._plan)
        yield from check_parity_facts(self._run, self._plan)
        if self._count is None:
            yield Problem(FILE, "tally", f"cannot be recomputed: {self._wrong}", _REMEDY)
            return
        yield from _differences("tally", self._run.tally, self._count.tally())
        yield from _differences("analysis", self._run.analysis, self._count.analysis())


def check_beginning(run: Run, plan: Plan, plan_sha256: str) -> Iterator[Problem]:
    """What run.json says of the plan."""
    if run.plan_sha256 != plan_sha256:
        what = f"{run.plan_sha256} stated, plan.json has {plan_sha256}"
        yield Problem(FILE, "plan_sha256", what, _REMEDY)
    if run.study != plan.study.id:
        yield Problem(FILE, "study", f"{run.study} stated, the plan is for {plan.study.id}", _REMEDY)
    if run.selection is not plan.selection:
        yield Problem(FILE, "selection", f"{run.selection.value} stated, the plan is {plan.selection.value}", _REMEDY)


def _subjects(run: Run, plan: Plan) -> Iterator[Problem]:
    if run.facts.kind != plan.study.design.kind:
        what = f"are those of a {run.facts.kind}, the plan is for a {plan.study.design.kind}"
        yield Problem(FILE, "facts", what, _REMEDY)
    installed = [arm for arm in plan.study.design.arms if isinstance(arm, InstalledSubject)]
    if [facts.subject for facts in run.facts.subjects] != [subject.id for subject in installed]:
        yield Problem(FILE, "facts.subjects", "are not the installed subjects of the plan", _REMEDY)
        return
    for index, (facts, subject) in enumerate(zip(run.facts.subjects, installed, strict=True)):
        where = f"facts.subjects[{index}]"
        if tuple(file.path for file in facts.files) != subject.curated:
            yield Problem(FILE, f"{where}.files", "are not the curated files of the plan", _REMEDY)
        if isinstance(facts, PinnedSubject) and facts.artifacts != subject.artifacts:
            yield Problem(FILE, f"{where}.artifacts", "are not those that the plan pins", _REMEDY)


def end_of(started_at: str, last_ns: int) -> str:
    """The instant, rounded up to a second, that lies so many nanoseconds after the start of a run."""
    try:
        begin = datetime.strptime(started_at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        end = begin + timedelta(seconds=-(-last_ns // 1_000_000_000))
    except (ValueError, OverflowError):
        return "no instant"
    return end.strftime("%Y-%m-%dT%H:%M:%SZ")


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
