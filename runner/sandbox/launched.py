"""Prepares the start of an isolated process and reads from bubblewrap's status how it went.

Orders, options, environment and filter are files in memory, handed on by number: nothing of them stands
in a process table but the attempt's marker.
"""

import json
import marshal
import os
import platform
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from runner.errors import SandboxError
from runner.sandbox.abandoned import MARKER, NOBODY
from runner.sandbox.cgroup import Group
from runner.sandbox.isolation import Bind, Isolation, Limits, base_python, interpreter
from runner.sandbox.jail import FILES, Handles, arguments
from runner.sandbox.launch import forward, launcher
from runner.sandbox.launch.orders import Orders
from runner.sandbox.programs import SYSTEM_PATH
from runner.sandbox.seccomp import filter_for, machines

_STAGES = ("/mnt", "/media", "/srv", "/opt")
_FORWARD, _SOCKET = Path("/run/sandbox/forward.py"), Path("/run/sandbox/bridge")


class Launch:
    """The command line that starts one isolated process. Close it with `close`, whatever happened."""

    def __init__(self, argv: tuple[str, ...], cwd: Path, env: Mapping[str, str], isolation: Isolation) -> None:
        """Raises `SandboxError` for what no jail can be made of, and for a machine without bubblewrap.

        ValueError for a NUL byte, which would end one option and begin another.
        """
        if any("\0" in text for text in (*argv, *env, *env.values(), str(cwd))):
            raise ValueError("embedded null byte")
        if platform.machine() not in machines():
            raise SandboxError(
                f"no filter of system calls is known for {platform.machine()}",
                f"use one that is {' or '.join(machines())}",
            )
        isolation, argv = _bridged(isolation, argv)
        inside = isolation.inside(cwd)
        if inside is None:
            raise SandboxError("the working folder shows nowhere inside", "bind it", where=str(cwd))
        account = NOBODY if os.geteuid() == 0 else None
        check_binds(isolation.binds, account)
        # In the command lines as well: until the program runs, nothing else tells whose the process is.
        mark = (MARKER, env[MARKER]) if MARKER in env else ()
        self._open: list[int] = []
        self._group = Group.make(isolation.limits)
        try:
            self._status = self._file("status")
            handles = Handles(
                seccomp=self._file("seccomp", filter_for(platform.machine())),
                status=self._status,
                files={path: self._file("made", data) for path, data in _made(isolation).items()},
            )
            stage = _stage() if account else ""
            sources = [f"{stage}/{n}" if account else str(bind.source) for n, bind in enumerate(isolation.binds)]
            options = arguments(isolation, sources, inside, env, handles)
            listed = self._file("options", b"".join(os.fsencode(option) + b"\0" for option in options))
            orders = Orders(
                runner=os.getpid(),
                groups=list(self._group.doors),
                account=account,
                stage=stage,
                sources=[str(bind.source) for bind in isolation.binds],
                handed_over=[n for n, bind in enumerate(isolation.binds) if bind.writable],
                limits=_limits(isolation.limits),
                more_processes=isolation.limits.processes,
                argv=[bubblewrap(), "--args", str(listed), *(("--setenv", *mark) if mark else ()), "--", *argv],
                status=self._status,
            )
            ordered = self._file("orders", marshal.dumps(dict(orders)))
        except BaseException:
            self.close()
            raise
        self.argv = (sys.executable, "-I", "-S", launcher.__file__, str(ordered), *mark)

    @property
    def handles(self) -> tuple[int, ...]:
        """The open files that the started process inherits."""
        return tuple(self._open)

    def not_spawned(self, stderr: str) -> str | None:
        """Why the program never ran, or None if it did. Asked once bubblewrap has ended by itself."""
        for line in os.pread(self._status, 1 << 16, 0).splitlines():
            try:
                told = json.loads(line)
            except ValueError:  # it was cut off while it wrote this
                continue
            if "launch-error" in told:
                return str(told["launch-error"])
            if "exit-code" in told:  # written only if the program was executed
                return None
        said = stderr.strip().rpartition("\n")[2].removeprefix("bwrap: ")
        if said.startswith("execvp "):
            said = said.rpartition(": ")[2]
        return said[:1].lower() + said[1:] if said else "bubblewrap said nothing"

    def close(self) -> None:
        """Give back the files and the control group."""
        for handle in self._open:
            os.close(handle)
        self._open.clear()
        self._group.remove()

    def _file(self, name: str, data: bytes = b"") -> int:
        handle = os.memfd_create(name)
        self._open.append(handle)
        os.write(handle, data)
        os.lseek(handle, 0, os.SEEK_SET)
        return handle


def bubblewrap() -> str:
    """Where bubblewrap is. Only the system's folders are looked at. Raises `SandboxError` if it is not there."""
    found = shutil.which("bwrap", path=SYSTEM_PATH)
    if found is None:
        raise SandboxError("bubblewrap is not installed", "install it, such as by `apt-get install bubblewrap`")
    return found


def check_binds(binds: tuple[Bind, ...], account: int | None) -> None:
    """Raise `SandboxError` for a source that is absent, is a link, or that the account could not read."""
    for bind in binds:
        where, source = str(bind.source), bind.source
        try:
            mode = source.lstat().st_mode
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            raise SandboxError(f"cannot be bound: {reason}", "name what is there", where=where) from error
        if source.is_symlink() or not source.is_absolute() or not bind.shown.is_absolute():
            raise SandboxError("cannot be bound: a link or a relative path", "give its real path", where=where)
        needed = 0o005 if source.is_dir() else 0o004
        if account is not None and not bind.writable and not source.is_socket() and mode & needed != needed:
            todo = "let others read it, or bind a copy that is writable"
            raise SandboxError("cannot be bound: only its owner may read it", todo, where=where)


def _bridged(isolation: Isolation, argv: tuple[str, ...]) -> tuple[Isolation, tuple[str, ...]]:
    """With a bridge, the program is started by the forwarder, which needs an interpreter inside."""
    if isolation.bridge is None:
        return isolation, argv
    way = Bind(isolation.bridge.socket, _SOCKET)
    present = {bind.shown for bind in isolation.binds}
    python = tuple(bind for bind in interpreter() if bind.shown not in present)
    start = (str(base_python()), "-I", "-S", str(_FORWARD), str(isolation.bridge.port), str(_SOCKET))
    return replace(isolation, binds=(*isolation.binds, way, *python)), (*start, *argv)


def _made(isolation: Isolation) -> dict[str, bytes]:
    """The files that are made for one jail. The forwarder is one, for its installation may be private."""
    made = dict(FILES)
    if isolation.bridge:
        made[str(_FORWARD)] = Path(forward.__file__).read_bytes()
    return made


def _limits(limits: Limits) -> dict[str, int]:
    named = {
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": limits.file_bytes,
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_CPU": limits.cpu_seconds,
        "RLIMIT_AS": limits.address_space_bytes,
    }
    return {name: most for name, most in named.items() if most is not None}


def _stage() -> str:
    for folder in _STAGES:
        if Path(folder).is_dir() and not Path(folder).is_symlink():
            return folder
    raise SandboxError(f"none of {', '.join(_STAGES)} is there", "make one of them")
