"""What there is to attack: a workspace, a secret beside it, a listener and a process on the host."""

import os
import platform
import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from runner.contract.events import NotSpawned
from runner.contract.study import Tier
from runner.errors import SandboxError
from runner.sandbox import seccomp
from runner.sandbox.abandoned import MARKER
from runner.sandbox.battery import inside
from runner.sandbox.custody import Custody
from runner.sandbox.isolation import MIB, Bind, Isolation, base_python, interpreter
from runner.sandbox.jail import HOME
from runner.sandbox.process import ProcessRequest, start
from runner.sandbox.programs import SYSTEM_PATH
from runner.sandbox.workspace import private_child

KEPT_BYTES = 4096
FLOOD_MIB = 24
_TOO_MUCH = 768 * MIB
_FORKS = 200
_PROGRAM = Path("/run/probe")
_PACKAGE = Path("runner/sandbox/battery/inside")


@dataclass(frozen=True, slots=True)
class Scene:
    """One folder with all of it, and what an attack is told."""

    folder: Path
    port: int
    abstract: str
    pid: int

    @property
    def work(self) -> Path:
        """The workspace."""
        return self.folder / "work"

    @property
    def heart(self) -> Path:
        """What a process that lives on writes to again and again."""
        return self.work / "heart"

    def facts(self) -> dict[str, object]:
        """What an attack is told: as much as an attacker could ever know."""
        return {
            "work": str(self.work),
            "shown": str(self.folder / "shown"),
            "secret": str(self.folder / "secret"),
            "checkout": str(Path(__file__).parents[2]),
            "port": self.port,
            "abstract": self.abstract,
            "pid": self.pid,
            "calls": {name: numbers[_column()] for name, numbers in seccomp.DENIED.items()},
            "clone": seccomp.CLONE[_column()],
            "foreign": seccomp.X32 + 39,
            "names": ["PATH", "HOME", MARKER],
            "forks": _FORKS,
            "too_much": _TOO_MUCH,
            "flood_mib": FLOOD_MIB,
        }

    def request(self, tier: Tier, isolation: Isolation, arguments: tuple[str, ...]) -> ProcessRequest:
        """The command that tries one attack, at one tier."""
        program = (_PROGRAM if tier is Tier.bwrap else self.folder / "probe") / _PACKAGE / "attempt.py"
        home = HOME if tier is Tier.bwrap else self.folder / "home"
        return ProcessRequest(
            argv=(str(base_python()), "-I", "-S", "-B", str(program), *arguments),
            cwd=self.work,
            env={"PATH": SYSTEM_PATH, "HOME": str(home)},
            output_bytes=KEPT_BYTES,
            isolation=isolation,
        )

    def binds(self) -> tuple[Bind, ...]:
        """What shows in the jail."""
        return (
            Bind(self.work, writable=True),
            Bind(self.folder / "shown"),
            Bind(self.folder / "probe", _PROGRAM),
            *interpreter(),
        )


@contextmanager
def a_scene(root: Path) -> Iterator[Scene]:
    """A scene in a private folder below `root`, gone at the end. Raises `SandboxError` if it cannot be made."""
    with ExitStack() as stack:
        folder = stack.enter_context(private_child(root, "doctor"))
        _furnish(folder)
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract = f"sealbook-doctor-{os.getpid()}"
        hidden = stack.enter_context(socket.socket(socket.AF_UNIX))
        hidden.bind(f"\0{abstract}")
        hidden.listen()
        custody = Custody(folder / "home")
        stack.callback(custody.clear, grace_seconds=0)
        name, token = custody.marker
        env = {"PATH": SYSTEM_PATH, name: token}
        bystander = start(ProcessRequest(("sleep", "3600"), folder / "home", env, KEPT_BYTES))
        if isinstance(bystander, NotSpawned):
            raise SandboxError(f"no process can be started: {bystander.why}", where="sleep")
        custody.adopt(bystander)
        yield Scene(folder, listening.getsockname()[1], abstract, bystander.pid)


def _furnish(folder: Path) -> None:
    for name in ("work", "shown", "home"):
        (folder / name).mkdir()
        (folder / name).chmod(0o755)
    (folder / "secret").write_text("nobody shall read this\n", encoding="ascii")
    (folder / "work" / "given").write_text("given", encoding="ascii")
    (folder / "work" / "planted").symlink_to(folder / "secret")
    package = folder / "probe" / _PACKAGE
    # A copy that anybody may read, however private the installation is.
    shutil.copytree(Path(inside.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (folder / "probe", *(folder / "probe").rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _column() -> int:
    return seccomp.machines().index(platform.machine())
