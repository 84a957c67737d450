"""The validator of HTML, and one built site that it reads."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAM = HERE / "node_modules/html-validate/bin/html-validate.mjs"

Validate = Callable[..., list[str]]


@pytest.fixture(scope="session")
def validate(required_tool) -> Validate:
    """Validate pages, or every page below the given folders, sealed evidence left out, and return what is wrong.

    All pages go through one process. Three rules differ from the validator's own: the doctype is written in lower
    case, ids hold the dots of evidence, and `integrity` cannot be demanded of a page that is opened from disk.
    """
    node = required_tool("node")
    if not PROGRAM.is_file():
        reason = "html-validate is not installed: make setup (it needs npm)"
        if os.environ.get("SEALBOOK_REQUIRE_TOOLS") == "1":
            pytest.fail(f"{reason} (SEALBOOK_REQUIRE_TOOLS is set)", pytrace=False)
        pytest.skip(reason)

    def run(*given: Path) -> list[str]:
        inside = (path for one in given for path in (one.iterdir() if one.is_dir() else (one,)))
        tops = sorted(path for path in inside if path.suffix == ".html" or path.name in ("en", "zh"))
        command = [
            str(node),
            str(PROGRAM),
            "--config",
            str(HERE / "htmlvalidate.json"),
            "--formatter",
            "json",
            *map(str, tops),
        ]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
        assert done.returncode in (0, 1), done.stderr
        return [
            f"{file['filePath']}:{said['line']}: {said['message']} ({said['ruleId']})"
            for file in json.loads(done.stdout)
            for said in file["messages"]
        ]

    return run
