"""The files of one commit, and what differs between two. Reads only; git itself is asked.

It is asked in an empty repository beside the checkout, which borrows its objects: no setting, attribute, filter or hook
of the checkout or of the user has a part in what git says. Attributes of a commit itself count when its files are laid
out, and in nothing else.
"""

from dataclasses import dataclass
from pathlib import Path

from runner.contract.events import Exited, NotSpawned
from runner.contract.parity.numstat import LONGEST_PATH, CountedLines, FileChange, FileStatus, NoLines
from runner.errors import PreparationError
from runner.sandbox.command import run
from runner.sandbox.process import Finished, ProcessRequest
from runner.sandbox.source import unpack

_SECONDS = 300.0
_OUTPUT_BYTES = 16 * 1024 * 1024
_PATH = "/usr/local/bin:/usr/bin:/bin"
_DIFFERENCE = (
    *("diff", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none"),
    *("--diff-algorithm=myers", "--no-color", "-z"),
)
_STATUS = {
    "A": FileStatus.added,
    "D": FileStatus.deleted,
    "M": FileStatus.modified,
    "T": FileStatus.type_changed,
}


@dataclass(frozen=True, slots=True)
class Commits:
    """The commits of one repository, as they can be read without its settings."""

    folder: Path
    """The empty repository."""

    def require(self, commit: str, *, where: str) -> None:
        """Raises `PreparationError` if the repository lacks the commit; `where` asks for it."""
        if self._git("cat-file", "-e", f"{commit}^{{commit}}").end != Exited(code=0):
            what = f"the repository of this study has no commit {commit}"
            todo = (
                f"fetch it, by `git fetch --unshallow` in a shallow clone and by `git fetch origin {commit}` elsewhere"
            )
            raise PreparationError(what, todo, where=where)

    def lay_out(self, commit: str, target: Path) -> None:
        """Write the files of a commit to a folder that does not exist yet. Raises `PreparationError`."""
        archive = self.folder / f"{commit}.tar"
        finished = self._git("archive", "--format=tar", f"--prefix={commit}/", f"--output={archive}", commit)
        if finished.end != Exited(code=0):
            raise PreparationError("git cannot write its files", "fetch all of its objects", where=commit)
        unpack(archive, target)
        archive.unlink()

    def changes(self, base: str, head: str) -> tuple[FileChange, ...]:
        """Every file that differs, sorted by path. Raises `PreparationError`."""
        between = f"{base}..{head}"
        stated = self._items(between, "--name-status", base, head)
        status = {path: _STATUS[letter] for letter, path in zip(stated[::2], stated[1::2], strict=True)}
        found: list[FileChange] = []
        for item in self._items(between, "--numstat", base, head):
            added, deleted, path = item.split("\t", 2)
            lines = NoLines() if added == "-" else CountedLines(added=int(added), deleted=int(deleted))
            if len(path) > LONGEST_PATH:
                what = f"a path of {len(path)} characters, more than {LONGEST_PATH}"
                raise PreparationError(what, "compare commits without it", where=between)
            found.append(FileChange(path=path, status=status[path], change=lines))
        return tuple(sorted(found, key=lambda item: item.path.encode()))

    def _items(self, between: str, form: str, base: str, head: str) -> list[str]:
        finished = self._git(*_DIFFERENCE, form, base, head, "--")
        if finished.end != Exited(code=0) or not finished.stdout.complete:
            raise PreparationError("git cannot tell what differs", "fetch all of their objects", where=between)
        return [item for item in _text(finished).split("\0") if item]

    def _git(self, *arguments: str) -> Finished:
        return _ask(self.folder, {"GIT_DIR": str(self.folder)}, *arguments)


def commits_of(checkout: Path, home: str | None, scratch: Path) -> Commits:
    """The commits of the repository that holds `checkout`, through an empty one that is made at `scratch`.

    `home` is where git finds whom the user trusts. Raises `PreparationError` where there is no repository.
    """
    trusting = {} if home is None else {"HOME": home}
    found = _ask(checkout, trusting, "rev-parse", "--path-format=absolute", "--git-path", "objects")
    if found.end != Exited(code=0):
        what = "git is not installed" if isinstance(found.end, NotSpawned) else "the study lies in no repository of git"
        raise PreparationError(what, "take it from a clone of its repository", where=checkout.name)
    made = _ask(scratch.parent, {}, "init", "--quiet", "--bare", "--template=", str(scratch))
    if made.end != Exited(code=0):
        raise PreparationError(
            "git cannot make an empty repository", "see whether the disk is full", where=scratch.name
        )
    (scratch / "objects" / "info").mkdir(exist_ok=True)
    (scratch / "objects" / "info" / "alternates").write_text(_text(found).rstrip("\n") + "\n", encoding="utf-8")
    return Commits(scratch)


def _ask(folder: Path, more: dict[str, str], *arguments: str) -> Finished:
    environment = {"PATH": _PATH, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", **more}
    if "HOME" not in more:
        environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1"}
    argv = ("git", "-C", str(folder), *arguments)
    return run(ProcessRequest(argv, folder, environment, _OUTPUT_BYTES), _SECONDS)


def _text(finished: Finished) -> str:
    return finished.stdout.kept.decode("utf-8", "backslashreplace")
