"""A private folder that its owner can tell from all others at whatever moment it is killed.

It is made under a name that only its owner has, holds a file that says whose it is, and only then gets the name that
its processes see, which is the same for equal attempts. It goes the same way back. So there is no moment at which it
stands under a shared name without its owner, or empty, where another could be put over it.
"""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.sandbox.workspace import make_private, making_in, remove_private_child, take_free_name

_OWNER = "owner"


@contextmanager
def owned_folder(root: Path, name: str, owner: str) -> Iterator[Path]:
    """A fresh private folder in `root`, removed at the end with all that it holds by then.

    `owner` is a word, such as a digest, that nobody else who uses this root has. The folder gets the first free one
    of the names `sealbook-NAME`, `sealbook-NAME-2`, …. Raises `SandboxError` when none can be made or something stays.
    """
    apart = _apart(root, owner)
    _remove(apart, apart)  # by its name it is this owner's, from a removal that did not come to its end
    with making_in(root):
        make_private(apart)
        (apart / _OWNER).write_text(owner, encoding="ascii")
    folder = apart
    try:
        folder = take_free_name(root, name, lambda free: _move(apart, free))
        yield folder
    finally:
        # Whatever was written over the owner's file by now: this is the folder.
        _remove(folder, apart)


def remove_owned(root: Path, name: str, owner: str) -> None:
    """Remove the folder of this name and owner, wherever on its way it is; no folder of anybody else.

    Raises `SandboxError` if something of it stays.
    """
    apart = _apart(root, owner)
    _remove(apart, apart)
    shared = re.compile(rf"sealbook-{re.escape(name)}(-[0-9]+)?")
    for folder in sorted(root.glob("sealbook-*")):
        if shared.fullmatch(folder.name) and _is_folder(folder) and _owner_of(folder) == owner:
            _remove(folder, apart)


def _remove(folder: Path, apart: Path) -> None:
    if folder != apart and _is_folder(folder):
        folder.rename(apart)
    if _is_folder(apart):
        remove_private_child(apart)


def _apart(root: Path, owner: str) -> Path:
    return root / f".sealbook-{owner}"


def _move(folder: Path, to: Path) -> None:
    if os.path.lexists(to):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to))
    try:
        folder.rename(to)
    except OSError as error:
        if error.errno == errno.ENOTEMPTY:  # another was quicker; no folder of ours is ever empty there
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to)) from error
        raise


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _owner_of(folder: Path) -> str | None:
    """Whose a folder says it is; None of one that is not to be read, or has no such file."""
    try:
        handle = os.open(folder / _OWNER, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(handle, 200).decode("ascii", "replace")
    except OSError:
        return None
    finally:
        os.close(handle)
