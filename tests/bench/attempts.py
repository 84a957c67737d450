"""What one attempt of a comparison costs beyond a bare process, and whether memory stays flat as attempts grow.

An attempt is a script replayed in a fresh workspace and judged; every one waits for the disk several times. The floor
is `subprocess.run` of a program that does nothing, as often, in the same rounds.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.limits import ATTEMPTS_MEMORY, ATTEMPTS_PROCESSES
from tests.bench.measure import cost_of, in_turns
from tests.bench.report import Figure, Report, seconds

PROGRAM = "/bin/true"


def measure_attempts(work: Path, few: int, repeats: int, report: Report) -> None:
    """Perform attempts and bare processes in turns, and five times as many once, for the memory."""

    def ours(number: int) -> dict[str, float]:
        with tempfile.TemporaryDirectory(dir=work) as folder:
            cost = cost_of([sys.executable, "-m", "tests.bench.attempts", "attempts", str(number), folder], Path.cwd())
        return {"wall": cost.wall_s, "cpu": cost.cpu_s, "peak": cost.peak_mb}

    def bare(number: int) -> dict[str, float]:
        cost = cost_of([sys.executable, "-m", "tests.bench.attempts", "processes", str(number), ""], Path.cwd())
        return {"wall": cost.wall_s, "cpu": cost.cpu_s, "peak": cost.peak_mb}

    found = in_turns(repeats, {"ours": lambda: ours(few), "bare": lambda: bare(few)})
    each, floor = (found[name]["cpu"] / few for name in ("ours", "bare"))
    report.add(
        Figure(
            f"{few} fixture attempts",
            f"{seconds(found['ours']['wall'])} ({seconds(each)} of CPU each)",
            f"{seconds(found['bare']['wall'])} for as many bare processes ({seconds(floor)} of CPU each)",
            each / floor,
            ATTEMPTS_PROCESSES,
        )
    )
    many = ours(5 * few)
    report.add(
        Figure(
            f"memory of {5 * few} attempts",
            f"{many['peak']:.0f} MB",
            f"{found['ours']['peak']:.0f} MB for {few}",
            many["peak"] - found["ours"]["peak"],
            ATTEMPTS_MEMORY,
        )
    )


def perform(number: int, folder: Path) -> None:
    """Perform and seal so many attempts, half of them in each lane, without a process of their own."""
    from tests.comparisons import RULES, Tiny, run

    sealed = run(folder, Tiny(repetitions=number // 2, rules=RULES).read(folder / "manifests"))
    assert sealed.run.tally.accepted == number


def main() -> None:
    """Be one contender: `attempts N FOLDER` or `processes N ""`."""
    what, number, folder = sys.argv[1:]
    if what == "attempts":
        perform(int(number), Path(folder))
    else:
        for _ in range(int(number)):
            subprocess.run([PROGRAM], check=True, capture_output=True)


if __name__ == "__main__":
    main()
