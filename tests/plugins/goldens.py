"""Expected output as files: `golden("pages/result.html", text)` compares with tests/goldens/pages/result.html.

A difference fails with a diff and leaves the output in tests/actual/ to look at. `make golden` accepts the present
output. That is refused in CI, where nobody would look at it.
"""

import difflib
import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

SHOWN_LINES = 120
"""A longer diff is cut; the whole output lies in tests/actual/."""

Golden = Callable[[str, str | bytes], None]


def updating() -> bool:
    """Whether this run accepts the present output."""
    return os.environ.get("SEALBOOK_GOLDEN") == "update"


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to accept output where no person looks at it."""
    del config
    if updating() and os.environ.get("CI"):
        message = "SEALBOOK_GOLDEN=update is refused while CI is set: run `make golden` at your desk"
        raise pytest.UsageError(message)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that uses this fixture or that of pictures, so that `make golden` runs those alone."""
    for item in items:
        if {"golden", "picture"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("golden")


def difference(expected: bytes, actual: bytes, name: str) -> str:
    """A unified diff of two outputs, as text."""
    lines = list(
        difflib.unified_diff(
            expected.decode(errors="backslashreplace").splitlines(),
            actual.decode(errors="backslashreplace").splitlines(),
            f"goldens/{name}",
            f"actual/{name}",
            lineterm="",
        )
    )
    cut = [f"… {len(lines) - SHOWN_LINES} more lines"] if len(lines) > SHOWN_LINES else []
    return "\n".join(lines[:SHOWN_LINES] + cut) or "only line ends or the last line end differ"


@pytest.fixture
def golden(pytestconfig: pytest.Config) -> Golden:
    """Compare a text or bytes with the file of this name under tests/goldens."""
    tests = pytestconfig.rootpath / "tests"

    def compare(name: str, content: str | bytes) -> None:
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            pytest.fail(f"a golden lies below tests/goldens, not at {name}")
        actual = content.encode() if isinstance(content, str) else content
        wanted: Path = tests / "goldens" / name
        if updating():
            write(wanted, actual)
            return
        expected = wanted.read_bytes() if wanted.is_file() else None
        if expected == actual:
            return
        write(tests / "actual" / name, actual)
        if expected is None:
            pytest.fail(f"no golden {name} yet: look at tests/actual/{name}, then run `make golden`", pytrace=False)
        pytest.fail(f"{difference(expected, actual, name)}\n\nif this is right: make golden", pytrace=False)

    return compare


def write(path: Path, content: bytes) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
