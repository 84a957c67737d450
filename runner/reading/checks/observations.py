"""Whether the metrics of a comparison's attempts are those of their ledgers, and of a recount of their sessions."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from pydantic import TypeAdapter

from runner.contract.attempt import Attempt, Verdict
from runner.contract.canonical import parse_record
from runner.contract.comparison.actions import Replay
from runner.contract.comparison.detail import ComparisonDetail, KnownAgent, UsableObservation
from runner.contract.comparison.ledger import DIFFERENCE_KIND, Ledger
from runner.contract.comparison.metrics import values_of
from runner.contract.comparison.observation import (
    LEDGER_FILE,
    OBSERVATION_FILE,
    REPLAY_FILE,
    TURNED_DOWN,
    Observation,
    disagreements,
    observe,
    recount,
)
from runner.contract.errors import ContractError, Problem
from runner.contract.values import FileDigest

Model = TypeVar("Model")
_REMEDY = "do not rely on this run"
_LEDGER: TypeAdapter[Ledger] = TypeAdapter(Ledger)
_OBSERVATION: TypeAdapter[Observation] = TypeAdapter(Observation)
_REPLAY: TypeAdapter[Replay] = TypeAdapter(Replay)


def check_observation(
    attempt: Attempt, sealed: Mapping[str, FileDigest], data: Callable[[str], bytes]
) -> Iterator[Problem]:
    """Problems of one attempt's documents; `data` reads a sealed file. Their files are named as in the run."""
    detail = attempt.detail
    if not isinstance(detail, ComparisonDetail):
        return
    folder = f"artifacts/{attempt.attempt}"
    judged = all(item.verdict is not Verdict.not_reached for item in attempt.criteria)
    if isinstance(detail.observed, UsableObservation) and not (judged and isinstance(detail.who, KnownAgent)):
        yield Problem(folder, "", "states metrics, and nothing that was judged is behind them", _REMEDY)
    if not isinstance(detail.who, KnownAgent):
        if any(item.verdict is not Verdict.not_reached for item in attempt.criteria):
            yield Problem(folder, "", "was judged, and nobody is said to have acted", _REMEDY)
        return
    wanted = {f"{folder}/{name}" for name in (REPLAY_FILE, LEDGER_FILE, OBSERVATION_FILE)}
    present = wanted & set(attempt.artifacts) & set(sealed)
    if judged and present != wanted:
        yield Problem(folder, "", f"lacks {', '.join(sorted(wanted - present))}", _REMEDY)
        return
    try:
        if f"{folder}/{REPLAY_FILE}" not in present:
            yield Problem(folder, "", f"lacks {REPLAY_FILE}", _REMEDY)
            return
        replay = _read(_REPLAY, f"{folder}/{REPLAY_FILE}", data)
        yield from _session(attempt, detail, replay, f"{folder}/{REPLAY_FILE}")
        if judged:
            ledger = _read(_LEDGER, f"{folder}/{LEDGER_FILE}", data)
            observation = _read(_OBSERVATION, f"{folder}/{OBSERVATION_FILE}", data)
            yield from _ledger(attempt, ledger, sealed, folder)
            if (ledger.fixture, ledger.agent) != (replay.fixture, replay.agent):
                yield Problem(f"{folder}/{LEDGER_FILE}", "", f"says otherwise than {REPLAY_FILE} who acted", _REMEDY)
            yield from _observation(detail, ledger, observation, replay, f"{folder}/{OBSERVATION_FILE}")
    except ContractError as error:
        yield from error.problems


def _read(model: TypeAdapter[Model], path: str, data: Callable[[str], bytes]) -> Model:
    return parse_record(model, data(path), file=path)


def _session(attempt: Attempt, detail: ComparisonDetail, replay: Replay, file: str) -> Iterator[Problem]:
    about = (replay.lane, replay.task, replay.trial)
    if about != (attempt.arm, attempt.task, attempt.trial):
        yield Problem(file, "", f"is of {'.'.join(map(str, about))}", _REMEDY)
    stated = (detail.backend, detail.fixture, detail.actions, detail.drift_applications, detail.turned_down)
    turned_down = sum(item.result in TURNED_DOWN for item in replay.actions)
    found = (replay.backend, replay.fixture, len(replay.actions), replay.drift_applications, turned_down)
    if stated != found:
        yield Problem(file, "", f"gives {found}, attempts.jsonl states {stated}", _REMEDY)
    if isinstance(detail.who, KnownAgent) and detail.who.about != replay.agent:
        yield Problem(file, "agent", "is another one than attempts.jsonl states", _REMEDY)


def _ledger(attempt: Attempt, ledger: Ledger, sealed: Mapping[str, FileDigest], folder: str) -> Iterator[Problem]:
    file = f"{folder}/{LEDGER_FILE}"
    if (ledger.lane, ledger.task, ledger.trial) != (attempt.arm, attempt.task, attempt.trial):
        yield Problem(file, "", f"is of {ledger.lane}.{ledger.task}.{ledger.trial}", _REMEDY)
    if (times := [artifact.kind for artifact in ledger.artifacts].count(DIFFERENCE_KIND)) != 1:
        what = f"names {times} artifacts of the kind {DIFFERENCE_KIND}, and what was judged has one"
        yield Problem(file, "artifacts", what, _REMEDY)
    for artifact in ledger.artifacts:
        found = sealed.get(f"{folder}/{artifact.path}")
        if found is None or (found.bytes, found.sha256) != (artifact.bytes, artifact.sha256):
            yield Problem(file, "artifacts", f"names {artifact.path} with another length or digest", _REMEDY)
    rows = [(row.id, row.outcome == "passed") for row in ledger.acceptance]
    if rows != [(item.id, item.verdict is Verdict.met) for item in attempt.criteria]:
        yield Problem(file, "acceptance", "differs from the criteria of the attempt", _REMEDY)


def _observation(
    detail: ComparisonDetail, ledger: Ledger, observation: Observation, replay: Replay, file: str
) -> Iterator[Problem]:
    if observation != observe(ledger):
        yield Problem(file, "", "is not what the ledger gives", _REMEDY)
    for metric in disagreements(observation, recount(replay)):
        yield Problem(file, f"metrics.{metric.value}", "a recount of the session gives another value", _REMEDY)
    values = values_of(observation.metrics)
    stated = detail.observed.metrics if isinstance(detail.observed, UsableObservation) else None
    if values != stated:
        yield Problem(file, "metrics", "differ from what attempts.jsonl states", _REMEDY)
