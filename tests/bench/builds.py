"""Measures builds, verification and sizes of synthetic projects against the peer's generator and `sha256sum`."""

import json
import shutil
import sys
from pathlib import Path

from runner.reading.sealed import open_run
from tests.bench import limits, peer
from tests.bench.measure import cost_of, in_turns
from tests.bench.report import Figure, Report, seconds
from tests.bench.synthetic_run import write_project
from tests.bench.synthetic_study import RUN, STUDY

SEALBOOK = [sys.executable, "-c", "import sealbook; sealbook.main()"]


def project(work: Path, attempts: int) -> Path:
    """The synthetic project of so many attempts, made if it is not there yet."""
    root = work / f"project-{attempts}"
    if not root.exists():
        begun = work / f"project-{attempts}.begun"
        shutil.rmtree(begun, ignore_errors=True)
        write_project(begun, attempts)
        begun.rename(root)  # one that was given up half-way is not used again
    return root


def sealed_folder(root: Path) -> Path:
    """The sealed run of a synthetic project."""
    return root / "manifests" / STUDY / "evidence" / RUN


def build(root: Path, out: Path) -> dict[str, float]:
    """Build the site of a project anew."""
    shutil.rmtree(out, ignore_errors=True)
    cost = cost_of([*SEALBOOK, "build", "--out", str(out)], root)
    return {"cpu": cost.cpu_s, "wall": cost.wall_s, "peak": cost.peak_mb}


def verify(root: Path) -> dict[str, float]:
    """Verify the run of a project."""
    cost = cost_of([*SEALBOOK, "verify", str(sealed_folder(root))], root)
    return {"cpu": cost.cpu_s, "wall": cost.wall_s, "peak": cost.peak_mb}


def sha256sum(root: Path) -> dict[str, float]:
    """Compare the run with its seal by coreutils, the floor of a verification."""
    cost = cost_of(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], sealed_folder(root))
    return {"cpu": cost.cpu_s, "wall": cost.wall_s, "peak": cost.peak_mb}


def table_alone(root: Path, work: Path) -> dict[str, float]:
    """Make the table of attempts and nothing else; what counts begins when the run is verified."""
    out, facts = work / "table-alone", work / "table-alone.json"
    shutil.rmtree(out, ignore_errors=True)
    script = Path(__file__).with_name("table_alone.py")
    cost_of([sys.executable, "-P", str(script), str(root), str(out), str(facts)], root)
    found: dict[str, float] = json.loads(facts.read_text())
    return found


def peer_tables(work: Path, attempts: int) -> tuple[Path, Path]:
    """The peer's inputs: the rows of the run as one run set, and once more under another tool's name."""
    one, two = work / f"peer-{attempts}-one.xml", work / f"peer-{attempts}-two.xml"
    if not two.exists():
        sealed = open_run(sealed_folder(project(work, attempts)))
        peer.write_results(sealed, one, "one")
        peer.write_results(sealed, two, "two")
    return one, two


def peer_build(work: Path, name: str, inputs: list[Path]) -> dict[str, float]:
    """Generate the peer's HTML table."""
    command = [*peer.COMMAND, "--outputpath", str(work / "peer"), "--name", name, *map(str, inputs)]
    cost = cost_of(command, work)
    return {"cpu": cost.cpu_s, "wall": cost.wall_s, "peak": cost.peak_mb}


def peer_start(work: Path) -> dict[str, float]:
    """Start the peer and let it do nothing."""
    return {"cpu": cost_of([*peer.COMMAND[:1], "--version"], work).cpu_s}


def measure_builds(work: Path, attempts: int, repeats: int, report: Report) -> float:
    """Build against the peer, verification against coreutils, the size of the table; return the CPU time of a build."""
    root, site = project(work, attempts), work / f"site-{attempts}"
    one, two = peer_tables(work, attempts)
    found = in_turns(
        repeats,
        {
            "table": lambda: table_alone(root, work),
            "build": lambda: build(root, site),
            "verify": lambda: verify(root),
            "floor": lambda: sha256sum(root),
            "start": lambda: peer_start(work),
            "one": lambda: peer_build(work, "one", [one]),
            "two": lambda: peer_build(work, "two", [one, two]),
        },
    )
    whole, checked = found["build"], found["verify"]
    table, pages = found["table"]["cpu"], whole["cpu"] - checked["cpu"]
    for name, rows in (("one", f"{attempts:,}"), ("two", f"2 x {attempts:,}")):
        its = found[name]["cpu"]
        against = f"table-generator, {rows} rows: {seconds(its)}"
        of_them = f"{attempts:,} attempts (CPU, without verification)"
        rest = its - found["start"]["cpu"]
        started = f"{against}, {seconds(rest)} of it once it has started"
        report.add(Figure(f"the table alone of {of_them}", seconds(table), started, table / rest, limits.TABLE))
        report.add(Figure(f"all pages of {of_them}", seconds(pages), against, pages / its, limits.BUILD))
    report.add(
        Figure(
            f"`sealbook build` of {attempts:,} attempts, with verification and the copy of all evidence",
            f"{seconds(whole['cpu'])} CPU, {seconds(whole['wall'])} wall",
            f"table-generator wall: {seconds(found['one']['wall'])} and {seconds(found['two']['wall'])}",
        )
    )
    report.add(
        Figure(
            f"`sealbook verify` of {attempts:,} attempts",
            f"{seconds(checked['cpu'])} CPU",
            f"floor sha256sum -c: {seconds(found['floor']['cpu'])}",
        )
    )
    size = table_bytes(site) / 1e6
    theirs = (work / "peer" / "one.html").stat().st_size / 1e6
    report.add(
        Figure(
            f"size of the table of {attempts:,} attempts with its rows",
            f"{size:.2f} MB",
            f"the peer's page: {theirs:.2f} MB",
            size,
            limits.FOLDER,
        )
    )
    return whole["cpu"]


def measure_growth(work: Path, few: int, many: int, report: Report, before: float | None = None) -> None:
    """Whether the time to build grows with the attempts, and how much memory is taken.

    `before` is the CPU time of the smaller build, if it was measured in this run. A build verifies first, so that its
    largest size is never below that of a verification.
    """
    small, large = project(work, few), project(work, many)
    if before is None:
        before = build(small, work / f"site-{few}")["cpu"]
    whole = build(large, work / f"site-{many}")
    base = (before + build(small, work / f"site-{few}")["cpu"]) / 2
    report.add(
        Figure(
            f"build of {many:,} attempts against {few:,} (CPU)",
            seconds(whole["cpu"]),
            f"{few:,}: {seconds(base)}",
            whole["cpu"] / base,
            limits.LINEAR,
        )
    )
    report.add(
        Figure(
            f"peak memory of a build with its verification at {many:,} attempts",
            f"{whole['peak']:.0f} MB",
            "",
            whole["peak"],
            limits.MEMORY,
        )
    )


def table_page(site: Path) -> Path:
    """The page of all attempts of the synthetic run, in English."""
    return site / "en" / "attempts" / STUDY / RUN / "index.html"


def table_bytes(site: Path) -> int:
    """The page of the table and the folder of its data."""
    data = site / "data" / "attempts" / STUDY / RUN
    scripts = [file for file in data.iterdir() if file.suffix in {".js", ".json"}] if data.is_dir() else []
    return sum(file.stat().st_size for file in (table_page(site), *scripts))
