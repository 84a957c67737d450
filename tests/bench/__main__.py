"""`python -m tests.bench`: the runner, builds, tables and search against a peer or a floor of the same run.

Prints every figure as it comes and a table at the end. Ends with 1 if a stated ratio or size is missed, with 2 if what
it needs is not there. `--quick` measures 2,000 attempts once, to see that the benchmarks themselves work.
"""

import argparse
import importlib.util
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from tests.bench import builds
from tests.bench.attempts import measure_attempts
from tests.bench.browser import chromium
from tests.bench.browsing import measure_browsing
from tests.bench.harness import measure_harness
from tests.bench.measure import machine
from tests.bench.report import Report
from tests.bench.searching import measure_search
from tests.bench.tables import measure_large_table, measure_tables

PARTS = ("harness", "attempts", "builds", "tables", "search", "growth")
"""In this order: what takes longest comes last."""


def main() -> int:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", choices=PARTS, action="append", help="a part; may be given again; by default all")
    parser.add_argument(
        "--quick", action="store_true", help="2,000 attempts and one round: whether it works, no result"
    )
    parser.add_argument("--repeats", type=int, default=3, help="rounds of which the median is taken")
    parser.add_argument("--work", type=Path, help="keep projects and sites here and use them again")
    asked = parser.parse_args()
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    lacking = [
        *([] if importlib.util.find_spec("benchexec") else ["the peer: pip install -e '.[bench]'"]),
        *([] if browser else ["chromium: apt-get install chromium"]),
    ]
    if lacking or browser is None:
        print("\n".join(f"make bench needs {what}" for what in lacking))
        return 2
    parts = tuple(asked.only or PARTS)
    few, many = (2_000, 4_000) if asked.quick else (10_000, 100_000)
    repeats = 1 if asked.quick else asked.repeats
    report = Report()
    about = machine()
    print(f"Sealbook against BenchExec's table-generator and floors\n{about}\n{repeats} rounds, medians\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="sealbook-bench-") as scratch:
        work = (asked.work or Path(scratch)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        _measure(parts, work, few, many, repeats, browser, report)
    print(f"\n{datetime.now(UTC):%Y-%m-%d}, {about}\n\n{report.table()}\n")
    if missed := report.missed():
        print("Missed: " + "; ".join(missed))
        return 1
    print("Every stated ratio and size is kept.")
    return 0


def _measure(
    parts: tuple[str, ...], work: Path, few: int, many: int, repeats: int, browser: str, report: Report
) -> None:
    if "harness" in parts:
        measure_harness(repeats, report)
    if "attempts" in parts:
        measure_attempts(work, few // 10, few, repeats, report)
    if set(parts) <= {"harness", "attempts"}:
        return
    small, before = work / f"site-{few}", None
    if "builds" in parts:
        before = builds.measure_builds(work, few, repeats, report)
    elif not small.exists() and not {"tables", "search"}.isdisjoint(parts):
        builds.build(builds.project(work, few), small)
    if "tables" in parts:
        one, two = builds.peer_tables(work, few)
        if not (work / "peer" / "two.table.html").exists():
            builds.peer_build(work, "one", [one])
            builds.peer_build(work, "two", [one, two])
        with chromium(browser) as running:
            measure_tables(running, work, few, repeats, report)
    if "search" in parts:
        with chromium(browser) as running:
            measure_search(running, small, work, repeats, report)
    if "growth" in parts:
        builds.measure_growth(work, few, many, report, before)
        with chromium(browser) as running:
            measure_large_table(running, work, many, repeats, report)
            measure_browsing(running, work, many, repeats, report)


if __name__ == "__main__":
    raise SystemExit(main())
