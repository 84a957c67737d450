"""A project with two runs of a parity study over a real program: the earlier one holds, and the later one does not.

Everything is performed for real. Of what was measured only the times are replaced, by such as come out the same in
every run of the tests; whatever follows from them is judged again.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from runner.contract.attempt import Criterion, Verdict
from runner.contract.canonical import parse_record
from runner.contract.events import Event, JudgedEvent
from runner.contract.parity.design import MEASUREMENT
from runner.contract.parity.detail import MeasurementDetail, ParityDetail
from runner.contract.parity.happenings import SampledEvent
from runner.contract.parity.host import CpuTime, Host, HostAround, Name, Number, UnknownFact
from runner.contract.parity.measurement import counts, judge_samples
from runner.contract.parity.reduction import timing_for
from runner.contract.parity.samples import (
    SAMPLES_FILE,
    DaemonSamples,
    Failed,
    MemoryReading,
    Pair,
    Samples,
    Taken,
)
from runner.contract.parity.timing import Measure
from runner.contract.plan import Plan, Selection, Slot, as_parity
from runner.contract.qualification.judge import Judgement
from runner.execute.run import execute
from runner.kinds.classify import classify
from runner.kinds.kind import Bench, Performed
from runner.kinds.parity.kind import Parity
from runner.reading.sealed import SealedRun
from tests.factories import Silent, an_order
from tests.parities import SCENARIOS, Toy
from tests.sitegen.pages.compared_sample import sources
from tests.sitegen.projects import RUN

_SAMPLES: TypeAdapter[Samples] = TypeAdapter(Samples)
STUDY = "tiny-parity"
LATER = "20261201T020304Z"
ONE = "[[scenarios]]".join(SCENARIOS.split("[[scenarios]]")[:1] + SCENARIOS.split("[[scenarios]]")[2:])
"""The scenario with the bad word alone."""
MS = 1_000_000
PAGES = {
    "parity-study": f"studies/{STUDY}/index.html",
    "parity-run": f"runs/{STUDY}/{RUN}.html",
    "parity-attempt": f"attempts/{STUDY}/{RUN}/wheel.files-bad-word.1.html",
    "parity-measurement": f"attempts/{STUDY}/{RUN}/measurement.files-bad-word.1.html",
    "parity-two-runs": f"runs/{STUDY}/{RUN}...{LATER}.html",
}
"""The pages that only a parity study has, below the folder of a language."""


def a_toy() -> Toy:
    """One row, which is measured."""
    return Toy(scenarios=ONE, backends=("files",), timed=(("files", "bad-word"),), pairs=4, cold=1, warm=3, burst=4)


def a_parity_project(root: Path) -> Path:
    """Write the project and make its runs: in the earlier one a variant keeps another count, and head is slow."""
    sources(root)
    other = ("def shaped(record):\n    return record\n", "def shaped(record):\n    return {**record, 'words': 99}\n")
    one_run(root, replace(a_toy(), changed={"wheel": {"core": other}}), slow=True)
    one_run(root, a_toy(), started_at="2026-12-01T02:03:04Z")
    return root


def a_reduced_project(root: Path) -> Path:
    """Write a project whose only run takes 3 pairs and 1, 2 and 3 samples: at its full counts every gate would hold."""
    sources(root)
    toy = replace(a_toy(), pairs=49, cold=16, warm=40, burst=48)
    one_run(root, toy, slow=True, selection=Selection.reduced_timings)
    return root


def one_run(
    root: Path,
    toy: Toy,
    *,
    slow: bool = False,
    broken: bool = False,
    started_at: str = "2026-11-30T01:02:03Z",
    selection: Selection = Selection.full,
) -> SealedRun:
    """Perform and seal one run."""
    frozen = toy.study(root / "manifests")
    toy.prepared(root / "prepared")
    kind = Steady(slow=slow, broken=broken)
    order = an_order(root, frozen, kind, selection=selection, started_at=started_at, new=True)  # type: ignore[arg-type]
    # A socket's path may have 107 bytes, and a test's own folder has a long name.
    with tempfile.TemporaryDirectory(prefix="toy-") as short:
        run = execute(replace(order, work_root=Path(short)), Silent())
    for scratch in ("work-root", "prepared"):
        shutil.rmtree(root / scratch)
    return run


class Steady(Parity):
    """The study kind itself; of what it measured the times are replaced."""

    def __init__(self, *, slow: bool, broken: bool) -> None:
        self._slow, self._broken = slow, broken

    def perform(self, plan: Plan, slot: Slot, bench: Bench) -> Performed:
        """Perform one planned attempt."""
        performed = super().perform(plan, slot, bench)
        if slot.arm != MEASUREMENT:
            return performed
        found = parse_record(_SAMPLES, performed.artifacts[SAMPLES_FILE], file=SAMPLES_FILE)
        steady = steady_samples(found, slow=self._slow, broken=self._broken)
        return judged_again(plan, slot, performed, steady)


def steady_samples(found: Samples, *, slow: bool, broken: bool) -> Samples:
    """The samples with times that are always the same; where one is broken the host is not quiet either."""

    def taken(ns: int, index: int) -> Taken:
        return Taken(ns=ns + index * 1_234_567, sha256="a" * 64)

    pairs = [
        Pair(
            base_first=pair.base_first,
            base=taken(200 * MS, index),
            head=taken((290 if slow else 201) * MS, index),
        )
        for index, pair in enumerate(found.pairs)
    ]
    if broken:
        pairs[2] = pairs[2].model_copy(update={"head": Failed(why="exit 1")})
    daemons = tuple(
        DaemonSamples(
            variant=daemon.variant,
            cold=tuple(taken(310 * MS, index) for index in range(len(daemon.cold))),
            warm=tuple(taken((5 + number + 3000 * slow * number) * MS, index) for index in range(len(daemon.warm))),
            burst=tuple(taken(4 * MS + number * MS, index) for index in range(len(daemon.burst))),
            memory=(
                MemoryReading(when="idle", resident_bytes=12_271_616, highest_bytes=12_300_000),
                MemoryReading(when="after-burst", resident_bytes=12_288_000, highest_bytes=12_300_000),
            ),
            process_begin=7,
            process_end=7,
        )
        for number, daemon in enumerate(found.daemons)
    )
    return found.model_copy(update={"pairs": tuple(pairs), "daemons": daemons, "around": host(busy=broken)})


def host(*, busy: bool) -> HostAround:
    """A host with two CPUs, of which others took one, or nothing."""
    moment = Host(
        cpu_model=Name(value="Some CPU"),
        cpus=Number(value=2),
        governor=UnknownFact(reason="the host shows no frequency governor"),
        load_hundredths=Number(value=150),
        runnable=Number(value=1),
    )
    own = 9_000 * MS
    spent = CpuTime(elapsed_ns=10_000 * MS, busy_ns=own + 5_000 * MS * busy, own_ns=own, stolen_ns=0)
    return HostAround(before=moment, after=moment, cpu_time=spent)


def judged_again(plan: Plan, slot: Slot, performed: Performed, samples: Samples) -> Performed:
    """What was performed, with other samples and all that follows from them."""
    timing = timing_for(as_parity(plan)[0].timing, plan.selection)
    taken = counts(timing, samples)
    verdicts = dict(judge_samples(timing, samples))
    number = {(item.measure, item.variant): item.taken for item in taken}
    events = tuple(_again(event, number, verdicts) for event in performed.events)
    last = {event.criterion: event.verdict for event in events if isinstance(event, JudgedEvent)}
    criteria = tuple(Criterion(id=item.id, verdict=last.get(item.id, item.verdict)) for item in performed.criteria)
    ended = classify(criteria, None, over_cap=False)
    return replace(
        performed,
        outcome=ended.outcome,
        reason=ended.reason,
        passed_after_cap=ended.passed_after_cap,
        criteria=criteria,
        detail=ParityDetail(what=MeasurementDetail(samples=taken)),
        events=events,
        artifacts={SAMPLES_FILE: samples.canonical()},
    )


def _again(event: Event, taken: Mapping[tuple[Measure, str], int], verdicts: Mapping[str, Judgement]) -> Event:
    if isinstance(event, SampledEvent):
        return event.model_copy(update={"taken": taken[event.measure, event.variant]})
    if isinstance(event, JudgedEvent) and event.criterion in verdicts:
        said = verdicts[event.criterion]
        verdict = Verdict.met if said.met else Verdict.not_met
        return event.model_copy(update={"expected": said.expected, "observed": said.observed, "verdict": verdict})
    return event


def same_everywhere(page: str) -> str:
    """A page without the interpreter's version, process ids, temporary names, and what a file system says of times."""
    page = page.replace(sys.version.split()[0], "‹python›")
    page = re.sub(r"(?<=process )[0-9]+|(?<=process than )[0-9]+", "‹pid›", page)
    page = re.sub(r"(?<=<dd>)[0-9]+(?:(?:, |、)[0-9]+)+(?=</dd>)", "‹pids›", page)
    page = re.sub(r"(?<=<code>)[0-9]{3,}(?=</code>)", "‹n›", page)
    page = re.sub(r'(?<=raw\.tar\.gz</td><td class="number">)[0-9,]+', "‹n›", page)
    return re.sub(r"(?<=/tmp)[a-z0-9_]{8}(?=/tally\.sock)", "‹name›", page)
