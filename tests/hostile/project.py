"""A whole project in which every text that anybody may choose attacks the page it is shown on."""

import json
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from runner.contract.attempt import Reason
from runner.contract.events import Event, FaultEvent, JudgedEvent
from runner.contract.evidence import Commitment, Environment, QualificationFacts, RunnerIdentity, Source
from runner.contract.license import LicenseMatrix
from runner.contract.plan import Plan, Slot
from runner.contract.qualification.tasks import TaskFile
from runner.contract.reported.record import Reported
from runner.contract.seal import digest
from runner.contract.study import Study
from runner.contract.values import UnknownUsage
from runner.execute.run import execute
from runner.kinds.kind import Bench, Performed
from runner.reading.manifest import FrozenStudy, read_study
from sitegen.sources.values import RulesRecord, SiteConfig
from tests.factories import ScriptedKind, Silent, an_order
from tests.hostile import sample
from tests.hostile.commits import a_hostile_change
from tests.hostile.comparison import a_hostile_comparison
from tests.hostile.fields import Poisoned, poison
from tests.hostile.parity import a_hostile_parity
from tests.hostile.payloads import ADDRESSES, PAYLOADS, labelled
from tests.hostile.toml import toml
from tests.sitegen.pages.sample import OUTCOMES, UNPUBLISHED
from tests.sitegen.projects import RUN, write
from tests.sitegen.reported import a_report, write_report
from tests.studies import a_study

GROUP = 5
BATCHES = len(PAYLOADS) // GROUP
"""So many projects hold every payload in every field."""
HELD = frozenset(
    {
        "FileDigest.path",  # a run's curated files are those of its plan
        "DeclaredFinding.at",  # names a value of its own file
        "ServiceStep.argv",  # starts a program that the design names
        "JudgedEvent.criterion",  # judged is what the plan names
        "ResultFront.successor",  # names a page that exists
        "Mutation.criterion",  # is judged in a scenario
        "FindingHold.criteria",  # what the run says of the attempt
        "ClassifiedPaths.paths",  # have to name every changed file
        "RuleStanding.status",  # one of five words
        "RuleProof.outcome",  # one of pytest's words
        "RuleProof.cases",  # counted by them
    }
)
"""Fields without a pattern whose text something else decides."""


def hostile_text(batch: int) -> Callable[[str], str]:
    """Makes the text of one field after another: an address first, then the payloads of the batch in turn."""
    group = list(PAYLOADS.values())[batch * GROUP : (batch + 1) * GROUP]
    addresses = ["", *ADDRESSES.values()]
    numbers = count(batch)

    def make(label: str) -> str:
        number = next(numbers)
        turn = number % GROUP
        parts = [addresses[number % len(addresses)], *group[turn:], *group[:turn]]
        return " ".join(labelled(part, label) for part in parts if part)

    return make


@dataclass
class HostileKind(ScriptedKind):
    """Leaves events of every kind behind, and each text in them is hostile."""

    events: tuple[Event, ...] = ()
    reason_at: str | None = None
    usage: UnknownUsage = field(default_factory=lambda: UnknownUsage(reason="x"))
    found: QualificationFacts | None = None

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        performed = super().perform(plan, slot, bench)
        faulty = performed.outcome.value == "failed-to-run"
        judged = next(event for event in self.events if isinstance(event, JudgedEvent))
        said = {"expected": judged.expected, "observed": judged.observed}
        events = [
            event.model_copy(update=said) if isinstance(event, JudgedEvent) else event for event in performed.events
        ]
        events += [
            event
            for event in self.events
            if not isinstance(event, JudgedEvent) and (faulty or not isinstance(event, FaultEvent))
        ]
        reason = performed.reason and Reason(code=performed.reason.code, at=self.reason_at)
        instants = tuple(bench.now_ns() for _ in events)
        return replace(performed, events=tuple(events), event_ns=instants, reason=reason, usage=self.usage)

    def facts(self, study: FrozenStudy, prepared: Path) -> QualificationFacts:
        return self.found or super().facts(study, prepared)


def a_hostile_project(root: Path, batch: int) -> Poisoned:
    """Write the project of one batch and say what each field came to."""
    found, make = Poisoned(), hostile_text(batch)
    frozen = _manifest(root, make, found)
    _runs(root, frozen, make, found)
    a_hostile_comparison(root, make, found, HELD)
    a_hostile_parity(root, make, found, HELD)
    a_hostile_change(root, make, found, HELD)
    _content(root, make, found)
    write_report(root, poison(Reported, a_report(), make, found, keep=HELD))
    record = poison(RulesRecord, sample.record(), make, found, keep=HELD)
    write(root, "docs/rules-record.json", json.dumps(record))
    return found


