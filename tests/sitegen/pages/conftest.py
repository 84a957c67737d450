"""One built site for all tests of what pages say."""

import pytest

from sitegen.build import make_site
from tests.sitegen.pages.sample import a_full_project


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> dict[str, str]:
    """Every page of the full project by its place, as text."""
    built = make_site(a_full_project(tmp_path_factory.mktemp("full")))
    return {path: data.decode() for path, data in built.files.items() if path.endswith(".html")}
