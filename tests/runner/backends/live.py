"""Runs of a tiny comparison with a backend other than the fixture."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runner.contract.comparison.tasks import Asked
from runner.contract.study import Tier
from runner.execute.run import execute
from runner.kinds.comparison.kind import Comparison
from runner.reading.sealed import SealedRun
from tests.comparisons import TEXT, Tiny
from tests.factories import Silent, an_order


def toml(value: Mapping[str, Any]) -> str:
    """A configuration as a TOML file: its keys, then its tables."""
    lines = [f"{key} = {json.dumps(item)}" for key, item in value.items() if not isinstance(item, dict)]
    for name, table in value.items():
        if isinstance(table, dict):
            lines += [f"[{name}]", *(f"{key} = {json.dumps(item)}" for key, item in table.items())]
    return "\n".join(lines) + "\n"


def acted(
    folder: Path,
    backend: str,
    configuration: Path | None,
    *,
    tiny: Tiny | None = None,
    lane: str = TEXT,
    tier: Tier = Tier.process,
) -> SealedRun:
    """One attempt of a tiny comparison by this backend, sealed."""
    frozen = (tiny or Tiny()).read(folder / "manifests")
    kind = Comparison(Asked(lane=lane), backend, configuration)
    return execute(an_order(folder, frozen, kind, tier=tier), Silent())  # type: ignore[arg-type]


def document(sealed: SealedRun, name: str) -> Any:
    """One JSON document of the only attempt."""
    (attempt,) = sealed.attempts
    return json.loads(sealed.data(f"artifacts/{attempt.attempt}/{name}"))
