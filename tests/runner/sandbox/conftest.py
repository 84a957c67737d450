"""Real Python processes under orders to the hook."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from runner.sandbox.custody import Custody
from runner.sandbox.orders import Orders
from runner.sandbox.process import ProcessRequest, Running, start
from tests.runner.sandbox.ordered_python import RunPython


@pytest.fixture
def run_python(tmp_path: Path) -> Iterator[RunPython]:
    """Start Python by these options, or this code, under orders; what still runs at the end of the test is ended."""
    custody = Custody(tmp_path)
    name, token = custody.marker

    def begin(code: str | tuple[str, ...], orders: Orders, added: Mapping[str, str] | None = None) -> Running:
        env = {"PATH": os.defpath, "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1", name: token}
        env |= dict(added or {}) | orders.variables(dict(added or {}))
        options = ("-c", code) if isinstance(code, str) else code
        running = start(ProcessRequest((sys.executable, *options), tmp_path, env, 65536))
        assert isinstance(running, Running)
        return custody.adopt(running)

    yield begin
    custody.clear(grace_seconds=0)
