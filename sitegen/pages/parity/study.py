"""What the page of a parity study shows as frozen: scenarios, plan, rules, the mutation, and how it is timed."""

from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.parity.design import ParityDesign
from runner.contract.parity.rules import RuleClass
from runner.contract.parity.tasks import ParityTasks, row_name
from runner.contract.parity.timing import TimingProtocol
from runner.contract.plan import as_parity
from sitegen import figures
from sitegen.pages.edition import Edition
from sitegen.pages.gates import gate_words
from sitegen.pages.parity.change import ChangeView, declared_changes
from sitegen.pages.parity.holds import RunHolds, study_holds
from sitegen.pages.parity.rules import RuleView, rule_view
from sitegen.pages.parity.steps import INTERPRETER, parity_step
from sitegen.pages.planned import planned_tasks, task_words
from sitegen.pages.steps import StepView
from sitegen.pages.subject_views import ArtifactView, artifact_views
from sitegen.pages.wording import command
from sitegen.sources import StudySource


@dataclass(frozen=True, slots=True)
class BackendView:
    """One way in which the software keeps its durable state."""

    id: str
    title: str
    args: str


@dataclass(frozen=True, slots=True)
class ScenarioView:
    """One situation that every variant meets in every backend."""

    id: str
    title: str
    statement: str
    project: str
    steps: tuple[StepView, ...]
    unfold: str


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One backend and scenario, and which arms are at it: the anchor of each that is, or None."""

    title: str
    anchors: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class MutationView:
    """The declared change, and how it must be noticed."""

    variant: str
    row: str
    file: str
    digest: str
    find: str
    replace: str
    criterion: str
    status: int
    invariant: str


@dataclass(frozen=True, slots=True)
class Sampled:
    """One measure, how often it is taken of each variant, and what it is."""

    measure: str
    count: int
    meaning: str


@dataclass(frozen=True, slots=True)
class ClientView:
    """The program that sends requests to a daemon."""

    file: str
    digest: str
    request: str


@dataclass(frozen=True, slots=True)
class TimingView:
    """The measurement before the first sample."""

    base: str
    head: str
    rows: tuple[str, ...]
    command: str
    client: ClientView | None
    """None where the command alone is timed."""
    samples: tuple[Sampled, ...]
    seed: str
    resamplings: int
    cap: str
    gates: tuple[tuple[str, str, str], ...]
    """Title, measure, and the gate as a sentence."""


@dataclass(frozen=True, slots=True)
class ParityStudy:
    """Everything that a parity study freezes beside what every study does."""

    facts: tuple[tuple[str, str], ...]
    artifacts: tuple[ArtifactView, ...]
    backends: tuple[BackendView, ...]
    scenarios: tuple[ScenarioView, ...]
    arms: tuple[str, ...]
    plan: tuple[PlanRow, ...]
    normalisations: tuple[RuleView, ...]
    declared: tuple[RuleView, ...]
    mutation: MutationView
    timing: TimingView
    changes: tuple[ChangeView, ...]
    """From commit to commit; none in a study of packages."""
    holds: tuple[RunHolds, ...]
    """Of every sealed run, in order of time."""


def parity_study(edition: Edition, source: StudySource) -> ParityStudy | None:
    """What the manifest freezes; None for another study kind."""
    if not isinstance(source.frozen.study.design, ParityDesign):
        return None
    design, tasks = as_parity(source.frozen)
    rules = {
        kind: tuple(rule_view(edition, design, tasks, rule) for rule in design.rules if rule.rule_class is kind)
        for kind in RuleClass
    }
    return ParityStudy(
        facts=tuple(_facts(edition, design)),
        artifacts=artifact_views(edition, design.artifacts),
        backends=tuple(BackendView(item.id, edition.words(item.title), command(item.args)) for item in design.backends),
        scenarios=tuple(
            ScenarioView(
                id=item.id,
                title=edition.words(item.title),
                statement=edition.words(item.statement),
                project=item.project,
                steps=tuple(parity_step(edition, design, step) for step in item.steps),
                unfold=edition.say("study.steps", n=len(item.steps)),
            )
            for item in tasks.scenarios
        ),
        arms=tuple(edition.words(arm.title) for arm in design.arms),
        plan=tuple(_plan(edition, source, design, tasks)),
        normalisations=rules[RuleClass.normalisation],
        declared=rules[RuleClass.declared],
        mutation=_mutation(edition, source, design),
        timing=_timing(edition, source, design),
        changes=declared_changes(edition, design),
        holds=study_holds(edition, source),
    )


def _facts(edition: Edition, design: ParityDesign) -> Iterator[tuple[str, str]]:
    say = edition.say
    yield say("parity.package"), design.package
    yield say("parity.clock"), figures.instant(design.clock)
    yield say("parity.file-time"), figures.instant(design.file_time)
    variables = ", ".join(f"{item.name}={item.value}" for item in design.variables)
    yield say("parity.variables"), variables or say("parity.no-variables")
    if design.daemon:
        yield say("parity.daemon-asked"), command((*INTERPRETER, *design.daemon.ask))
        yield say("parity.daemon-stopped"), command((*INTERPRETER, *design.daemon.stop))
        yield say("parity.daemon-receipt"), f"{design.daemon.receipt} · {design.daemon.pid}"


def _plan(edition: Edition, source: StudySource, design: ParityDesign, tasks: ParityTasks) -> Iterator[PlanRow]:
    planned = planned_tasks(source.frozen)
    for row in tasks.rows:
        places = ((arm.id, row) for arm in design.arms)
        yield PlanRow(
            task_words(edition, source.frozen, design.variants[0].id, row),
            tuple(f"{arm}.{row}" if (arm, row) in planned else None for arm, row in places),
        )


def _row(edition: Edition, source: StudySource, backend: str, scenario: str) -> str:
    return task_words(edition, source.frozen, "", row_name(backend, scenario))


def _mutation(edition: Edition, source: StudySource, design: ParityDesign) -> MutationView:
    mutation = design.mutation
    return MutationView(
        variant=edition.words(design.variant(mutation.variant).title),
        row=_row(edition, source, mutation.backend, mutation.scenario),
        file=mutation.file,
        digest=mutation.sha256,
        find=mutation.find,
        replace=mutation.replace,
        criterion=mutation.criterion,
        status=mutation.exit_status,
        invariant=edition.words(mutation.invariant),
    )


def _timing(edition: Edition, source: StudySource, design: ParityDesign) -> TimingView:
    timing, catalog = design.timing, edition.catalog
    return TimingView(
        base=edition.words(design.variant(timing.base).title),
        head=edition.words(design.variant(timing.head).title),
        rows=tuple(_row(edition, source, row.backend, row.scenario) for row in timing.rows),
        command=timing.command,
        client=_client(source, timing) if isinstance(timing, TimingProtocol) else None,
        samples=tuple(
            Sampled(catalog.word(measure), timing.count(measure), edition.say(f"measure.{measure}.meaning"))
            for measure in timing.measures
        ),
        seed=timing.seed,
        resamplings=timing.resamplings,
        cap=figures.duration(timing.seconds * 1_000_000_000, catalog),
        gates=tuple(
            (edition.words(gate.title), catalog.word(gate.measure), gate_words(edition, gate.gate))
            for gate in timing.gates
        ),
    )


def _client(source: StudySource, timing: TimingProtocol) -> ClientView:
    pinned = next(file.sha256 for file in source.frozen.files if file.path == timing.client)
    return ClientView(timing.client, pinned, command(timing.request))
