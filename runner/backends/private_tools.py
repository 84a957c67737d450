"""Programs that an agent finds by their names: private copies, so that nobody changes one while it is used.

What a person names by its absolute path is copied for each attempt. The digests of original and copy are part of the
saved profile, and both are looked at again when the agent has ended.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.contract.values import Count, Line, Record, Sha256
from runner.errors import SandboxError, UsageError
from runner.reading.files import measure, said


class CopiedTool(Record):
    """A program as it was copied."""

    name: Line
    """By which the agent finds it."""
    bytes: Count
    original_sha256: Sha256
    copy_sha256: Sha256


def check_tools(tools: Mapping[str, str], where: str) -> None:
    """Raise `UsageError` for what is no executable file itself, such as a link."""
    for name, path in tools.items():
        try:
            measure(Path(path), name)
            if not os.access(path, os.X_OK):
                raise PermissionError(0, "it is not executable")
        except OSError as error:
            what = f"the tool {name} cannot be copied: {said(error)}"
            raise UsageError(what, "name the program itself, not a link to it", where=f"{where}: {path}") from error


def copy_tools(tools: Mapping[str, str], folder: Path) -> tuple[CopiedTool, ...]:
    """Copy each into `folder`, which is empty. Raises `SandboxError` if one changed while it was copied."""
    copied = tuple(_copy(name, Path(path), folder / name) for name, path in sorted(tools.items()))
    folder.chmod(0o755)
    return copied


def check_copies(tools: Mapping[str, str], folder: Path, copied: Sequence[CopiedTool]) -> None:
    """Raise `SandboxError` if an original or a copy is not what it was."""
    for tool in copied:
        for place, before in ((Path(tools[tool.name]), tool.original_sha256), (folder / tool.name, tool.copy_sha256)):
            if not place.is_file() or measure(place, tool.name).sha256 != before:
                what = f"the tool {tool.name} was changed while the agent ran"
                raise SandboxError(what, "run again with one that stays")


def _copy(name: str, original: Path, copy: Path) -> CopiedTool:
    before = measure(original, name)
    shutil.copyfile(original, copy, follow_symlinks=False)
    copy.chmod(0o555)
    made = measure(copy, name)
    if made.sha256 != before.sha256:
        raise SandboxError(f"the tool {name} was changed while it was copied", "run again with one that stays")
    return CopiedTool(name=name, bytes=made.bytes, original_sha256=before.sha256, copy_sha256=made.sha256)
