"""Reads what somebody else published: content/reported, one file a record."""

import re
from pathlib import Path

from runner.contract.reported.recompute import recompute
from runner.reading.reported import SUFFIX, read_reported
from sitegen.errors import Collected
from sitegen.sources.values import ReportedSource

REPORTED = "content/reported"
_NAME = re.compile(rf"[a-z0-9]+(?:-[a-z0-9]+)*{re.escape(SUFFIX)}")


def read_reported_records(root: Path, found: Collected) -> tuple[ReportedSource, ...]:
    """Every record by id; what does not fit or does not follow is noted in `found`."""
    folder = root / REPORTED
    sources = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        shown = f"{REPORTED}/{path.name}"
        if path.name.startswith("."):
            continue
        if _NAME.fullmatch(path.name) is None:
            todo = f"name it in lower-case words joined by hyphens, with {SUFFIX} at the end"
            found.add(shown, "", f"no record is named so here ({_NAME.pattern})", todo)
            continue
        with found.noting():
            record = read_reported(path, name=shown)
            sources.append(ReportedSource(record, recompute(record)))
    return tuple(sources)
