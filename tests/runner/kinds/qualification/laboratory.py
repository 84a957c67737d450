"""Attempts at checks made on the spot, performed for real on one small subject."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.contract.attempt import ReasonCode
from runner.contract.canonical import load
from runner.contract.events import Event, JudgedEvent
from runner.contract.evidence import QualificationFacts
from runner.contract.plan import Plan, Selection, Slot, as_qualification
from runner.contract.qualification.tasks import Check, QualificationTasks
from runner.contract.study import Tier
from runner.kinds.kind import Bench, Performed
from runner.kinds.qualification.kind import Qualification
from runner.reading.manifest import FrozenStudy
from runner.sandbox.workspace import private_child

BOTH = {"en": "Text.", "zh": "文本。"}
EXIT_0 = {"expect": "exit", "code": 0}


def step(name: str, *argv: str, **fields: Any) -> dict[str, Any]:
    """A step `run` of the subject that expects exit 0, unless `fields` say otherwise."""
    return {"id": name, "do": "run", "argv": ["{command}", *argv], "expect": [EXIT_0], **fields}


def holds(count: int) -> dict[str, Any]:
    return {"expect": "json-count", "at": "", "count": count}


def a_check(*steps: dict[str, Any], **fields: Any) -> Check:
    """A check from its steps, read as from a task file."""
    value = {"id": "probe", "feature": "identity", "title": BOTH, "statement": BOTH, "trials": 1, "steps": list(steps)}
    return load(Check, value | fields, file="probe")


def verdicts(performed: Performed) -> dict[str, str]:
    """Each criterion with its verdict, as words."""
    return {criterion.id: criterion.verdict.value for criterion in performed.criteria}


def of_kind(performed: Performed, kind: type[Event]) -> list[Any]:
    """The events of one type, in order."""
    return [event for event in performed.events if isinstance(event, kind)]


def reason(performed: Performed) -> tuple[ReasonCode | None, str | None]:
    """Why an attempt is not accepted, and where that shows."""
    return (performed.reason.code, performed.reason.at) if performed.reason else (None, None)


def observed(performed: Performed, criterion: str) -> str:
    """What was observed for a criterion, the last time it was judged."""
    return [event.observed for event in of_kind(performed, JudgedEvent) if event.criterion == criterion][-1]


@dataclass(frozen=True, slots=True)
class Laboratory:
    """Performs checks on the board."""

    study: FrozenStudy
    prepared: Path
    work_root: Path

    def plan(self, check: Check, **caps: int) -> Plan:
        """A plan in which the probe is one more check."""
        plan = Qualification().plan(self.study, Selection.full)
        (tasks,) = as_qualification(plan)[1].subjects
        more = QualificationTasks(subjects=(tasks.model_copy(update={"checks": (check, *tasks.checks)}),))
        changed = {"caps": plan.study.caps.model_copy(update=caps)}
        study = plan.study.model_copy(update=changed)
        return plan.model_copy(update={"tasks": more, "study": study})

    def perform(self, check: Check, *, tier: Tier = Tier.process, **caps: int) -> Performed:
        """Perform the probe once, in a folder that is gone afterwards."""
        with private_child(self.work_root, "probe") as folder:
            bench = Bench(
                folder=folder,
                prepared=self.prepared,
                tier=tier,
                facts=QualificationFacts(subjects=()),
                now_ns=time.monotonic_ns,
            )
            slot = Slot(arm="tool", task=check.id, trial=1)
            performed = Qualification().perform(self.plan(check, **caps), slot, bench)
        assert len(performed.events) == len(performed.event_ns)
        assert list(performed.event_ns) == sorted(performed.event_ns)
        assert list(self.work_root.iterdir()) == []
        return performed
