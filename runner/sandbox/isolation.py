"""What one process may see and use: the value that `process.start` takes beside the command.

A caller says the tier and, at tier `bwrap`, what of the host shows inside. All else is absent: graders,
manifests, evidence and the checkout are not forbidden, they are not there.

    jail = Isolation(
        tier=Tier.bwrap,
        binds=(
            Bind(workspace.work, writable=True),
            Bind(Path("/opt/agent"), target=Path("/agent")),
        ),
        bridge=Bridge(socket=relay.socket, port=8080),
    )
    start(ProcessRequest(argv, cwd=workspace.work, env=env, output_bytes=65_536, isolation=jail))

`cwd` is a folder of the host below a bind; `argv` and `env` hold paths as the process sees them, which
are the host's own unless a bind has a `target`. Always there: `/usr` and the few files of `/etc` that
programs need to load, read-only; `/proc` with `/proc/sys` read-only; a minimal `/dev`; an empty `/tmp` and
an empty `/home/sandbox` in memory, each of `Limits.scratch_bytes`; a network that is a loopback interface alone.
`tiers.require` says whether a tier can be had here, before anything is started; no tier ever stands in for another.

Python's own interpreter is bound by `interpreter()`, wherever it lies. The folders of a writable bind
are handed to the account that the process runs as; what it leaves is read through `containment`.
"""

import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

from runner.contract.study import Tier

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Bind:
    """A file or folder of the host that shows inside. Its own name must not be a link."""

    source: Path
    target: Path | None = None
    """Where it shows; at its own path when None."""
    writable: bool = False

    @property
    def shown(self) -> Path:
        """The absolute path inside."""
        return self.target or self.source


@dataclass(frozen=True, slots=True)
class Bridge:
    """The one way out of the jail: a loopback port inside that leads to one unix socket of the host."""

    socket: Path
    """Who listens there is the caller's; `bridge.Relay` leads on to one loopback port of the host."""
    port: int
    """On 127.0.0.1 inside, 1024 or above."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What all processes of one jail may use together, unless it says *each*."""

    processes: int = 512
    memory_bytes: int = 4096 * MIB
    """Held where a control group can be made; elsewhere only `address_space_bytes` limits memory."""
    address_space_bytes: int | None = None
    """Each process. None by default: JavaScript engines reserve far more than they use."""
    cpu_seconds: int | None = None
    """Each process; beyond it SIGKILL. The wall clock is the caller's, by `Running.wait` and `Running.kill`."""
    file_bytes: int = 4096 * MIB
    """Each file."""
    open_files: int = 1024
    """Each process."""
    scratch_bytes: int = 64 * MIB
    """Each of `/tmp` and the home in memory."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """How one process is kept apart from the host."""

    tier: Tier = Tier.process
    """At `process` nothing below has a meaning: the process is this user and sees what this user sees."""
    binds: tuple[Bind, ...] = ()
    bridge: Bridge | None = None
    limits: Limits = field(default_factory=Limits)

    def inside(self, path: Path) -> Path | None:
        """Where a path of the host shows inside; None when no bind covers it. The closest bind decides."""
        covering = [bind for bind in self.binds if path.is_relative_to(bind.source)]
        if not covering:
            return None
        closest = max(covering, key=lambda bind: len(bind.source.parts))
        return closest.shown / path.relative_to(closest.source)


SAME_USER = Isolation()
"""Tier `process`: a defence against the same user's accidents only."""


def interpreter() -> tuple[Bind, ...]:
    """The running Python with its standard library, read-only at its own path. The program is `base_python()`.

    Nothing of a virtual environment: what is installed there is bound by whoever needs it.
    """
    base = Path(sys.base_prefix).resolve()
    return () if base.is_relative_to("/usr") else (Bind(base),)


def base_python() -> Path:
    """The interpreter itself, not the link to it in a virtual environment."""
    folder = Path(sys.base_prefix).resolve() / "bin"
    return folder / f"python{sysconfig.get_python_version()}"
