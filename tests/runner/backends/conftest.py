"""The real OpenCode, where it and a jail for it can be had."""

import os
from pathlib import Path

import pytest

from runner.contract.study import Tier
from runner.sandbox.tiers import missing

AGENTS = Path(__file__).parents[2] / "agents"
PROGRAM = AGENTS / "node_modules" / "opencode-linux-x64-baseline" / "bin" / "opencode"


@pytest.fixture(scope="session")
def jail(required_tool) -> None:
    """Tier `bwrap`, or a skip that says why not."""
    required_tool("bwrap")
    if problem := missing(Tier.bwrap):
        _absent(f"tier bwrap cannot be had: {problem[0]}")


@pytest.fixture(scope="session")
def opencode(jail) -> Path:
    """The program of OpenCode."""
    if not PROGRAM.is_file():
        _absent("OpenCode is not installed: make setup (it needs npm and x86-64)")
    return PROGRAM


def _absent(reason: str) -> None:
    if os.environ.get("SEALBOOK_REQUIRE_TOOLS") == "1":
        pytest.fail(f"{reason} (SEALBOOK_REQUIRE_TOOLS is set)", pytrace=False)
    pytest.skip(reason)
