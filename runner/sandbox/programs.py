"""Finds a program as the kernel would for a process with a given folder and PATH."""

import shutil
from pathlib import Path

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


def find_program(name: str, cwd: Path, path: str) -> Path | None:
    """Where `name` is, or None if no such program can be executed."""
    found = shutil.which(str(cwd / name) if "/" in name else name, path=path)
    return Path(found) if found else None
