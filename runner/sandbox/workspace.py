"""Private folders: a work root that is checked, a child of it for each attempt, and its rooms.

Only what was made here, or for an owner in `owned_folder`, is ever removed; nothing else in the work root is touched.
"""

import itertools
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from runner.errors import SandboxError
from runner.sandbox.command import run
from runner.sandbox.process import ProcessRequest
from runner.sandbox.snapshot import spelled

_numbers = itertools.count(1)
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
        that is not UTF-8 stands with its odd bytes as `\xNN`, and a backslash as two. What lies deeper than a path can
        reach is left out.
        """
        found: dict[str, Path] = {}
        for room in (self.work, self.state):
            waiting = [room]
            while waiting:
                entries = _entries(waiting.pop())
                found |= {
                    spelled(str(path.relative_to(self.folder)))[-_NAME_CHARACTERS:]: path
                    for path in entries
                    if _is(stat.S_ISREG, path)
                }
                waiting += [path for path in reversed(entries) if _is(stat.S_ISDIR, path)]
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
    return take_free_name(root, name, make_private)


def take_free_name(root: Path, name: str, take: Callable[[Path], None]) -> Path:
    """The first of the names `sealbook-NAME`, `sealbook-NAME-2`, … in `root` that `take` takes.

    `take` raises FileExistsError if something has the name. Raises `SandboxError` when none can be taken.
    """
    for number in range(1, 10_000):
        folder = root / (f"sealbook-{name}-{number}" if number > 1 else f"sealbook-{name}")
        try:
            with making_in(root):
                take(folder)
        except FileExistsError:
            continue
        return folder
    raise SandboxError("10,000 folders are left over there", "remove them", where=f"{root}/sealbook-{name}")


@contextmanager
def making_in(root: Path) -> Iterator[None]:
    """Raise `SandboxError` for an OSError, but for FileExistsError: the name is taken, and another may be free."""
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        todo = "give another folder with --work-root"
        raise SandboxError(f"cannot make a folder: {reason}", todo, where=str(root)) from error


def make_private(folder: Path) -> None:
    """Make a folder open to its owner alone. Raises OSError."""
    folder.mkdir(mode=0o700)
    folder.chmod(0o700)  # whatever the umask left out


def remove_private_child(folder: Path) -> None:
    """Remove a folder that `make_private_child` made, even where a subject locked parts of it.

    Raises `SandboxError` if something stays.
    """
    try:
        _remove_tree(folder)
    except FileNotFoundError:
        if not folder.exists():
            return
        raise
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise SandboxError(
            f"cannot remove a private folder: {reason}", "remove it by hand", where=str(folder)
        ) from error


def _remove_tree(folder: Path) -> None:
    """Remove a folder, however deep it is and whatever is locked in it, without ever following a link.

    Each folder in it is moved up before it is emptied, so that no path and no stack of calls gets longer.
    """
    _unlock(folder)
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        waiting = _empty(top, top)
        while waiting:
            name = waiting.pop()
            below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
            try:
                waiting += _empty(below, top)
            finally:
                os.close(below)
            os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)
    folder.rmdir()


def _empty(handle: int, top: int) -> list[str]:
    """Remove all files of an open folder, and move its folders into `top`; what they are called there."""
    moved = []
    for name in os.listdir(handle):
        if not stat.S_ISDIR(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode):
            os.unlink(name, dir_fd=handle)
            continue
        _unlock(name, handle)
        free = next(new for number in _numbers if not _is_there(new := f".sealbook-{number}", top))
        os.rename(name, free, src_dir_fd=handle, dst_dir_fd=top)
        moved.append(free)
    return moved


def _unlock(name: str | Path, parent: int | None = None) -> None:
    """Give its owner every right to a folder, which a subject may have taken away."""
    handle = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        Path(f"/proc/self/fd/{handle}").chmod(0o700)
    finally:
        os.close(handle)


def _is_there(name: str, parent: int) -> bool:
    try:
        os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _entries(folder: Path) -> list[Path]:
    """What a folder holds, sorted; nothing where it cannot be read or its path is too long."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _is(kind: Callable[[int], bool], path: Path) -> bool:
    try:
        return kind(path.lstat().st_mode)
    except OSError:
        return False


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
