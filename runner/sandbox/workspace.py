"""Private folders: a work root that is checked, a child of it for each attempt, and its rooms.

Only what `make_private_child` made is ever removed; nothing else in the work root is touched.
"""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from runner.errors import SandboxError
from runner.sandbox.command import run
from runner.sandbox.process import ProcessRequest

_PROBE_SECONDS = 10.0
_NAME_CHARACTERS = 400
"""As many as a commitment can name; of a longer path the end tells more than the beginning."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """The rooms of one attempt, all private to it."""

    folder: Path
    work: Path
    """Where its processes start: `{work}`."""
    state: Path
    """Where its tools keep state: `{state}`."""
    home: Path
    tmp: Path
    control: Path
    """Where the runner's own marks lie; no subject is told of it except by its orders."""

    @classmethod
    def furnish(cls, folder: Path) -> "Workspace":
        """Make the rooms in an existing private folder."""
        rooms = [folder / name for name in ("work", "state", "home", "tmp", "control")]
        for room in rooms:
            room.mkdir(mode=0o700)
        return cls(folder, *rooms)

    def make_room(self, folder: Path) -> bool:
        """Make a folder below `work`; False if a subject has put a file or a link out there."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            return folder.resolve().is_relative_to(self.folder.resolve())
        except OSError:
            return False

    def left_behind(self) -> dict[str, Path]:
        r"""What processes left in `work` and `state`, by a name such as `state/team.db`.

        Regular files only: links and special files are the subject's and are not followed. A name
        that is not UTF-8 stands with its odd bytes as `\xNN`.
        """
        found: dict[str, Path] = {}
        for room in (self.work, self.state):
            for parent, folders, names in os.walk(room):
                folders.sort()
                for path in (Path(parent, name) for name in sorted(names)):
                    if stat.S_ISREG(path.lstat().st_mode):
                        name = os.fsencode(path.relative_to(self.folder)).decode("utf-8", "backslashreplace")
                        found[name[-_NAME_CHARACTERS:]] = path
        return found


def check_work_root(root: Path) -> Path:
    """The resolved work root, if it is an owned folder from which programs can be executed.

    Raises `SandboxError` that says which of these it is not.
    """
    todo = "give another folder with --work-root"
    try:
        resolved = Path(os.path.realpath(root, strict=True))
        found = resolved.stat()
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise SandboxError(f"the work root is not usable: {reason}", todo, where=str(root)) from error
    if not stat.S_ISDIR(found.st_mode):
        raise SandboxError("the work root is not a folder", todo, where=str(root))
    if found.st_uid != os.geteuid():
        raise SandboxError("the work root belongs to another user", todo, where=str(root))
    if found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX:
        raise SandboxError("everybody may rename files in the work root", todo, where=str(root))
    with private_child(resolved, "probe") as folder:
        _execute_something(folder, root)
    return resolved


@contextmanager
def private_child(root: Path, name: str) -> Iterator[Path]:
    """A fresh private folder in `root`, removed at the end with all that it holds by then."""
    folder = make_private_child(root, name)
    try:
        yield folder
    finally:
        remove_private_child(folder)


def make_private_child(root: Path, name: str) -> Path:
    """Make a folder that did not exist before, open to its owner alone.

    The first free one of `sealbook-NAME`, `sealbook-NAME-2`, … is taken, so that runners which
    share a work root never share a folder. Raises `SandboxError` when none can be made.
    """
    for number in range(1, 10_000):
        folder = root / (f"sealbook-{name}-{number}" if number > 1 else f"sealbook-{name}")
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            todo = "give another folder with --work-root"
            raise SandboxError(f"cannot make a folder: {reason}", todo, where=str(root)) from error
        folder.chmod(0o700)  # whatever the umask left out
        return folder
    raise SandboxError("10,000 folders are left over there", "remove them", where=f"{root}/sealbook-{name}")


def remove_private_child(folder: Path) -> None:
    """Remove a folder that `make_private_child` made, even where a subject locked parts of it.

    Raises `SandboxError` if something stays.
    """
    for parent, folders, _ in os.walk(folder):
        for name in folders:
            path = Path(parent, name)
            if not path.is_symlink():
                path.chmod(0o700)
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        if not folder.exists():
            return
        raise
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise SandboxError(
            f"cannot remove a private folder: {reason}", "remove it by hand", where=str(folder)
        ) from error


def _execute_something(folder: Path, root: Path) -> None:
    """Really execute a small file there: a mount option alone does not tell (R3)."""
    program = folder / "probe"
    program.write_text("#!/bin/sh\nexit 23\n", encoding="ascii")
    program.chmod(0o700)
    request = ProcessRequest(argv=(str(program),), cwd=folder, env={"PATH": "/usr/bin:/bin"}, output_bytes=1024)
    end = run(request, _PROBE_SECONDS).end
    if getattr(end, "code", None) != 23:
        said = getattr(end, "why", "it did not run as written")
        raise SandboxError(
            f"no program can be executed from the work root: {said}",
            "give a folder that is not mounted noexec with --work-root",
            where=str(root),
        )
