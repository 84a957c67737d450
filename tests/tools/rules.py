"""Prints every rule and field report with the tests that prove it, and records it in docs/rules-record.json.

    python -m tests.tools.rules            print, with the outcome of each test's last run on this machine
    python -m tests.tools.rules --record   run those tests now and write the record

A rule is *proved* when a test of it passed and none failed. A test with several cases passed when all of them did.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import rfc8785

from tests.plugins.requirements import OUTCOMES_FILE, listed

RECORD = "docs/rules-record.json"
SIGNS = {"proved": "✓", "failed": "✕", "skipped": "–", "not run": "?", "no test": " "}


@dataclass(frozen=True, slots=True)
class Proof:
    """One test function, with how many of its cases came to which outcome."""

    test: str
    cases: Mapping[str, int]

    @property
    def outcome(self) -> str:
        """The worst that happened to a case."""
        return next((word for word in ("failed", "not run", "skipped") if self.cases.get(word)), "passed")


@dataclass(frozen=True, slots=True)
class Standing:
    """One rule or report with its tests."""

    id: str
    text: str
    proofs: tuple[Proof, ...]

    @property
    def status(self) -> str:
        """What the tests together say."""
        outcomes = {proof.outcome for proof in self.proofs}
        if not outcomes:
            return "no test"
        if "failed" in outcomes:
            return "failed"
        if "passed" in outcomes:
            return "proved"
        return "not run" if "not run" in outcomes else "skipped"


def standings(
    texts: Mapping[str, str], index: Mapping[str, Iterable[str]], outcomes: Mapping[str, str]
) -> list[Standing]:
    """Join what is listed, which test names what, and how the tests ended."""
    cases: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for nodeid, ids in index.items():
        for name in set(ids):
            cases[name][nodeid.split("[")[0]][outcomes.get(nodeid, "not run")] += 1
    return [
        Standing(name, text, tuple(Proof(test, dict(count)) for test, count in sorted(cases[name].items())))
        for name, text in texts.items()
    ]


def pytest(root: Path, *options: str) -> int:
    """Run pytest in the repository; its output goes to the terminal only when it fails to collect."""
    command = [sys.executable, "-m", "pytest", "-q", *options]
    return subprocess.run(command, cwd=root, check=False).returncode


def index_of(root: Path, scratch: Path) -> dict[str, list[str]] | None:
    """Which test proves what; None when pytest could not collect, as with an unknown id."""
    path = scratch / "index.json"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--collect-only",
        "-p",
        "no:xdist",
        f"--rule-index={path}",
    ]
    done = subprocess.run(command, cwd=root, check=False, capture_output=True, text=True)
    if done.returncode not in {0, 5}:
        print(done.stdout[-4000:] + done.stderr[-4000:], file=sys.stderr)
        return None
    found: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def git(root: Path, *arguments: str) -> str:
    """What git says, without its last line end."""
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def record(root: Path, every: Mapping[str, list[Standing]]) -> bytes:
    """The canonical bytes of the record."""

    def entry(standing: Standing) -> dict[str, object]:
        proofs = [
            {
                "cases": {word.replace(" ", "_"): n for word, n in proof.cases.items()},
                "outcome": proof.outcome,
                "test": proof.test,
            }
            for proof in standing.proofs
        ]
        return {"id": standing.id, "status": standing.status, "tests": proofs, "text": standing.text}

    changed = git(root, "status", "--porcelain", "--", ".", f":(exclude){RECORD}")
    document = {
        "commit": git(root, "rev-parse", "HEAD"),
        "dirty": bool(changed),
        "format": 1,
        "recorded_at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "reports": [entry(standing) for standing in every["report"]],
        "rules": [entry(standing) for standing in every["rule"]],
    }
    return rfc8785.dumps(document) + b"\n"  # type: ignore[arg-type]


def show(title: str, found: list[Standing]) -> None:
    """Print one list, then what it adds up to."""
    print(f"\n{title}")
    for standing in found:
        if not standing.proofs:
            continue
        print(f"{SIGNS[standing.status]} {standing.id:<5} {standing.status:<8} {standing.text}")
        for proof in standing.proofs:
            cases = sum(proof.cases.values())
            print(f"        {proof.outcome:<8} {proof.test}" + (f"  ({cases} cases)" if cases > 1 else ""))
    without = [standing.id for standing in found if not standing.proofs]
    if without:
        print(f"  no test: {' '.join(without)}")
    total = Counter(standing.status for standing in found)
    print("  " + " · ".join(f"{total[word]} {word}" for word in SIGNS if total[word]))


def main(arguments: list[str]) -> int:
    """Print the rules; 1 when a test names an unknown id or a recorded test failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help=f"run the tests now and write {RECORD}")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the repository")
    options = parser.parse_args(arguments)
    root: Path = options.root.resolve()
    with tempfile.TemporaryDirectory() as folder:
        index = index_of(root, Path(folder))
        if index is None:
            return 1
        last = root / OUTCOMES_FILE
        if options.record:
            last = Path(folder) / "outcomes.json"
            pytest(root, "-m", "rule or report", "-n", "2", f"--rule-outcomes={last}")
        outcomes = json.loads(last.read_text(encoding="utf-8")) if last.is_file() else {}
    every = {kind: standings(listed(root, kind), index, outcomes) for kind in ("rule", "report")}
    show("Rules", every["rule"])
    show("Field reports", every["report"])
    if options.record:
        (root / RECORD).write_bytes(record(root, every))
        print(f"\nwrote {RECORD}")
    failed = any(standing.status == "failed" for found in every.values() for standing in found)
    return int(options.record and failed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
