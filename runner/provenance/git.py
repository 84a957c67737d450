"""Which commit a checkout stands at, and what of it differs. Reads only; git itself is asked."""

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
    status = _git(folder, home, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=none")
    if status.end != Exited(code=0):
        return UnknownSource(reason=_why(status))
    if not status.stdout.complete:
        return UnknownSource(reason="git lists more modified files than can be recorded")
    return CommittedSource(commit=_text(head.stdout).strip(), modified=_paths(_text(status.stdout)))


def _git(folder: Path, home: str | None, *arguments: str) -> Finished:
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    if home is not None:
        environment["HOME"] = home
    argv = ("git", "-C", str(folder), *_HARMLESS, *arguments)
    return run(ProcessRequest(argv, folder, environment, _OUTPUT_BYTES), _SECONDS)


def _paths(porcelain: str) -> tuple[str, ...]:
    """Every path that `status -z` lists, sorted. A rename lists two: where to, then where from."""
    paths: set[str] = set()
    records = iter(porcelain.split("\0"))
    for record in records:
        if record:
            paths.add(record[3:])
            if record[0] in "RC":
                paths.add(next(records))
    return tuple(sorted(paths))


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
