"""What timing a command adds to it: the runner's timed call beside a bare spawn loop, turn by turn.

The command is a Python program that mostly sleeps, about 200 ms in all. *Ours* is the call that takes the samples of a
parity study, with the orders inside the process that freeze its wall clock and witness its imports. *Bare* is
`subprocess.run` of the same command without them, and *ordered* the same with them: what the orders cost alone.
"""

import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from runner.contract.parity.detail import ParityFacts
from runner.contract.plan import Plan, Selection, as_parity
from runner.contract.study import Tier
from runner.kinds.kind import Bench
from runner.kinds.parity.attempt import room, stage_for
from runner.kinds.parity.exchange import Exchange
from runner.kinds.parity.kind import Parity, harness
from runner.kinds.parity.sampling import time_call
from runner.kinds.parity.stage import Stage
from runner.sandbox.orders import compile_hook
from tests.bench.limits import HARNESS
from tests.bench.report import Figure, Report
from tests.parities import Toy

SLEEP_SECONDS = 0.18
"""The interpreter takes the rest of the 200 ms."""
TURNS = 25
"""In each round."""
_ROW = "files-clean"
_ORDERS = "SEALBOOK_"


def measure_harness(repeats: int, report: Report) -> None:
    """Time the command in each way, in turns, and hold the medians against each other."""
    found: dict[str, list[int]] = {"bare": [], "ordered": [], "ours": []}
    with tempfile.TemporaryDirectory(prefix="toy-") as folder:
        place = Path(folder)
        slow = ("import sys\n", f"import sys, time\ntime.sleep({SLEEP_SECONDS})\n")
        toy = Toy(changed={"base": {"main": slow}})
        plan = Parity().plan(toy.study(place / "manifests"), Selection.full)
        stage = _stage(plan, place, toy.prepared(place / "prepared"))
        try:
            _take_turns(stage, plan, repeats * TURNS, found)
        finally:
            stage.custody.clear()
    bare, ordered, ours = (statistics.median(found[name]) / 1e6 for name in ("bare", "ordered", "ours"))
    report.add(
        Figure(
            f"a command of {bare:.0f} ms as a sample",
            f"{ours:.1f} ms",
            f"{bare:.1f} ms by a bare spawn, {ordered:.1f} ms with the orders inside",
            ours / bare,
            HARNESS,
        )
    )


def _stage(plan: Plan, place: Path, prepared: Path) -> Stage:
    folder = place / f"sealbook-{room(_ROW)}"
    folder.mkdir(mode=0o700)
    facts = ParityFacts(python="3", harness=harness(), variants=())
    bench = Bench(folder=folder, prepared=prepared, tier=Tier.process, facts=facts, now_ns=time.monotonic_ns)
    return stage_for(plan, _ROW, bench, seconds=3600)


def _take_turns(stage: Stage, plan: Plan, turns: int, found: Mapping[str, list[int]]) -> None:
    design, tasks = as_parity(plan)
    base = design.variant("base")
    compile_hook()
    exchange = Exchange(stage)
    stage.furnish(tasks.below(tasks.row(_ROW)[1].project))
    exchange.take(base)
    exchange.keep(base.id)
    args = ("-m", "tally", "--store", "files", "--state", str(stage.workspace.state), ".")
    ordered = stage.environment("sample")
    bare = {name: value for name, value in ordered.items() if not name.startswith(_ORDERS)}
    bare["PYTHONPATH"] = str(stage.tree)
    request = stage.request(args, ordered)

    def ours() -> int:
        return time_call(stage, request).ns

    def spawn(env: Mapping[str, str]) -> int:
        begun = time.perf_counter_ns()
        subprocess.run(request.argv, cwd=request.cwd, env=env, capture_output=True, check=True)
        return time.perf_counter_ns() - begun

    contenders: dict[str, Callable[[], int]] = {
        "bare": lambda: spawn(bare),
        "ordered": lambda: spawn(ordered),
        "ours": ours,
    }
    names = list(contenders)
    for turn in range(turns):
        # Who is first changes from turn to turn.
        for name in names[turn % 3 :] + names[: turn % 3]:
            exchange.lay_out(base)
            found[name].append(contenders[name]())
