"""Whether the steps of one check fit together: every rule that no single step can be held to."""

import re
from collections.abc import Iterator, Mapping, Sequence

from runner.contract.qualification.steps import KillStep, RaceStep, RunStep, ServiceStep, StartStep, Step
from runner.contract.values import Record, twice

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_.]*)\}")
BUILT_IN = frozenset({"command", "python", "work", "state", "source"})
NUMBER = "i"


def faults(steps: Sequence[Step]) -> Iterator[str]:
    """What is wrong with a check's steps, in words, rule by rule."""
    if repeated := twice(step.id for step in steps):
        yield f"step ids must be unique in a check, twice: {', '.join(repeated)}"
    if repeated := twice(step.publish for step in steps if isinstance(step, RunStep) and step.publish):
        yield f"published names must be unique in a check, twice: {', '.join(repeated)}"
    if repeated := twice(step.port for step in steps if isinstance(step, ServiceStep)):
        yield f"port names must be unique in a check, twice: {', '.join(repeated)}"
    yield from _faults_of_kills(steps)
    yield from _faults_of_placeholders(steps)
    for step in steps:
        if isinstance(step, RaceStep) and step.winners > step.contenders:
            yield f"step {step.id}: more winners than contenders"


def _faults_of_kills(steps: Sequence[Step]) -> Iterator[str]:
    running: set[str] = set()
    killed: set[str] = set()
    for step in steps:
        match step:
            case StartStep() | ServiceStep():
                running.add(step.id)
            case KillStep() if step.target in running:
                running.remove(step.target)
                killed.add(step.target)
            case KillStep() if step.target in killed:
                yield f"step {step.id}: an earlier step has killed {step.target!r} already"
            case KillStep():
                yield f"step {step.id}: no earlier step starts {step.target!r}"


def _faults_of_placeholders(steps: Sequence[Step]) -> Iterator[str]:
    known = set(BUILT_IN)
    for step in steps:
        if isinstance(step, ServiceStep):
            known.add(f"port.{step.port}")
        local = known | {NUMBER} if isinstance(step, RunStep | RaceStep) else known
        for name in sorted(set(placeholders(step)) - local):
            yield f"step {step.id}: unknown placeholder {{{name}}}"
        if isinstance(step, RunStep):
            for name in (capture.name for capture in step.capture):
                if name in BUILT_IN | {NUMBER}:
                    yield f"step {step.id}: {{{name}}} has a meaning of its own and cannot be captured"
                known.add(name)


def expand(template: str, values: Mapping[str, str]) -> str:
    """`template` with every `{name}` replaced once. Raises KeyError for a name without a value."""
    return PLACEHOLDER.sub(lambda found: values[found[1]], template)


def placeholders(value: object) -> Iterator[str]:
    """Every placeholder name in the texts of a step, however deep."""
    if isinstance(value, str):
        yield from PLACEHOLDER.findall(value)
    elif isinstance(value, Record):
        for name in type(value).model_fields:
            if name not in ("id", "why"):
                yield from placeholders(getattr(value, name))
    elif isinstance(value, dict):
        for item in value.values():
            yield from placeholders(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from placeholders(item)
