"""Which commit a checkout stands at, and what of it differs. Reads only; git itself is asked."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from runner.contract.events import Exited, NotSpawned
from runner.contract.evidence import CommittedSource, Source, UnknownSource
from runner.sandbox.command import run
from runner.sandbox.output import Captured
from runner.sandbox.process import Finished, ProcessRequest

_SECONDS = 60.0
_OUTPUT_BYTES = 16 * 1024 * 1024
# A checkout that somebody hands us must not start programs through its own configuration.
_HARMLESS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false")


def source_of(folder: Path, home: str | None) -> Source:
    """The state of the git checkout that holds `folder`: all of it, staged and untracked included.

    `home` is where git finds whom the user trusts. What cannot be said is `UnknownSource`.
    """
    head = _git(folder, home, "rev-parse", "--verify", "HEAD^{commit}")
    if head.end != Exited(code=0):
        return UnknownSource(reason=_why(head))
    filters = _git(folder, home, "config", "--local", "--includes", "-z", "--name-only", "--get-regexp", r"^filter\.")
    asked = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=none")
    status = _git(folder, home, *asked, filters=_items(filters.stdout))
    listed = _git(folder, home, "ls-files", "-v", "-z", "--full-name", ":/")
    for finished in (status, listed):
        if finished.end != Exited(code=0):
            return UnknownSource(reason=_why(finished))
        if not finished.stdout.complete:
            return UnknownSource(reason="git lists more files than can be recorded")
    modified = {*_paths(_text(status.stdout)), *_not_looked_at(_items(listed.stdout))}
    return CommittedSource(commit=_text(head.stdout).strip(), modified=tuple(sorted(modified)))


def _not_looked_at(listed: Iterable[str]) -> Iterator[str]:
    """Tracked files that git was told to take as unchanged: nobody knows, so they count as modified."""
    return (line[2:] for line in listed if line[0].islower() or line[0] == "S")


def _items(stream: Captured) -> list[str]:
    return [item for item in _text(stream).split("\0") if item]


def _git(folder: Path, home: str | None, *arguments: str, filters: Sequence[str] = ()) -> Finished:
    """Ask git; `filters` are settings of the checkout's own filters, which are to start nothing."""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    if home is not None:
        environment["HOME"] = home
    # By variables and not by -c: a name may hold a "=".
    for number, name in enumerate(filters):
        environment[f"GIT_CONFIG_KEY_{number}"] = name
        environment[f"GIT_CONFIG_VALUE_{number}"] = "false" if name.endswith(".required") else ""
    environment["GIT_CONFIG_COUNT"] = str(len(filters))
    argv = ("git", "-C", str(folder), *_HARMLESS, *arguments)
    return run(ProcessRequest(argv, folder, environment, _OUTPUT_BYTES), _SECONDS)


def _paths(porcelain: str) -> set[str]:
    """Every path that `status -z` lists. A rename lists two: where to, then where from."""
    paths: set[str] = set()
    records = iter(porcelain.split("\0"))
    for record in records:
        if record:
            paths.add(record[3:])
            if record[0] in "RC":
                paths.add(next(records))
    return paths


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
