"""The JSON Schemas of everything that evidence consists of, as bytes. Whoever writes them is elsewhere."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from runner.contract.attempt import Attempt
from runner.contract.comparison.actions import Replay, Transcript
from runner.contract.comparison.ledger import Ledger
from runner.contract.comparison.observation import Observation
from runner.contract.comparison.tasks import ComparisonTask
from runner.contract.decision import Decision
from runner.contract.events import Event
from runner.contract.evidence import Commitment, Run, Timing
from runner.contract.license import LicenseMatrix
from runner.contract.parity.difference import Compared
from runner.contract.parity.inventory import Inventory
from runner.contract.parity.overlap import OverlapInventory
from runner.contract.parity.samples import Samples
from runner.contract.parity.tasks import ScenarioFile
from runner.contract.plan import Plan
from runner.contract.qualification.tasks import TaskFile
from runner.contract.reported.record import Reported
from runner.contract.study import Study

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MODELS: Mapping[str, TypeAdapter[Any]] = {
    "study": TypeAdapter(Study),
    "tasks": TypeAdapter(TaskFile),
    "licenses": TypeAdapter(LicenseMatrix),
    "plan": TypeAdapter(Plan),
    "attempt": TypeAdapter(Attempt),
    "event": TypeAdapter(Event),
    "timing": TypeAdapter(Timing),
    "commitment": TypeAdapter(Commitment),
    "run": TypeAdapter(Run),
    "decision": TypeAdapter(Decision),
    "reported": TypeAdapter(Reported),
    "comparison-task": TypeAdapter(ComparisonTask),
    "comparison-transcript": TypeAdapter(Transcript),
    "comparison-replay": TypeAdapter(Replay),
    "comparison-ledger": TypeAdapter(Ledger),
    "comparison-observation": TypeAdapter(Observation),
    "parity-scenarios": TypeAdapter(ScenarioFile),
    "parity-inventory": TypeAdapter(Inventory),
    "parity-comparison": TypeAdapter(Compared),
    "parity-samples": TypeAdapter(Samples),
    "parity-overlap": TypeAdapter(OverlapInventory),
}


def schemas() -> dict[str, bytes]:
    """File name to content, sorted and indented, so that a change shows as a small difference."""
    return {f"{name}.json": _schema(name) for name in sorted(_MODELS)}


@cache
def _schema(name: str) -> bytes:
    schema = {"$schema": DIALECT, "$id": f"{name}.json", **_MODELS[name].json_schema()}
    return (json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()
