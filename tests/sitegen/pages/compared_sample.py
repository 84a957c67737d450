"""A project with one run of a comparison: a drift that both lanes meet, one of which does not do its task."""

import re
import shutil
from pathlib import Path

from runner.reading.manifest import read_study
from tests.comparisons import (
    EDITS,
    INSPECTION,
    NOTICED,
    REMOVED,
    SYMBOLS,
    TEXT,
    Tiny,
    marked,
    replaced,
    run,
    tool,
    usage,
)
from tests.sitegen.projects import PROTOCOL, RUN, TEXTS, write

FRONT = """+++
title = "Tiny"
version = "1.0"
date = "2026-11-30"
status = "active"
summary = "Tiny."
+++

Text.
"""
PROBE = """[probe]
tool = "looker"
seconds = 30
output_bytes = 4096
check = ["{probe}", "-c", "pass"]
test = ["{probe}", "-c", "raise SystemExit(3)"]
run = ["{probe}", "-c", "print('x' * 9999)"]
graph = ["{python}", "-c", "print('{}')"]
limits = { en = "It shows no calls.", zh = "不显示调用。" }
"""
SESSIONS = {
    SYMBOLS: (
        usage(),
        INSPECTION,
        *NOTICED,
        tool(REMOVED),
        marked("validation_interval", ms=3),
        marked("review_interval", ms=4),
    ),
    TEXT: (
        usage(20, 3),
        marked("context_presentation", bytes=2048),
        INSPECTION,
        tool(replaced("shop/uses.py", "def show", "def shown", expects="0" * 64)),
        EDITS[0],
        marked("human_intervention"),
        marked("validation_interval", ms=5),
    ),
}
PAGES = {
    "compared-study": "studies/tiny/index.html",
    "compared-run": f"runs/tiny/{RUN}.html",
    "compared-attempt": f"attempts/tiny/{RUN}/{TEXT}.narrow.1.html",
}
"""The pages that only a comparison has, below the folder of a language."""


def sources(root: Path) -> None:
    """What a site needs beside a study."""
    write(root, "content/site.toml", TEXTS["content/site.toml"])
    for language in ("en", "zh"):
        write(root, PROTOCOL.format(language), FRONT)


def a_compared_project(root: Path) -> Path:
    """Write the project and make its run, which starts no process: nothing of the machine is in it but a version."""
    sources(root)
    tiny = Tiny(sessions=SESSIONS, repetitions=2, drift=True, probe=PROBE)
    run(root, read_study(tiny.write(root / "manifests")))
    for scratch in ("work-root", "prepared"):
        shutil.rmtree(root / scratch)
    return root


def same_everywhere(page: str) -> str:
    """A page without the version of the refactoring library."""
    return re.sub(r"(?<=rope )[0-9][0-9.]*", "‹version›", page)
