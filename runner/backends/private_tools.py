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
from runner.reading.files import measure, open_regular, said

_STAYS = "run again with one that stays"


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
            open_regular(Path(path)).close()
            if not os.access(path, os.X_OK):
                raise PermissionError(0, "it is not executable")
        except OSError as error:
            what = f"the tool {name} cannot be copied: {said(error)}"
            raise UsageError(what, "name the program itself, not a link to it", where=f"{where}: {path}") from error


def copy_tools(tools: Mapping[str, str], folder: Path) -> tuple[CopiedTool, ...]:
    """Copy each into `folder`, which is empty. Raises `SandboxError` if one changed or went before it was copied."""
    copied = tuple(_copy(name, Path(path), folder / name) for name, path in sorted(tools.items()))
    folder.chmod(0o755)
    return copied


def check_copies(tools: Mapping[str, str], folder: Path, copied: Sequence[CopiedTool]) -> None:
    """Raise `SandboxError` if an original or a copy is not what it was."""
    for tool in copied:
        for place, before in ((Path(tools[tool.name]), tool.original_sha256), (folder / tool.name, tool.copy_sha256)):
            if program_digest(place, _key(tool.name)) != before:
                raise SandboxError(f"the tool {tool.name} was changed while the agent ran", _STAYS)


def program_digest(path: Path, key: str) -> str:
    """The digest of a program that the configuration names under `key`. Raises `SandboxError` if it cannot be read.

    What is raised is published with the attempt, so that it names the key and no path of the machine.
    """
    try:
        return measure(path, key).sha256
    except OSError as error:
        raise SandboxError(f"cannot be read any more: {said(error)}", _STAYS, where=key) from error


def _copy(name: str, original: Path, copy: Path) -> CopiedTool:
    try:
        with open_regular(original) as source, copy.open("xb") as target:
            shutil.copyfileobj(source, target)
            os.fchmod(target.fileno(), 0o555)  # by its handle: a link in its place would lead elsewhere
        made = measure(copy, name)
    except OSError as error:
        raise SandboxError(
            f"cannot be copied: {said(error)}", f"{_STAYS}, and with room for it", where=_key(name)
        ) from error
    if program_digest(original, _key(name)) != made.sha256:
        raise SandboxError(f"the tool {name} was changed while it was copied", _STAYS)
    return CopiedTool(name=name, bytes=made.bytes, original_sha256=made.sha256, copy_sha256=made.sha256)


def _key(name: str) -> str:
    return f"tools.{name}"
