"""The shipped study, as it is read and as it was prepared."""

from pathlib import Path

import pytest

from runner.kinds.qualification.prepare import is_prepared
from runner.project import Project
from runner.reading.manifest import FrozenStudy, read_study

STUDY = "coordination-recovery"


@pytest.fixture(scope="session")
def study(pytestconfig: pytest.Config) -> FrozenStudy:
    """The shipped study; reading it checks every pin."""
    return read_study(pytestconfig.rootpath / "manifests" / STUDY)


@pytest.fixture(scope="session")
def prepared(pytestconfig: pytest.Config, study: FrozenStudy) -> Path:
    """What `sealbook prepare` made of the study, or a skip that says how to make it."""
    folder = Project(pytestconfig.rootpath).prepared(STUDY)
    if not is_prepared(study, folder):
        pytest.skip(f"not prepared: run `sealbook prepare {STUDY}`")
    return folder
