"""Performs one measurement of a small study for real, without a whole run around it."""

import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from runner.contract.attempt import Verdict
from runner.contract.canonical import parse_record
from runner.contract.parity.design import MEASUREMENT
from runner.contract.parity.detail import MeasurementDetail, ParityDetail, ParityFacts
from runner.contract.parity.samples import SAMPLES_FILE, Failed, Samples
from runner.contract.parity.timing import Measure
from runner.contract.plan import Plan, Selection, Slot, as_parity
from runner.contract.study import Tier
from runner.kinds.kind import Bench, Performed
from runner.kinds.parity.kind import Parity, harness
from tests.parities import Toy

TASK = "files-bad-word"
"""The timed row of the toy in which an edit comes before the command: it must end with 1."""
_SAMPLES: TypeAdapter[Samples] = TypeAdapter(Samples)


@dataclass(frozen=True)
class Measured:
    """What came of a measurement."""

    performed: Performed

    @property
    def samples(self) -> Samples:
        return parse_record(_SAMPLES, self.performed.artifacts[SAMPLES_FILE], file=SAMPLES_FILE)

    @property
    def failed(self) -> list[str]:
        """The criteria that were not met."""
        return [item.id for item in self.performed.criteria if item.verdict is Verdict.not_met]

    def counted(self, measure: Measure, variant: str) -> tuple[int, int]:
        """How many samples were taken, and how many were planned."""
        detail = self.performed.detail
        assert isinstance(detail, ParityDetail)
        assert isinstance(detail.what, MeasurementDetail)
        (found,) = (item for item in detail.what.samples if (item.measure, item.variant) == (measure, variant))
        return found.taken, found.planned

    def failures(self, measure: Measure, variant: str) -> dict[int, str]:
        """Why a sample could not be taken, by its number from 1."""
        samples = self.samples.of(measure, variant)
        return {number: item.why for number, item in enumerate(samples, 1) if isinstance(item, Failed)}

    def observed(self, criterion: str) -> str:
        """What was seen of a criterion."""
        (said,) = (
            event.observed
            for event in self.performed.events
            if event.event == "judged" and event.criterion == criterion
        )
        return said


def measure(folder: Path, toy: Toy, *, task: str = TASK, retry: int = 0, **timing: object) -> Measured:
    """Measure a row of a study over the toy; `timing` changes its protocol."""
    study = toy.study(folder / "manifests")
    prepared = toy.prepared(folder / "prepared")
    plan = _with(Parity().plan(study, Selection.full), timing)
    begun = time.monotonic_ns()
    # A socket's path may have 107 bytes, and a test's own folder has a long name.
    with tempfile.TemporaryDirectory(prefix="toy-") as short:
        room = Path(short) / f"sealbook-parity.{task}"
        room.mkdir(mode=0o700)
        bench = Bench(
            folder=room,
            prepared=prepared,
            tier=Tier.process,
            facts=ParityFacts(python="3", harness=harness(), variants=()),
            now_ns=lambda: time.monotonic_ns() - begun,
            retry=retry,
        )
        return Measured(Parity().perform(plan, Slot(arm=MEASUREMENT, task=task, trial=1), bench))


def _with(plan: Plan, timing: dict[str, object]) -> Plan:
    design, _ = as_parity(plan)
    changed = design.model_copy(update={"timing": design.timing.model_copy(update=timing)})
    return plan.model_copy(update={"study": plan.study.model_copy(update={"design": changed})})


def noting(log: Path, then: str = "") -> tuple[str, str]:
    """A change of the program's `main` that has each full command note itself, with all that it begins with.

    `then` follows, where `number` is that of the call, from 1: the one that seeds is the first.
    """
    text = f"""import hashlib, json, os, sys
from pathlib import Path
log = Path({str(log)!r})
rooms = [Path.cwd().parent.parent / name for name in ("tree", "work", "state", "run", "home", "tmp")]
found = {{}}
for room in rooms:
    for path in [room, *sorted(room.rglob("*"))]:
        data = path.read_bytes() if path.is_file() else b""
        found[str(path)] = [path.stat().st_mtime_ns, hashlib.sha256(data).hexdigest()]
with log.open("a") as stream:
    stream.write(json.dumps(found) + "\\n")
number = len(log.read_text().splitlines())
{then}
"""
    return "import sys\n", text


def noted(log: Path) -> list[dict[str, list[object]]]:
    """What each call noted."""
    return [json.loads(line) for line in log.read_text().splitlines()]
