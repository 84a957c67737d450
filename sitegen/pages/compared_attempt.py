"""What an attempt at a comparison shows beside what every attempt does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from runner.contract.attempt import Attempt, Criterion
from runner.contract.comparison.actions import Agent
from runner.contract.comparison.detail import ComparisonDetail, KnownAgent, UsableObservation
from runner.contract.comparison.metrics import Metric
from runner.contract.comparison.tasks import ComparisonTask
from runner.contract.events import Event
from sitegen import figures
from sitegen.pages import marks
from sitegen.pages.agent_changes import ChangesView, changes_view
from sitegen.pages.attempt_parts import Line, Number
from sitegen.pages.attempt_records import Recorded
from sitegen.pages.edition import Edition
from sitegen.pages.happenings import Versus, judged
from sitegen.pages.ledgers import LedgerView, evidence_links, ledger_view
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link
from sitegen.pages.probes import ProbeView, probe_view
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class CriterionJudged:
    """One criterion of the task: what it requires, what was found, and where that can be checked."""

    id: str
    requirement: str
    mark: Mark
    versus: tuple[Versus, ...]
    evidence: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class ComparedAttempt:
    """One attempt at a comparison."""

    agent: tuple[tuple[str, str], ...]
    """Who acted, and with what; empty where nobody is known to have."""
    metrics: tuple[Number, ...]
    unusable: str
    """Why there are no metrics, as it is recorded; or empty."""
    criteria: tuple[CriterionJudged, ...]
    probe: ProbeView | None
    """None where the task asks none."""
    changes: ChangesView | None
    ledger: LedgerView | None
    """None where nothing was judged."""


def compared_attempt(
    edition: Edition, run: RunSource, task: ComparisonTask, found: Recorded, line: Line
) -> ComparedAttempt | None:
    """What is shown of an attempt at `task`; `line` is that of attempts.jsonl. None for another study kind."""
    detail = found.attempt.detail
    if not isinstance(detail, ComparisonDetail):
        return None
    ledger = ledger_view(edition, run, found.judged) if found.judged else None
    observed = detail.observed
    values = observed.metrics if isinstance(observed, UsableObservation) else None
    return ComparedAttempt(
        agent=_agent(edition, detail.who.about) if isinstance(detail.who, KnownAgent) else (),
        metrics=tuple(
            Number(edition.say(f"metric.{metric}"), figures.count(values.of(metric), edition.catalog), line)
            for metric in Metric
            if values is not None
        ),
        unusable="" if isinstance(observed, UsableObservation) else observed.reason,
        criteria=_criteria(edition, task, found.attempt, found.events, _evidence(found, ledger)),
        probe=probe_view(edition, run, task.probe, found.events) if task.probe else None,
        changes=changes_view(edition, run, found.judged) if found.judged else None,
        ledger=ledger,
    )


def _agent(edition: Edition, agent: Agent) -> tuple[tuple[str, str], ...]:
    return tuple((edition.say(f"agent.{name}"), str(getattr(agent, name))) for name in Agent.model_fields)


def _evidence(found: Recorded, ledger: LedgerView | None) -> Mapping[str, tuple[Link, ...]]:
    """What each criterion rests on, by its id."""
    if found.judged is None or ledger is None:
        return {}
    links = evidence_links(ledger.artifacts)
    return {row.id: tuple(links[name] for name in row.evidence) for row in found.judged.ledger.acceptance}


def _criteria(
    edition: Edition,
    task: ComparisonTask,
    attempt: Attempt,
    events: Sequence[Event],
    evidence: Mapping[str, tuple[Link, ...]],
) -> tuple[CriterionJudged, ...]:
    requirements = {item.id: edition.words(item.requirement) for item in task.acceptance}
    compared = judged(events, edition.catalog)

    def criterion(item: Criterion) -> CriterionJudged:
        return CriterionJudged(
            item.id,
            requirements.get(item.id, ""),
            marks.verdict(item.verdict, edition.catalog),
            tuple(one for one in compared if one.criterion == item.id),
            evidence.get(item.id, ()),
        )

    return tuple(map(criterion, attempt.criteria))
