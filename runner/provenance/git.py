"""Which commit a checkout stands at, and what of it differs. Reads only; git itself is asked."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from runner.contract.events import Exited, NotSpawned
from runner.contract.evidence import CommittedSource, Source, UnknownSource
from runner.sandbox.command import run
from runner.sandbox.output import Captured
from runner.sandbox.process import Finished, ProcessRequest

_SECONDS = 60.0
_OUTPUT_BYTES = 16 * 1024 * 1024
# A checkout that somebody hands us must not start programs through its own configuration.
_HARMLESS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false")
_STATUS = ("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=none")


def source_of(folder: Path, home: str | None) -> Source:
    """The state of the git checkout that holds `folder`: all of it, staged and untracked included.

    `home` is where git finds whom the user trusts. What cannot be said is `UnknownSource`.
    """
    head = _git(folder, home, "rev-parse", "--verify", "HEAD^{commit}")
    if head.end != Exited(code=0):
        return UnknownSource(reason=_why(head))
    commit = _text(head.stdout).strip()
    filters = _git(folder, home, "config", "--local", "--includes", "-z", "--name-only", "--get-regexp", r"^filter\.")
    checkout = partial(_git, folder, home, filters=_items(filters.stdout))
    staged = checkout(*_STATUS)
    # The index remembers which files it took as unchanged, because of their times, of a filter or of an order to look
    # away. One made anew remembers nothing, so git compares every file itself with the commit.
    with TemporaryDirectory(prefix="sealbook-") as scratch:
        index = Path(scratch) / "index"
        read = checkout("read-tree", commit, index=index)
        found = checkout(*_STATUS, index=index)
    for finished in (staged, read, found):
        if finished.end != Exited(code=0):
            return UnknownSource(reason=_why(finished))
        if not finished.stdout.complete:
            return UnknownSource(reason="git lists more files than can be recorded")
    # A record is two letters of state, a space and a path.
    modified = {record[3:] for finished in (staged, found) for record in _items(finished.stdout)}
    return CommittedSource(commit=commit, modified=tuple(sorted(modified)))


def _items(stream: Captured) -> list[str]:
    return [item for item in _text(stream).split("\0") if item]


def _git(
    folder: Path, home: str | None, *arguments: str, filters: Sequence[str] = (), index: Path | None = None
) -> Finished:
    """Ask git; `filters` are settings of the checkout's own filters, which are to start nothing."""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    if index is not None:
        environment["GIT_INDEX_FILE"] = str(index)
    if home is not None:
        environment["HOME"] = home
    # By variables and not by -c: a name may hold a "=".
    for number, name in enumerate(filters):
        environment[f"GIT_CONFIG_KEY_{number}"] = name
        environment[f"GIT_CONFIG_VALUE_{number}"] = "false" if name.endswith(".required") else ""
    environment["GIT_CONFIG_COUNT"] = str(len(filters))
    argv = ("git", "-C", str(folder), *_HARMLESS, *arguments)
    return run(ProcessRequest(argv, folder, environment, _OUTPUT_BYTES), _SECONDS)


def _text(stream: Captured) -> str:
    return stream.kept.decode("utf-8", "backslashreplace")


def _why(finished: Finished) -> str:
    """Why git gave no answer, without a path of this machine."""
    if isinstance(finished.end, NotSpawned):
        return "git is not installed"
    said = _text(finished.stderr).lower()
    if "not a git repository" in said:
        return "not a git checkout"
    if "dubious ownership" in said:
        return "git does not trust this checkout: it belongs to another user"
    if "needed a single revision" in said or "unknown revision" in said:
        return "the repository has no commit yet"
    return "git could not tell"
