"""Sites that many tests look at and none changes, built once a test run, whichever process asks first."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sitegen.build import build
from tests.bench.synthetic_run import write_project
from tests.decided import a_held_project, twice_decided
from tests.sitegen.pages.commits_sample import a_commits_project
from tests.sitegen.pages.compared_sample import a_compared_project
from tests.sitegen.pages.parity_sample import a_parity_project, a_reduced_project
from tests.sitegen.pages.sample import a_full_project

PAGED = 104
"""So many attempts share pages there: the second one has the last four, and is as long as a test needs."""
PROJECT = "project"
"""The folder of the sources, beside that of the site."""


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that all processes of this test run share, filled by the first that asks."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (base / f"{name}.made").exists():
            make(base / name)
            (base / f"{name}.made").touch()
    return base / name


@pytest.fixture(scope="session")
def full_site(tmp_path_factory) -> Path:
    """The site of the full project, in a folder with a space in its name; the project lies beside it."""

    def make(folder: Path) -> None:
        build(a_full_project(folder / PROJECT), folder / "a site")

    return once(tmp_path_factory, "where-it-was-built", make) / "a site"


@pytest.fixture(scope="session")
def paged_site(tmp_path_factory) -> Path:
    """The site of a run whose attempts share pages, without the two thousand that it takes elsewhere."""

    def make(folder: Path) -> None:
        write_project(folder / PROJECT, PAGED)
        build(folder / PROJECT, folder / "a site", paged_from=PAGED)

    return once(tmp_path_factory, "paged", make) / "a site"


@pytest.fixture(scope="session")
def compared_site(tmp_path_factory) -> Path:
    """The site of one run of a comparison."""

    def make(folder: Path) -> None:
        build(a_compared_project(folder / PROJECT), folder / "a site")

    return once(tmp_path_factory, "compared", make) / "a site"


@pytest.fixture(scope="session")
def parity_site(tmp_path_factory) -> Path:
    """The site of two runs of a parity study."""

    def make(folder: Path) -> None:
        build(a_parity_project(folder / PROJECT), folder / "a site")

    return once(tmp_path_factory, "parity", make) / "a site"


@pytest.fixture(scope="session")
def reduced_project(tmp_path_factory) -> Path:
    """A project with one parity run of reduced timings; no site is built of it."""
    return once(tmp_path_factory, "reduced", lambda folder: a_reduced_project(folder / PROJECT)) / PROJECT


@pytest.fixture(scope="session")
def decided_site(parity_site, tmp_path_factory) -> Path:
    """The site of the same runs, with the earlier one published and two decisions on what it holds."""

    def make(folder: Path) -> None:
        project = twice_decided(a_held_project(parity_site.parent / PROJECT, folder / PROJECT))
        build(project, folder / "a site")

    return once(tmp_path_factory, "decided", make) / "a site"


@pytest.fixture(scope="session")
def commits_site(tmp_path_factory) -> Path:
    """The site of two runs of a parity study of two commits."""

    def make(folder: Path) -> None:
        build(a_commits_project(folder / PROJECT), folder / "a site")

    return once(tmp_path_factory, "commits", make) / "a site"


@pytest.fixture(scope="session")
def full_files(full_site) -> dict[str, bytes]:
    """Every file of that site by its path."""
    files = (path for path in full_site.rglob("*") if path.is_file())
    return {path.relative_to(full_site).as_posix(): path.read_bytes() for path in files}
