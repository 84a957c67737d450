"""A parity study in which every text that anybody may choose is hostile, a published run of it, and a later one.

A scripted kind hands over its records: what a real program could leave there is all that matters to a page.
"""

import json
import shutil
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import TypeAdapter

from runner.contract.attempt import Criterion, Outcome, Verdict
from runner.contract.canonical import encode
from runner.contract.decision import Decision
from runner.contract.events import Event
from runner.contract.holds import holds_of
from runner.contract.parity.design import MEASUREMENT, MUTANT
from runner.contract.parity.detail import ParityDetail, ParityFacts
from runner.contract.parity.difference import COMPARISON_FILE, Compared
from runner.contract.parity.inventory import INVENTORY_FILE, Inventory
from runner.contract.parity.samples import SAMPLES_FILE, Samples
from runner.contract.parity.tasks import ScenarioFile
from runner.contract.plan import Plan, Slot
from runner.contract.seal import DECISION_FILE, DECISION_FORM, SEAL_FILE, digest, format_seal
from runner.contract.study import Study
from runner.contract.values import NoModelUsage
from runner.execute.run import execute
from runner.kinds.kind import Bench, Performed
from runner.kinds.parity.kind import Parity
from runner.reading.manifest import FrozenStudy, read_study
from runner.reading.sealed import SealedRun
from tests.factories import Silent, an_order
from tests.hostile import parity_sample as sample
from tests.hostile.fields import Make, Poisoned, poison
from tests.hostile.toml import toml
from tests.parities import SCENARIOS, Toy
from tests.sitegen.pages.sample import UNPUBLISHED
from tests.sitegen.projects import RUN

STUDY = "twins"
Put: TypeAlias = Callable[[Any, Any], Any]
"""Puts hostile texts into a record of a kind."""
_ONE = SCENARIOS.partition('[[scenarios]]\nid = "bad-word"')[0]


@dataclass(frozen=True)
class HostileParity(Parity):
    """Performs nothing, and hands over one record of each kind."""

    details: Mapping[str, ParityDetail] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    documents: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    """By attempt."""
    found: ParityFacts | None = None

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        criteria = plan.tasks.criteria(slot.arm, slot.task)
        return Performed(
            outcome=Outcome.accepted,
            reason=None,
            passed_after_cap=False,
            criteria=tuple(Criterion(id=name, verdict=Verdict.met) for name in criteria),
            usage=NoModelUsage(),
            detail=self.details.get(slot.arm, self.details["head"]),
            events=self.events,
            event_ns=tuple(bench.now_ns() for _ in self.events),
            replaced=0,
            artifacts=self.documents.get(slot.attempt_id(0), {}),
        )

    def facts(self, study: FrozenStudy, prepared: Path) -> ParityFacts:
        return self.found or super().facts(study, prepared)


def a_hostile_parity(root: Path, make: Make, into: Poisoned, keep: frozenset[str]) -> None:
    """Write the study, a published run of it, and a later one that is not published."""

    def put(kind: Any, data: Any) -> Any:
        return poison(kind, data, make, into, keep=keep)

    def taken(kind: Any, data: Any) -> Any:
        return TypeAdapter(kind).validate_json(json.dumps(put(kind, data)))

    folder = root / "manifests" / STUDY
    timed = (("files", "clean"),)
    toy = Toy(scenarios=_ONE, backends=("files",), timed=timed, mutated="clean", pairs=2, cold=1, warm=1, burst=1)
    toy.study(root / "manifests", STUDY)
    scenarios, study = (
        tomllib.loads((folder / name).read_text(encoding="utf-8")) for name in ("tasks/scenarios.toml", "study.toml")
    )
    scenarios["scenarios"][0]["steps"] += [
        {"step": "edit", "id": "edit", "files": "fixtures/spoilt"},
        {"step": "stop", "id": "stop"},
        {"step": "call", "id": "last", "args": ["x"], "expect": {"exit": 0, "records": [{"x": "x"}], "holds": ["x"]}},
    ]
    study["design"]["rules"] = sample.rules()
    _write(folder, "tasks/scenarios.toml", toml(put(ScenarioFile, scenarios)))
    for pin in study["pinned"]:
        pin["sha256"] = digest((folder / pin["path"]).read_bytes())
    _write(folder, "study.toml", toml(put(Study, study)))
    base, head, measured = (f"{arm}.files-clean.1" for arm in ("base", "head", MEASUREMENT))
    kind = HostileParity(
        details={arm: taken(ParityDetail, data) for arm, data in sample.details().items()},
        events=taken(tuple[Event, ...], sample.events()),
        documents={
            base: {INVENTORY_FILE: taken(Inventory, sample.inventory(base)).canonical()},
            head: {
                INVENTORY_FILE: taken(Inventory, sample.inventory(head)).canonical(),
                COMPARISON_FILE: taken(Compared, sample.comparison(base, head)).canonical(),
            },
            measured: {SAMPLES_FILE: taken(Samples, sample.samples(measured)).canonical()},
        },
        found=taken(ParityFacts, sample.facts()),
    )
    assert {MUTANT, MEASUREMENT} <= kind.details.keys()
    for started_at in ("2026-11-30T01:02:03Z", "2026-11-30T05:06:07Z"):
        order = an_order(root, read_study(folder), kind, started_at=started_at)  # type: ignore[arg-type]
        sealed = execute(order, Silent())
        if sealed.run.run == RUN:
            (folder / "evidence").mkdir()
            shutil.move(sealed.folder, folder / "evidence" / RUN)
            _decide(folder, sealed, put)
        else:
            assert sealed.run.run == UNPUBLISHED


def _decide(folder: Path, run: SealedRun, put: Put) -> None:
    """Two hostile decisions on all that the run holds, each sealed."""
    held = [hold.model_dump(mode="json") for hold in holds_of(run.run.analysis)]
    assert held
    for name, decided_at in sample.DECIDED:
        data = sample.decision(name, decided_at, STUDY, RUN, run.seal_sha256)
        record = encode(put(Decision, data) | {"holds": held})
        place = folder / DECISION_FORM.place / name
        place.mkdir(parents=True)
        (place / DECISION_FILE).write_bytes(record)
        (place / SEAL_FILE).write_bytes(format_seal({DECISION_FILE: digest(record)}))


def _write(folder: Path, path: str, text: str) -> None:
    (folder / path).write_text(text, encoding="utf-8", newline="")
