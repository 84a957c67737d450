"""The runner's own cost: attempts of a comparison beside their durable writes alone and beside bare processes.

An attempt is a script replayed in a fresh workspace and judged, without a process of its own. *Writes* are the files
that such attempts leave, written and sealed as the runner does it and by its own code, without anything that makes or
judges them. *Processes* is `subprocess.run` of a program that does nothing, as often. All take turns, and of each the
start of its program is taken off, but for the time of two at once, which is all that somebody waits for.
"""

import argparse
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.bench.limits import (
    ATTEMPTS_MEMORY,
    ATTEMPTS_OVERHEAD,
    ATTEMPTS_PROCESSES,
    ATTEMPTS_SIDE_BY_SIDE,
)
from tests.bench.measure import cost_of, in_turns
from tests.bench.report import Figure, Report, seconds

PROGRAM = "/bin/true"
PEAK = "peak"
"""What a contender says of its largest size: its parent is told a size that includes the parent itself."""
TRIALS = 500
"""Of one task in one lane; more attempts are trials of more tasks."""


def measure_attempts(work: Path, number: int, many: int, repeats: int, report: Report) -> None:
    """Perform `number` attempts in turns with what they are compared to, and `many` once, for the memory."""

    def run(what: str, attempts: int, jobs: int = 1) -> dict[str, float]:
        with tempfile.TemporaryDirectory(dir=work) as folder:
            command = [sys.executable, "-m", "tests.bench.attempts", what, str(attempts), folder, "--jobs", str(jobs)]
            cost = cost_of(command, Path.cwd())
            peak = float((Path(folder) / PEAK).read_text())
        return {"wall": cost.wall_s, "cpu": cost.cpu_s, "peak": peak}

    found = in_turns(
        repeats,
        {
            "start": lambda: run("attempts", 2),
            "ours": lambda: run("attempts", number),
            "two": lambda: run("attempts", number, 2),
            "writes": lambda: run("writes", number),
            "idle": lambda: run("processes", 0),
            "bare": lambda: run("processes", number),
        },
    )

    def beyond(name: str, start: str, figure: str) -> float:
        return found[name][figure] - found[start][figure]

    # Two attempts are the start of the program, which is not what is measured; `writes` makes as many to copy from.
    each, writes = (beyond(name, "start", "cpu") / number for name in ("ours", "writes"))
    # So is the interpreter that starts the bare processes.
    floor, bare = beyond("bare", "idle", "cpu") / number, beyond("bare", "idle", "wall")
    report.add(
        Figure(
            f"{number} fixture attempts",
            f"{seconds(found['ours']['wall'])} ({seconds(each)} of CPU each)",
            f"{seconds(bare)} for as many bare processes ({seconds(floor)} of CPU each)",
            each / floor,
            ATTEMPTS_PROCESSES,
        )
    )
    report.add(
        Figure(
            "one of them beyond its durable writes",
            f"{seconds(each - writes)} of CPU",
            f"{seconds(writes)} for the writes, {seconds(floor)} for a bare process",
            (each - writes) / floor,
            ATTEMPTS_OVERHEAD,
        )
    )
    report.add(
        Figure(
            f"{number} fixture attempts, two at once",
            seconds(found["two"]["wall"]),
            f"{seconds(bare)} for as many bare processes, one at a time",
            found["two"]["wall"] / bare,
            ATTEMPTS_SIDE_BY_SIDE,
        )
    )
    few, most = run("attempts", 100), run("attempts", many)
    report.add(
        Figure(
            f"memory of {many} attempts",
            f"{most['peak']:.0f} MB",
            f"{few['peak']:.0f} MB for 100, {found['bare']['peak']:.0f} MB for bare processes",
            most["peak"] / few["peak"],
            ATTEMPTS_MEMORY,
        )
    )


def largest_mb() -> float:
    """The largest resident size that this process had since its program began, in megabytes of a million bytes."""
    status = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 / 1e6


def perform(number: int, folder: Path, jobs: int) -> None:
    """Perform and seal so many attempts, half of them in each lane."""
    from runner import environment
    from runner.execute.run import execute
    from runner.kinds.comparison.kind import Comparison
    from tests.comparisons import RULES, Tiny
    from tests.factories import Silent, an_order

    pairs = number // 2
    tasks = -(-pairs // TRIALS)
    tiny = Tiny(repetitions=pairs // tasks, rules=RULES, tasks=tuple(f"narrow-{task}" for task in range(1, tasks + 1)))
    order = an_order(folder, tiny.read(folder / "manifests"), Comparison(jobs=jobs))  # type: ignore[arg-type]
    order = replace(order, clock=environment.SystemClock(), new_salt=environment.new_salt)
    sealed = execute(order, Silent())
    assert sealed.run.tally.accepted == pairs // tasks * tasks * 2


def write(number: int, folder: Path) -> None:
    """Write as many attempts as durably as the runner does, in the same order, from one that was performed."""
    from runner.execute.seal import make_public
    from runner.ledger import Ledger
    from runner.store import copy, make_folder, put_all

    perform(2, folder / "model", 1)
    (sealed,) = (folder / "model").rglob("sealed")
    (kept, _) = sorted((sealed.parent / "attempts").iterdir())
    name = kept.stem
    files = {
        path.relative_to(sealed): path.read_bytes()
        for path in sorted(sealed.rglob(f"*{name}*")) + sorted((sealed / "artifacts" / name).iterdir())
        if path.is_file()
    }
    run, part = folder / "run", folder / "part"
    run.mkdir()
    part.mkdir()
    with Ledger(run) as ledger:
        names = [f"{name.rpartition('.')[0]}.{trial}" for trial in range(1, number + 1)]
        for attempt in names:
            ledger.start(attempt, 0)
            renamed = {run / str(path).replace(name, attempt): data for path, data in files.items()}
            for parent in dict.fromkeys(path.parent for path in renamed):
                make_folder(parent, below=run)
            put_all(renamed)
            ledger.keep(attempt, kept.read_bytes(), 0)
    for attempt in names:
        for path in (Path(str(path).replace(name, attempt)) for path in files):
            (part / path).parent.mkdir(parents=True, exist_ok=True)
            copy(part / path, run / path)
    make_public(part)


def main() -> None:
    """Be one contender."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("attempts", "writes", "processes"))
    parser.add_argument("number", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    if asked.what == "attempts":
        perform(asked.number, asked.folder, asked.jobs)
    elif asked.what == "writes":
        write(asked.number, asked.folder)
    else:
        for _ in range(asked.number):
            subprocess.run([PROGRAM], check=True, capture_output=True)
    (asked.folder / PEAK).write_text(str(largest_mb()))


if __name__ == "__main__":
    main()
