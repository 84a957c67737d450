"""Events of an attempt at a comparison, beside those of processes and judgements."""

from typing import Literal

from runner.contract.comparison.actions import Performed
from runner.contract.values import Record, RelativePath, Sha256, Slug


class ActedEvent(Record):
    """The agent did something, and this became of it."""

    event: Literal["acted"] = "acted"
    performed: Performed


class DriftedEvent(Record):
    """The declared drift was applied under the agent."""

    event: Literal["drifted"] = "drifted"
    path: RelativePath
    patch_sha256: Sha256
    before_sha256: Sha256
    """Of the file."""
    after_sha256: Sha256


class ProbedEvent(Record):
    """The probe's binary was hashed before its first command and after its last."""

    event: Literal["probed"] = "probed"
    tool: Slug
    before_sha256: Sha256
    after_sha256: Sha256


ProbedTree = Literal["start", "candidate"]
"""What the probe is asked about: a copy of the untouched fixture, or of what the agent left."""


def probe_step(command: str, tree: ProbedTree) -> str:
    """How events name the process that is one command of the probe on one of the two trees."""
    return f"probe-{command}-{tree}"
