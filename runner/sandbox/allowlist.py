"""The environment of every process of an attempt: named here, variable by variable.

Nothing is inherited, so no credential of the user can reach a subject. A step may add variables;
their names are recorded. At tier `process` the network is not cut: `PIP_NO_INDEX` only keeps
pip from an index, and the subjects of a study are chosen to need none.
"""

from collections.abc import Mapping
from pathlib import Path

from runner.sandbox.programs import SYSTEM_PATH
from runner.sandbox.workspace import Workspace

WIDTH = 400
"""Columns of the pretended terminal: wide, so that no tool breaks a path over two lines."""


def allow_list(workspace: Workspace, programs: tuple[Path, ...], added: Mapping[str, str]) -> dict[str, str]:
    """Every variable of one process. `programs` come first on PATH; `added` wins over the list."""
    return {
        "PATH": ":".join([*map(str, programs), SYSTEM_PATH]),
        "HOME": str(workspace.home),
        "TMPDIR": str(workspace.tmp),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "COLUMNS": str(WIDTH),
        "LINES": "50",
        "NO_COLOR": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "PIP_NO_INDEX": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        **added,
    }
