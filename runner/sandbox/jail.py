"""The command line of bubblewrap for one isolated process: what it sees, in the order of mounting."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from runner.sandbox.isolation import Bind, Isolation

HOME = Path("/home/sandbox")
ACCOUNT = 1000
"""The user inside. Outside it is whoever started bubblewrap, who has no rights."""
_NAMESPACES = ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
_APART = ("--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL")
_ETC = (
    *("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d"),
    *("ssl/certs", "ssl/openssl.cnf", "nsswitch.conf", "protocols", "services"),
)
"""What programs need of `/etc` to be loaded and to look things up; nothing that tells of the machine."""
FILES: Mapping[str, bytes] = {
    "/etc/passwd": b"sandbox:x:1000:1000:sandbox:/home/sandbox:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n",
    "/etc/group": b"sandbox:x:1000:\nnogroup:x:65534:\n",
    "/etc/hosts": b"127.0.0.1 localhost sandbox\n::1 localhost\n",
}
"""Files that are made for the jail."""


@dataclass(frozen=True, slots=True)
class Handles:
    """The open files that bubblewrap is told of by number."""

    seccomp: int
    status: int
    files: Mapping[str, int]
    """By path, one for each file that is made for the jail: `FILES`, and the forwarder of a bridge."""


def arguments(
    isolation: Isolation, sources: Sequence[str], cwd: Path, env: Mapping[str, str], handles: Handles
) -> list[str]:
    """All options of bubblewrap. `sources` says where each bind's source is found, in the binds' order."""
    scratch = str(isolation.limits.scratch_bytes)
    made = [part for path, handle in handles.files.items() for part in ("--ro-bind-data", str(handle), path)]
    placed = sorted(zip(isolation.binds, sources, strict=True), key=lambda item: len(item[0].shown.parts))
    return [
        *_NAMESPACES,
        *_APART,
        *("--uid", str(ACCOUNT), "--gid", str(ACCOUNT), "--hostname", "sandbox"),
        "--clearenv",
        *(part for name, value in env.items() for part in ("--setenv", name, value)),
        *_system(),
        *made,
        # Of /proc only what bears on the jail's own processes; settings of the kernel can be read.
        *("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"),
        *("--dev", "/dev", "--size", scratch, "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),  # noqa: S108
        *("--size", scratch, "--perms", "1777", "--tmpfs", "/tmp"),  # noqa: S108
        *("--size", scratch, "--perms", "0700", "--tmpfs", str(HOME)),
        *(part for bind, source in placed for part in _bound(bind, source)),
        *("--remount-ro", "/", "--chdir", str(cwd)),
        *("--seccomp", str(handles.seccomp), "--json-status-fd", str(handles.status)),
    ]


def _bound(bind: Bind, source: str) -> tuple[str, str, str]:
    return ("--bind" if bind.writable else "--ro-bind", source, str(bind.shown))


@functools.cache
def _system() -> tuple[str, ...]:
    """The machine's programs and libraries, read-only, with the links of a merged `/usr` as they are."""
    found = ["--ro-bind", "/usr", "/usr"]
    for path in map(Path, ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")):
        if path.is_symlink():
            found += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            found += ["--ro-bind", str(path), str(path)]
    for name in _ETC:
        path = Path("/etc", name)
        if path.exists():
            found += ["--ro-bind", str(path), str(path)]
    return tuple(found)
