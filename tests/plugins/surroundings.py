"""What a test needs from the machine: programs, and the conformance vectors beside the checkout.

Where something is absent the test skips with the reason. SEALBOOK_REQUIRE_TOOLS=1, as CI sets it, turns a missing
program into a failure, because a skipped test proves nothing.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

PACKAGES = {"bwrap": "bubblewrap", "sha256sum": "coreutils"}
"""Debian's package of a program, where the two have different names."""

RequiredTool = Callable[[str], Path]


@pytest.fixture(scope="session")
def required_tool() -> RequiredTool:
    """Find a program: `required_tool("strace")` returns its path, or skips."""

    def find(name: str) -> Path:
        found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin")
        if found:
            return Path(found)
        reason = f"{name} is not installed: apt-get install {PACKAGES.get(name, name)}"
        if os.environ.get("SEALBOOK_REQUIRE_TOOLS") == "1":
            pytest.fail(f"{reason} (SEALBOOK_REQUIRE_TOOLS is set)", pytrace=False)
        pytest.skip(reason)

    return find


def vectors_folder(root: Path) -> Path | None:
    """Where the published conformance vectors lie: below SEALBOOK_SHARED, or beside the checkout."""
    shared = Path(os.environ["SEALBOOK_SHARED"]) if "SEALBOOK_SHARED" in os.environ else root.parent / "shared"
    vectors = shared / "vectors"
    return vectors if vectors.is_dir() else None


@pytest.fixture(scope="session")
def shared_vectors(pytestconfig: pytest.Config) -> Path:
    """The folder of conformance vectors, one folder a collection."""
    found = vectors_folder(pytestconfig.rootpath)
    if found is None:
        pytest.skip("no conformance vectors: set SEALBOOK_SHARED to a folder that has vectors/")
    return found
