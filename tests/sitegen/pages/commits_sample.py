"""A project with two runs of a parity study of two commits: of the later one the other open changes are supplied."""

import re
import shutil
from pathlib import Path

from runner.contract.plan import Selection
from tests.commit_parities import OVERLAP, STUDY, CommitToy
from tests.sitegen.pages import parity_sample
from tests.sitegen.pages.compared_sample import sources
from tests.sitegen.projects import RUN

LATER = parity_sample.LATER
PAGES = {
    "commits-study": f"studies/{STUDY}/index.html",
    "commits-run": f"runs/{STUDY}/{RUN}.html",
    "commits-later-run": f"runs/{STUDY}/{LATER}.html",
}
"""The pages that show a change between two commits, below the folder of a language."""


def a_commits_project(root: Path) -> Path:
    """Write the project and make its runs, for real but for the times of samples."""
    sources(root)
    for toy, started_at in (
        (CommitToy(), "2026-11-30T01:02:03Z"),
        (CommitToy(overlap=OVERLAP), "2026-12-01T02:03:04Z"),
    ):
        steady = parity_sample.Steady(slow=False, broken=False)
        toy.run(root, Selection.full, steady, started_at=started_at, new=True)
        for scratch in ("work-root", "prepared"):
            shutil.rmtree(root / scratch)
    return root


def same_everywhere(page: str) -> str:
    """A page without what depends on the machine."""
    return re.sub(r"[0-9a-f]{32}(?=</span></span> <button)", "‹rest›", parity_sample.same_everywhere(page))
