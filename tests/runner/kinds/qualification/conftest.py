"""A laboratory: one real subject in a real private environment."""

import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runner.kinds.kind import Performed
from tests.runner.kinds.qualification.laboratory import Laboratory, a_check
from tests.studies import a_study

BOARD = Path(__file__).with_name("board.py")


@pytest.fixture(scope="session")
def prepared_board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prepared folder with the board as the subject `tool`."""
    prepared = tmp_path_factory.mktemp("prepared")
    env = prepared / "tool" / "env"
    venv.create(env, symlinks=True)
    program = env / "bin" / "tool"
    program.write_text(f"#!{env}/bin/python\n{BOARD.read_text(encoding='utf-8')}", encoding="utf-8")
    program.chmod(0o755)
    (prepared / "tool" / "source").mkdir()
    (prepared / "tool" / "source" / "test_board.py").write_text("def test_nothing(): pass\n", encoding="utf-8")
    return prepared


@pytest.fixture
def laboratory(tmp_path: Path, prepared_board: Path) -> Laboratory:
    """One study, one prepared subject, one empty work root."""
    work_root = tmp_path / "work-root"
    work_root.mkdir()
    return Laboratory(a_study(tmp_path), prepared_board, work_root)


@pytest.fixture
def attempt(laboratory: Laboratory) -> Callable[..., Performed]:
    """Perform a check made of these steps: `attempt(step(…), step(…), seconds=3)`."""

    def perform(*steps: dict[str, Any], **fields: Any) -> Performed:
        caps = {name: fields.pop(name) for name in ("process_seconds", "output_bytes") if name in fields}
        return laboratory.perform(a_check(*steps, **fields), **caps)

    return perform
