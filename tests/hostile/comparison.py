"""A comparison in which every text that anybody may choose is hostile, and one published run of it.

Its own kind performs it, with the backend that replays transcripts. What no transcript can say is put in afterwards:
what an agent is told, why there is no observation, why nothing may be concluded, and what a run found on its machine.
"""

import json
import shutil
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from runner.contract.comparison.actions import Transcript
from runner.contract.comparison.detail import ComparisonDetail
from runner.contract.comparison.tasks import ComparisonTask, PinnedText
from runner.contract.events import Event
from runner.contract.evidence import ComparisonFacts
from runner.contract.plan import Plan, Slot
from runner.contract.seal import digest
from runner.contract.study import Study
from runner.execute.run import execute
from runner.kinds.comparison.kind import Comparison
from runner.kinds.kind import Bench, Performed
from runner.reading.manifest import FrozenStudy, read_study
from tests.comparisons import SYMBOLS, TEXT, Tiny
from tests.factories import Silent, an_order
from tests.hostile import comparison_sample as sample
from tests.hostile.fields import Make, Poisoned, poison
from tests.hostile.toml import toml
from tests.sitegen.projects import RUN

STUDY = "paired"
NOTES = "fixtures/notes.txt"
"""A file of the fixture that holds hostile text."""


@dataclass(frozen=True)
class HostileComparison(Comparison):
    """Performs for real, and adds what the texts of a transcript cannot bring about."""

    detail: ComparisonDetail | None = None
    """Why in the lane by text there is nothing to count and to conclude; who acted is as it was."""
    events: tuple[Event, ...] = ()
    found: ComparisonFacts | None = None

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        performed = super().perform(plan, slot, bench)
        assert isinstance(performed.detail, ComparisonDetail)
        assert self.detail is not None
        said = self.detail.model_dump(include={"observed", "ineligible"}) if slot.arm == TEXT else {}
        return replace(
            performed,
            detail=ComparisonDetail.model_validate(performed.detail.model_dump() | said),
            events=performed.events + self.events,
            event_ns=performed.event_ns + tuple(bench.now_ns() for _ in self.events),
        )

    def facts(self, study: FrozenStudy, prepared: Path) -> ComparisonFacts:
        return self.found or super().facts(study, prepared)


def a_hostile_comparison(root: Path, make: Make, into: Poisoned, keep: frozenset[str]) -> None:
    """Write the study, and a published run of it."""

    def put(kind: Any, data: Any) -> Any:
        return poison(kind, data, make, into, keep=keep)

    def taken(kind: Any, data: Any) -> Any:
        return TypeAdapter(kind).validate_json(json.dumps(put(kind, data)))

    folder = Tiny(drift=True).write(root / "manifests", STUDY)
    task, study = (tomllib.loads((folder / name).read_text(encoding="utf-8")) for name in ("tasks/narrow.toml", _STUDY))
    study["pinned"].append({"path": NOTES, "sha256": ""})
    task |= {"acceptance": sample.acceptance(), "probe": sample.probe()}
    task["fixture"].append({"path": "shop/notes.txt", "pinned": NOTES})
    _write(folder, NOTES, _notes(make, into))
    _write(folder, "tasks/narrow.toml", toml(put(ComparisonTask, task)))
    for lane, actions in ((SYMBOLS, sample.by_symbol()), (TEXT, sample.by_text())):
        _write(folder, f"tasks/narrow.{lane}.toml", toml(put(Transcript, sample.transcript(lane, actions))))
    for pin in study["pinned"]:
        pin["sha256"] = digest((folder / pin["path"]).read_bytes())
    _write(folder, _STUDY, toml(put(Study, study)))
    kind = HostileComparison(
        detail=taken(ComparisonDetail, sample.detail()),
        events=taken(tuple[Event, ...], sample.events()),
        found=taken(ComparisonFacts, sample.facts()),
    )
    sealed = execute(an_order(root, read_study(folder), kind), Silent())  # type: ignore[arg-type]
    assert sealed.run.run == RUN
    shutil.move(sealed.folder, folder / "evidence" / RUN)
    shutil.rmtree(root / ".sealbook/runs" / STUDY)


_STUDY = "study.toml"


def _notes(make: Make, into: Poisoned) -> str:
    """The text of a pinned file, which a plan carries along with its digest."""
    name = f"{PinnedText.__name__}.text"
    label = f"{name}~{len(into.values)}"
    into.values[label] = make(label)
    into.taken.add(name)
    into.known[name] = str
    return into.values[label]


def _write(folder: Path, path: str, text: str) -> None:
    (folder / path).write_text(text, encoding="utf-8", newline="")
