"""Whether an attempt of a comparison is one of its plan and its run, and its events are what its documents tell."""

from collections.abc import Callable, Iterator, Sequence

from pydantic import TypeAdapter

from runner.contract.attempt import Attempt, Verdict
from runner.contract.canonical import parse_record
from runner.contract.comparison.acceptance import ProbeRule
from runner.contract.comparison.actions import Replay, Transcript
from runner.contract.comparison.detail import ComparisonDetail, IneligibleBecause, ProbeFound
from runner.contract.comparison.happenings import ActedEvent, DriftedEvent, ProbedEvent
from runner.contract.comparison.ledger import Ledger
from runner.contract.comparison.observation import ACCEPTANCE_FILE, LEDGER_FILE, REPLAY_FILE, acceptance_document
from runner.contract.comparison.tasks import FIXTURE_BACKEND, ComparisonTask, PatchDrift
from runner.contract.errors import ContractError, Problem
from runner.contract.events import Event, JudgedEvent
from runner.contract.evidence import ComparisonFacts, Run
from runner.contract.plan import Plan, as_comparison
from runner.contract.seal import digest
from runner.reading.checks.published import fits

_REMEDY = "do not rely on this run"
_LEDGER: TypeAdapter[Ledger] = TypeAdapter(Ledger)
_REPLAY: TypeAdapter[Replay] = TypeAdapter(Replay)
Read = Callable[[str], bytes]


def check_facts(run: Run, plan: Plan) -> Iterator[Problem]:
    """What run.json says of a comparison's backend and probes that the plan says otherwise."""
    if not isinstance(facts := run.facts, ComparisonFacts) or facts.kind != plan.study.design.kind:
        return
    _, tasks = as_comparison(plan)
    if facts.backend != tasks.backend:
        what = f"{facts.backend} stated, the plan is for {tasks.backend}"
        yield Problem("run.json", "facts.backend", what, _REMEDY)
    if facts.backend == FIXTURE_BACKEND and not facts.fixture:
        yield Problem("run.json", "facts.fixture", f"the backend {FIXTURE_BACKEND} is one", _REMEDY)
    tools = list(dict.fromkeys(task.probe.tool for task in tasks.tasks if task.probe))
    if [probe.tool for probe in facts.probes] != tools:
        yield Problem("run.json", "facts.probes", "are not of the tools that the plan's tasks name", _REMEDY)


def check_comparison(
    attempt: Attempt, events: Sequence[Event], plan: Plan, run: Run, present: Callable[[str], bool], data: Read
) -> Iterator[Problem]:
    """Problems of one attempt; `data` reads a sealed file that is `present`."""
    detail, facts = attempt.detail, run.facts
    if not isinstance(detail, ComparisonDetail) or not isinstance(facts, ComparisonFacts):
        return
    if (detail.backend, detail.fixture) != (facts.backend, facts.fixture):
        what = f"{attempt.attempt} is of the backend {detail.backend}, the run of {facts.backend}"
        if detail.backend == facts.backend:
            what = f"{attempt.attempt} says otherwise than the run whether a script stood in for a model"
        yield Problem("attempts.jsonl", "", what, _REMEDY)
    try:
        design, tasks = as_comparison(plan)
        task = tasks.check(attempt.arm, attempt.task)
    except (KeyError, ValueError):
        return  # the check of the attempts says so
    yield from _probes(attempt, events, task, facts)
    folder = f"artifacts/{attempt.attempt}"
    file = f"{folder}/{REPLAY_FILE}"
    try:
        if present(file):
            replay = parse_record(_REPLAY, data(file), file=file)
            yield from _acted(attempt, events, replay, task, tasks.text)
            if facts.backend == FIXTURE_BACKEND:
                whole = present(f"{folder}/{LEDGER_FILE}") and not _says_that_it_is_cut(detail)
                yield from _scripted(replay, tasks.transcript(attempt.arm, attempt.task), file, whole=whole)
        file = f"{folder}/{LEDGER_FILE}"
        if present(file):
            ledger = parse_record(_LEDGER, data(file), file=file)
            yield from _header(ledger, plan, task, design.pairing.state, file)
            if present(acceptance := f"{folder}/{ACCEPTANCE_FILE}"):
                yield from _rows(events, task, acceptance, data, fixture=facts.fixture)
            else:
                yield Problem(acceptance, "", "is not there", _REMEDY)
    except ContractError as error:
        yield from error.problems