def _manifest(root: Path, make: Callable[[str], str], found: Poisoned) -> FrozenStudy:
    folder = root / "manifests" / "tiny"
    a_study(root / "manifests")
    tasks = tomllib.loads((folder / "tasks/tool.toml").read_text(encoding="utf-8"))
    tasks["checks"].append(sample.check())
    licenses = tomllib.loads((folder / "licenses.toml").read_text(encoding="utf-8"))
    licenses["rows"] += sample.licenses()
    study = tomllib.loads((folder / "study.toml").read_text(encoding="utf-8"))
    study["design"]["tools"] = ["nats-server"]
    write(folder, "tasks/tool.toml", toml(poison(TaskFile, tasks, make, found, keep=HELD)))
    write(folder, "licenses.toml", toml(poison(LicenseMatrix, licenses, make, found, keep=HELD)))
    for pin in study["pinned"]:
        pin["sha256"] = digest((folder / pin["path"]).read_bytes())
    write(folder, "study.toml", toml(poison(Study, study, make, found, keep=HELD)))
    return read_study(folder)


def _runs(root: Path, frozen: FrozenStudy, make: Callable[[str], str], found: Poisoned) -> None:
    def taken(kind: Any, data: Any) -> Any:
        return TypeAdapter(kind).validate_json(json.dumps(poison(kind, data, make, found, keep=HELD)))

    name = _as_file_name(taken(Commitment, sample.commitment()).name)
    found.values[next(reversed(found.values))] = name
    kind = HostileKind(
        OUTCOMES,
        output=taken(tuple[Event, ...], sample.events()[:1])[0].stdout.text,
        events=taken(tuple[Event, ...], sample.events()),
        reason_at=taken(Reason, {"code": "criterion-not-met", "at": "ask.1"}).at,
        usage=taken(UnknownUsage, {"usage": "unknown", "reason": "x"}),
        private={name: b"kept back\n"},
    )
    facts = taken(QualificationFacts, sample.facts("checkout"))
    taken(QualificationFacts, sample.facts("pinned"))
    for started_at, own in (("2026-11-30T01:02:03Z", None), ("2026-11-30T05:06:07Z", facts)):
        order = replace(
            an_order(root, frozen, kind, started_at=started_at),
            kind=replace(kind, found=own),
            environment=taken(Environment, sample.environment()),
            runner=taken(RunnerIdentity, {"version": "0.1.0", "files": 1, "sha256": "0" * 64}),
            source=taken(Source, sample.sources()[own is not None]),
        )
        sealed = execute(order, Silent())
        if sealed.run.run == RUN:
            shutil.move(sealed.folder, root / "manifests/tiny/evidence" / RUN)
            shutil.rmtree(root / ".sealbook/runs/tiny" / RUN)
        else:
            assert sealed.run.run == UNPUBLISHED
    for scratch in ("work-root", "prepared"):
        shutil.rmtree(root / scratch)


def _as_file_name(name: str) -> str:
    """As much of a hostile name as a file system takes."""
    name = name.replace("/", "∕").replace("\0", "")
    while len(name.encode()) > 255:
        name = name[:-1]
    return name


def _content(root: Path, make: Callable[[str], str], found: Poisoned) -> None:
    write(root, "content/site.toml", toml(poison(SiteConfig, sample.site(), make, found, keep=HELD)))
    for place, (model, front) in sample.documents().items():
        below = body(make(f"{model.__name__}.body"))
        for language in ("en", "zh"):
            written = poison(model, dict(front), make, found, keep=HELD)
            text = f"+++\n{toml(written)}+++\n\n{below}"
            write(root, f"{place}.{language}.md", text)


def body(text: str) -> str:
    """Markdown with a hostile text in every place it has for text."""
    line = " ".join(text.replace("|", "¦").replace("`", "ˋ").replace("[", "⟦").replace("]", "⟧").split())
    below = text.replace("\n# ", "\n## ")  # a heading of the first level is refused: it is the page's title
    return f"""## Plan

{below}

- {line}

| one | two |
| --- | --- |
| {line} | **{line}** |

> {line}

```text
{line}
```

[{line}](https://example.org/) and `{line}`
"""
