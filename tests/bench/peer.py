"""The peer: BenchExec's result files with the rows of a sealed run, for its `table-generator`.

The form is that of BenchExec 3.35's `result-3.0.dtd`, as far as the generator reads it: one `<run>` a row, a
`<column>` a value. Each row has what ours has: name, outcome, time, and three counts.
"""

import sys
from pathlib import Path
from xml.sax.saxutils import quoteattr

from runner.contract.attempt import Outcome, QualificationDetail
from runner.reading.sealed import SealedRun

COMMAND = [str(Path(sys.executable).with_name("table-generator")), "--quiet", "--format", "html"]
_CATEGORY = {Outcome.accepted: "correct", Outcome.rejected: "wrong", Outcome.timed_out: "error"}


def write_results(sealed: SealedRun, file: Path, tool: str) -> Path:
    """Write the attempts of a run as one BenchExec run set of the tool `tool`."""
    with file.open("w", encoding="utf-8") as out:
        out.write('<?xml version="1.0"?>\n')
        out.write(
            '<result benchmarkname="synthetic" date="2026-11-30 01:02:03 UTC" starttime="2026-11-30T01:02:03+00:00"'
        )
        out.write(f' tool="{tool}" version="1.0" toolmodule="benchexec.tools.dummy" generator="BenchExec 3.35">\n')
        for attempt, timing in zip(sealed.attempts, sealed.timings, strict=True):
            detail = attempt.detail
            assert isinstance(detail, QualificationDetail)
            seconds = f"{(timing.ended_ns - timing.started_ns) / 1e9:.9f}s"
            status = "true" if attempt.outcome is Outcome.accepted else attempt.outcome.value
            columns = {
                "status": status,
                "category": _CATEGORY.get(attempt.outcome, "unknown"),
                "cputime": seconds,
                "walltime": seconds,
                "trial": str(attempt.trial),
                "steps": str(detail.steps_performed),
                "processes": str(detail.processes_started),
            }
            out.write(f"<run name={quoteattr(attempt.attempt)} files={quoteattr(f'[{attempt.attempt}]')}>")
            out.writelines(f'<column title="{title}" value={quoteattr(value)}/>' for title, value in columns.items())
            out.write("</run>\n")
        out.write("</result>\n")
    return file
