"""Seals a synthetic run of as many attempts as are asked for, by the contract's own records and counts.

`python -m tests.bench.synthetic_run --attempts 10000 --out DIR` writes the run, `--project DIR` a whole project that
holds it. Attempts are written one after the other; equal numbers give equal bytes.
"""

import argparse
import tempfile
from pathlib import Path

from runner.contract.analysis.qualification import QualificationCount
from runner.contract.evidence import (
    CommittedSource,
    Environment,
    PinnedSubject,
    QualificationFacts,
    Run,
    RunnerIdentity,
)
from runner.contract.plan import Plan, Selection
from runner.contract.qualification.design import InstalledSubject
from runner.contract.seal import SEAL_FILE, digest, format_seal
from runner.contract.study import Tier
from runner.contract.values import FileDigest
from runner.kinds.qualification.plan import plan as plan_of
from runner.reading.checks.totals import end_of
from tests.bench.synthetic_attempts import Author, slots_for
from tests.bench.synthetic_study import RUN, STUDY, write_content, write_study

STARTED_AT = "2026-11-30T01:02:03Z"


def write_project(root: Path, attempts: int) -> Path:
    """Write a project whose one study has one published run; return the run's folder."""
    write_content(root)
    frozen = write_study(root / "manifests", slots_for(attempts))
    out = root / "manifests" / STUDY / "evidence" / RUN
    _seal(out, plan_of(frozen, Selection.full), attempts)
    return out


def write_run(out: Path, attempts: int) -> Path:
    """Write a sealed run into the folder `out`, which must be absent; return it."""
    with tempfile.TemporaryDirectory() as folder:
        frozen = write_study(Path(folder), slots_for(attempts))
        _seal(out, plan_of(frozen, Selection.full), attempts)
    return out


def _seal(out: Path, plan: Plan, attempts: int) -> None:
    (out / "events").mkdir(parents=True)
    sums: dict[str, str] = {}
    count = QualificationCount(plan)
    last = None
    with (
        (out / "attempts.jsonl").open("wb") as lines,
        (out / "timings.jsonl").open("wb") as times,
        (out / "commitments.jsonl").open("wb") as committed,
    ):
        for item in Author(plan, attempts).write():
            count.add(item.attempt)
            last = item.timing
            lines.write(item.attempt.canonical() + b"\n")
            times.write(item.timing.canonical() + b"\n")
            committed.writelines(commitment.canonical() + b"\n" for commitment in item.commitments)
            files = item.artifacts | ({item.attempt.events: item.events} if item.attempt.events else {})
            for path, data in files.items():
                (out / path).parent.mkdir(parents=True, exist_ok=True)
                (out / path).write_bytes(data)
                sums[path] = digest(data)
    assert last is not None
    (out / "plan.json").write_bytes(plan.canonical())
    (out / "run.json").write_bytes(_run(plan, count, end_of(STARTED_AT, last.ended_ns)).canonical())
    for name in ("run.json", "plan.json", "attempts.jsonl", "timings.jsonl", "commitments.jsonl"):
        sums[name] = digest((out / name).read_bytes())
    (out / SEAL_FILE).write_bytes(format_seal(sums))


def _run(plan: Plan, count: QualificationCount, ended_at: str) -> Run:
    subjects = [subject for subject in plan.study.design.arms if isinstance(subject, InstalledSubject)]
    return Run(
        format="sealbook.run/1",
        study=plan.study.id,
        run=RUN,
        selection=plan.selection,
        started_at=STARTED_AT,
        ended_at=ended_at,
        source=CommittedSource(commit="c0ffee" * 6 + "c0ff", modified=()),
        runner=RunnerIdentity(version="0.1.0", files=1, sha256=digest(b"runner")),
        environment=Environment(
            python="3.11.7", implementation="CPython", system="Linux", release="6.1", machine="x86_64", cpus=2
        ),
        tier=Tier.process,
        plan_sha256=digest(plan.canonical()),
        facts=QualificationFacts(
            subjects=tuple(
                PinnedSubject(
                    subject=subject.id,
                    artifacts=subject.artifacts,
                    files=tuple(FileDigest(path=p, bytes=len(p), sha256=digest(p.encode())) for p in subject.curated),
                )
                for subject in subjects
            )
        ),
        tally=count.tally(),
        analysis=count.analysis(),
        replaced=0,
    )


def main() -> None:
    """Write what the command line asks for, and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--attempts", type=int, required=True)
    parser.add_argument("--out", type=Path, help="the folder of the run; it must be absent")
    parser.add_argument("--project", type=Path, help="the folder of a whole project; it must be absent")
    asked = parser.parse_args()
    if (asked.out is None) == (asked.project is None):
        parser.error("give either --out or --project")
    folder = write_project(asked.project, asked.attempts) if asked.project else write_run(asked.out, asked.attempts)
    print(folder)


if __name__ == "__main__":
    main()