def _header(ledger: Ledger, plan: Plan, task: ComparisonTask, state: str, file: str) -> Iterator[Problem]:
    pinned = next((item.sha256 for item in plan.manifest if item.path == "study.toml"), "")
    planned = {
        "study": plan.study.id,
        "manifest_sha256": pinned,
        "state": state,
        "prompt_sha256": task.prompt_sha256,
    }
    for name, wanted in planned.items():
        if (stated := getattr(ledger, name)) != wanted:
            yield Problem(file, name, f"{stated} stated, the plan gives {wanted}", _REMEDY)


def _says_that_it_is_cut(detail: ComparisonDetail) -> bool:
    return any(item.because is IneligibleBecause.record_not_whole for item in detail.ineligible)


def _scripted(replay: Replay, script: Transcript | None, file: str, *, whole: bool) -> Iterator[Problem]:
    """Whether a replayed session is its pinned script, or began as that does where a clock has cut it off."""
    done = [item.action.model_dump(mode="json") for item in replay.actions]
    wanted = script.actions if script else ()
    known = [item.model_dump(mode="json") for item in (wanted if whole else wanted[: len(done)])]
    if not fits(done, known):
        yield Problem(file, "actions", "are not those of the transcript that the plan carries", _REMEDY)


def _acted(
    attempt: Attempt, events: Sequence[Event], replay: Replay, task: ComparisonTask, text: Callable[[str], str]
) -> Iterator[Problem]:
    file = attempt.events or "attempts.jsonl"
    if tuple(event.performed for event in events if isinstance(event, ActedEvent)) != replay.actions:
        yield Problem(file, "", f"does not tell the actions that {REPLAY_FILE} tells", _REMEDY)
    drifts = [event for event in events if isinstance(event, DriftedEvent)]
    if len(drifts) != replay.drift_applications:
        what = f"tells of {len(drifts)} drifts, {REPLAY_FILE} of {replay.drift_applications}"
        yield Problem(file, "", what, _REMEDY)
    patch = digest(text(task.drift.patch).encode()) if isinstance(task.drift, PatchDrift) else ""
    if any(event.patch_sha256 != patch for event in drifts):
        yield Problem(file, "", "tells of a drift by another patch than the plan's", _REMEDY)


def _probes(
    attempt: Attempt, events: Sequence[Event], task: ComparisonTask, facts: ComparisonFacts
) -> Iterator[Problem]:
    """What asks the probe is only met if the binary was the one that the run began with, before and after."""
    asking = {item.id for item in task.acceptance if any(isinstance(rule, ProbeRule) for rule in item.rules)}
    met = sorted(item.id for item in attempt.criteria if item.id in asking and item.verdict is Verdict.met)
    known = {
        (probe.tool, probe.file.sha256, probe.file.sha256) for probe in facts.probes if isinstance(probe, ProbeFound)
    }
    seen = [(item.tool, item.before_sha256, item.after_sha256) for item in events if isinstance(item, ProbedEvent)]
    if met and not (seen and set(seen) <= known):
        what = f"{', '.join(met)} met, and the probe was not the one that the run began with"
        yield Problem(attempt.events or "attempts.jsonl", "", what, _REMEDY)


def _rows(events: Sequence[Event], task: ComparisonTask, file: str, data: Read, *, fixture: bool) -> Iterator[Problem]:
    rows: dict[str, list[tuple[bool, str, str]]] = {item.id: [] for item in task.acceptance}
    for event in events:
        if isinstance(event, JudgedEvent) and event.criterion in rows:
            rows[event.criterion].append((event.verdict is Verdict.met, event.expected, event.observed))
    if any(len(rows[item.id]) != len(item.rules) for item in task.acceptance):
        yield Problem(file, "", "the events do not judge every rule of the plan once", _REMEDY)
    elif data(file) != acceptance_document(list(rows.items()), fixture=fixture):
        yield Problem(file, "", "is not what the events judge", _REMEDY)
