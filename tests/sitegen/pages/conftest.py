"""One built site for all tests of what pages say."""

import pytest


@pytest.fixture(scope="session")
def site(full_files) -> dict[str, str]:
    """Every page of the full project by its place, as text."""
    return {path: data.decode() for path, data in full_files.items() if path.endswith(".html")}
