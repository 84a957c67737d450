"""The frozen design of a parity study: what is compared, in which forms, and what may differ for which reason."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from runner.contract.artifact import Artifact, ArtifactRole
from runner.contract.parity.economics import DeclaredChange
from runner.contract.parity.mutation import Mutation
from runner.contract.parity.rules import Rule
from runner.contract.parity.timing import CommandTiming, Timing, TimingProtocol
from runner.contract.parity.variant import AnyVariant, CommitVariant, DeclaredVariant, Variant
from runner.contract.values import Instant, Line, Record, RelativePath, Slug, Text, twice

MUTANT = "mutant"
"""The arm of the attempt that runs a changed copy, and must be rejected."""
MEASUREMENT = "measurement"
"""The arm of the attempts that measure base and head side by side."""
Name = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$", max_length=60)]


class PseudoArm(Record):
    """What is attempted beside the variants: the mutant, and the measurement."""

    id: Slug
    title: Text
    summary: Text


class StateBackend(Record):
    """One way in which the software keeps its durable state."""

    id: Slug
    title: Text
    args: tuple[Line, ...]
    """What `{backend}` stands for in the arguments of a call."""


class Daemon(Record):
    """How the software's own daemon is asked and stopped, and where it says who it is."""

    ask: Annotated[tuple[Line, ...], Field(min_length=1)]
    """Arguments of a call that starts the daemon where none runs, and has it answer."""
    stop: Annotated[tuple[Line, ...], Field(min_length=1)]
    receipt: RelativePath
    """The JSON file, below `{run}`, that is there as long as the daemon runs."""
    pid: Line
    """The member of it that names the daemon's process."""


class Variable(Record):
    """One variable that every process gets."""

    name: Name
    value: Line


class ParityDesign(Record):
    """What a parity study freezes."""

    kind: Literal["parity"]
    version: Literal[1]
    package: Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]*$", max_length=60)]
    """The importable package, whose origin is verified in every process that imports it."""
    variants: Annotated[tuple[DeclaredVariant, ...], Field(min_length=2)]
    artifacts: Annotated[tuple[Artifact, ...], Field(min_length=1)]
    backends: Annotated[tuple[StateBackend, ...], Field(min_length=1)]
    scenarios: RelativePath
    """The pinned file that holds them."""
    daemon: Daemon | None = None
    clock: Instant
    """What every wall clock says, in seeding and in every call. Clocks for durations stay real."""
    file_time: Instant
    """The modification time of every file of variants and project; what an edit writes is one second later each."""
    variables: tuple[Variable, ...] = ()
    rules: tuple[Rule, ...]
    """Everything in which two variants may differ, with its reason. Nothing else is excused."""
    mutation: Mutation
    timing: Timing
    mutant: PseudoArm
    measurement: PseudoArm

    @property
    def arms(self) -> tuple[AnyVariant | PseudoArm, ...]:
        """What attempts are made with, each with an id and a title."""
        return (*self.variants, self.mutant, self.measurement)

    def variant(self, name: str) -> AnyVariant:
        """The variant of this id. Raises KeyError."""
        for item in self.variants:
            if item.id == name:
                return item
        raise KeyError(name)

    def backend(self, name: str) -> StateBackend:
        """The backend of this id. Raises KeyError."""
        for item in self.backends:
            if item.id == name:
                return item
        raise KeyError(name)

    @property
    def commits(self) -> dict[str, str]:
        """The commit of every variant that is made from one, by the variant's id."""
        return {item.id: item.commit for item in self.variants if isinstance(item, CommitVariant)}

    @property
    def changes(self) -> dict[str, DeclaredChange]:
        """What is declared of each change from one commit to another, by the later one's variant."""
        commits = (item for item in self.variants if isinstance(item, CommitVariant))
        return {item.id: item.change for item in commits if item.change is not None}

    @property
    def overlaps(self) -> dict[str, str]:
        """The pinned file that lists the other open changes, by variant, where one is supplied."""
        return {name: item.overlap for name, item in self.changes.items() if item.overlap is not None}

    def rules_for(self, variant: str, scenario: str) -> tuple[Rule, ...]:
        """The rules that apply where this variant is held against another in a scenario."""
        return tuple(
            rule
            for rule in self.rules
            if variant in rule.variants and (not rule.scenarios or scenario in rule.scenarios)
        )

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        wrong = [*self._told_apart(), *self._of_variants(), *self._of_timing()]
        if (self.mutant.id, self.measurement.id) != (MUTANT, MEASUREMENT):
            wrong.append(f"the ids of the other arms must be {MUTANT!r} and {MEASUREMENT!r}")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self

    def _told_apart(self) -> list[str]:
        named = {
            "arm ids": [arm.id for arm in self.arms],
            "backend ids": [backend.id for backend in self.backends],
            "artifact files": [artifact.file for artifact in self.artifacts],
            "rule ids": [rule.id for rule in self.rules],
            "variables": [variable.name for variable in self.variables],
        }
        return [f"{what} must be unique, twice: {', '.join(twice(ids))}" for what, ids in named.items() if twice(ids)]

    def _of_variants(self) -> list[str]:
        wrong: list[str] = []
        subjects = {item.file for item in self.artifacts if item.role in (ArtifactRole.subject, ArtifactRole.source)}
        before: set[str] = set()
        for variant in self.variants:
            if isinstance(variant, Variant) and variant.artifact not in subjects:
                wrong.append(f"{variant.id} is made from {variant.artifact}, which is no subject or source artifact")
            if variant.against is not None and variant.against not in before:
                wrong.append(f"{variant.id} is held against {variant.against!r}, which is no variant before it")
            before.add(variant.id)
        if self.variants[0].against is not None or any(item.against is None for item in self.variants[1:]):
            wrong.append("every variant but the first is held against one before it")
        if len({variant.origin for variant in self.variants}) > 1:
            wrong.append("variants come all from a package index or all from commits")
        if again := twice(self.commits.values()):
            wrong.append(f"no two variants are of one commit, twice: {', '.join(again)}")
        if unknown := sorted({name for rule in self.rules for name in rule.variants} - before):
            wrong.append(f"rules of variants that are not there: {', '.join(unknown)}")
        if self.mutation.variant not in before:
            wrong.append(f"the mutant is made from {self.mutation.variant!r}, which is no variant")
        return wrong

    def _of_timing(self) -> list[str]:
        builds = {variant.id: variant.build for variant in self.variants}
        wrong = [
            f"timing compares {name!r}, which is no variant"
            for name in (self.timing.base, self.timing.head)
            if name not in builds
        ]
        if not wrong and builds[self.timing.base] is not builds[self.timing.head]:
            wrong.append(f"{self.timing.base} and {self.timing.head} are not built alike, so no timing compares them")
        known = {backend.id for backend in self.backends}
        used = {row.backend for row in self.timing.rows} | {self.mutation.backend}
        if unknown := sorted(used - known):
            wrong.append(f"backends that are not there: {', '.join(unknown)}")
        if self.daemon is not None and isinstance(self.timing, CommandTiming):
            wrong.append("a daemon is measured: timing needs client, request, cold, warm and burst, and not `timed`")
        if self.daemon is None and isinstance(self.timing, TimingProtocol):
            wrong.append('without a daemon the command alone is timed: say timed = "command-alone" in timing')
        return wrong
