"""Runs frozen scripts and the probe on copies of a candidate, apart from it, with bounded time and output."""

import hashlib
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from runner.contract.comparison.happenings import ProbedEvent, ProbedTree, probe_step
from runner.contract.comparison.tasks import PROBE_COMMANDS, ProbeProfile
from runner.contract.events import Exited, ProcessEvent
from runner.contract.study import Tier
from runner.contract.values import FileDigest
from runner.errors import UsageError
from runner.kinds.comparison.acceptance import Judgement
from runner.kinds.journal import Journal
from runner.sandbox.allowlist import allow_list
from runner.sandbox.command import run
from runner.sandbox.isolation import SAME_USER, Bind, Isolation, interpreter
from runner.sandbox.jail import HOME
from runner.sandbox.process import Finished, ProcessRequest
from runner.sandbox.workspace import Workspace, private_child

NO_BINARY = "no binary of the probe was given, so that nothing it would say is known"
_SCRIPT = "frozen.py"


def probe_binary(tool: str, path: Path) -> FileDigest:
    """The binary of a probe as it is now. Raises `UsageError` unless it is a regular file that can be executed."""
    todo = "give the path of the program itself with --probe"
    try:
        found = path.lstat()
    except OSError as error:
        raise UsageError((error.strerror or type(error).__name__).lower(), todo, where=str(path)) from error
    if not stat.S_ISREG(found.st_mode):
        what = "is a symbolic link" if stat.S_ISLNK(found.st_mode) else "is no regular file"
        raise UsageError(what, todo, where=str(path))
    if not found.st_mode & stat.S_IXUSR:
        raise UsageError("cannot be executed", todo, where=str(path))
    return FileDigest(path=tool, bytes=found.st_size, sha256=_sha256(path))


@dataclass
class Scripts:
    """Everything that runs on behalf of the judge in one attempt."""

    workspace: Workspace
    journal: Journal
    start: Mapping[str, str]
    """The untouched fixture."""
    files: Mapping[str, str]
    """The candidate's files."""
    seconds: int
    output_bytes: int
    profile: ProbeProfile | None
    binary: Path | None
    known_sha256: str
    """Of the probe's binary as the run began with it; empty where none was given."""
    tier: Tier
    """How apart the candidate's code runs: at the tier of the attempt."""
    _said: dict[str, str] = field(default_factory=dict)
    """Why a command of the probe failed; empty where it succeeded."""
    graph: str = ""
    """What `graph` printed about the candidate."""

    def printed(self, name: str, text: str) -> str:
        """What a frozen script prints when it runs on a copy of the candidate; or how it failed."""
        with private_child(self.workspace.folder, "judge") as folder:
            copy = _copy(self.files, folder / "candidate")
            (folder / _SCRIPT).write_text(text, encoding="utf-8")
            argv = (sys.executable, "-I", "-B", str(folder / _SCRIPT))
            finished = self._run("script", argv, folder, copy, self.seconds, self.output_bytes)
        if finished.end != Exited(code=0) or not finished.stdout.complete:
            return f"{name} did not run to its end"
        return finished.stdout.text

    def probed(self, commands: Sequence[str]) -> Judgement:
        """Whether these commands succeed on the start and on the candidate, with one and the same binary."""
        expected = f"{', '.join(commands)} succeed on the start and on the candidate"
        if self.profile is None or self.binary is None:
            return Judgement(met=False, expected=expected, observed=NO_BINARY)
        if not self._said:
            self._ask_all(self.profile, self.binary)
        wrong = [said for name in (*commands, "binary") if (said := self._said[name])]
        return Judgement(not wrong, expected, "; ".join(wrong) or "they do")

    def _ask_all(self, profile: ProbeProfile, binary: Path) -> None:
        """All four commands on both trees, once an attempt, between two looks at the binary."""
        before = _readable_sha256(binary)
        if before is None:
            self._said |= dict.fromkeys(PROBE_COMMANDS, "it was not asked")
            self._said["binary"] = "the probe's binary cannot be read"
            return
        if before != self.known_sha256:
            self.journal.note(ProbedEvent(tool=profile.tool, before_sha256=before, after_sha256=before))
            self._said |= dict.fromkeys(PROBE_COMMANDS, "")  # not one was asked: the binary alone says why
            self._said["binary"] = "the probe's binary is another one than the run began with"
            return
        for name in PROBE_COMMANDS:
            self._said[name] = "; ".join(self._ask(profile, binary, name))
        after = _readable_sha256(binary)
        if after is None:
            self._said["binary"] = "the probe's binary cannot be read any more"
            return
        self.journal.note(ProbedEvent(tool=profile.tool, before_sha256=before, after_sha256=after))
        if before != after:
            self._said["binary"] = "the probe's binary changed meanwhile"
        else:
            self._said["binary"] = ""

    def _ask(self, profile: ProbeProfile, binary: Path, name: str) -> list[str]:
        wrong = []
        trees: tuple[tuple[ProbedTree, Mapping[str, str]], ...] = (("start", self.start), ("candidate", self.files))
        for tree, files in trees:
            with private_child(self.workspace.folder, "probe") as folder:
                copy = _copy(files, folder / tree)
                values = {"{probe}": str(binary), "{python}": sys.executable}
                argv = tuple(values.get(part, part) for part in profile.command(name))
                finished = self._run(probe_step(name, tree), argv, folder, copy, profile.seconds, profile.output_bytes)
            if finished.end != Exited(code=0):
                wrong.append(f"{name} on the {tree} failed")
            elif not (finished.stdout.complete and finished.stderr.complete):
                wrong.append(f"{name} on the {tree} printed too much")
            elif (name, tree) == ("graph", "candidate"):
                self.graph = self.journal.text(finished.stdout.text)
        return wrong

    def _run(
        self, step: str, argv: tuple[str, ...], folder: Path, cwd: Path, seconds: int, output_bytes: int
    ) -> Finished:
        jailed = self.tier is Tier.bwrap
        env = allow_list(self.workspace, (), {"HOME": str(HOME), "TMPDIR": "/tmp"} if jailed else {})  # noqa: S108
        isolation = self._jail(folder) if jailed else SAME_USER
        finished = run(ProcessRequest(argv, cwd, env, output_bytes, isolation=isolation), seconds)
        self.journal.note(
            ProcessEvent(
                step=step,
                instance=0,
                argv=self.journal.texts(argv),
                cwd=self.journal.text(str(cwd)),
                env=(),
                clock_shift_seconds=0,
                end=self.journal.end(finished.end),
                stdout=self.journal.output(finished.stdout),
                stderr=self.journal.output(finished.stderr),
            )
        )
        return finished

    def _jail(self, folder: Path) -> Isolation:
        """The copy, the interpreter with what is installed for the runner, and the probe; nothing else."""
        tools = dict.fromkeys((Path(sys.prefix).resolve(), *((self.binary,) if self.binary else ())))
        python = interpreter()
        there = (Path("/usr"), *(bind.source for bind in python))
        found: list[Bind] = []
        for tool in tools:
            if not any(tool.is_relative_to(place) for place in (*there, *(bind.source for bind in found))):
                found.append(Bind(tool))
        return Isolation(tier=Tier.bwrap, binds=(Bind(folder, writable=True), *found, *python))


def _copy(files: Mapping[str, str], folder: Path) -> Path:
    folder.mkdir(mode=0o700)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="")
    return folder


def _readable_sha256(path: Path) -> str | None:
    """The digest of a file, or None where it cannot be read, so that nothing is known of it."""
    try:
        return _sha256(path)
    except OSError:
        return None


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
