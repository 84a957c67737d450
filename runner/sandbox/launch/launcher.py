"""Becomes bubblewrap with as few rights as can be: `python -I -S launcher.py ORDERS_FD [MARKER TOKEN]`.

The marker is for whoever looks at the process table.
Runs as a child of the runner, before anything of the candidate. In this order: join the control
groups; as root, open a mount namespace, bind every source below one folder that anybody may pass, hand
writable ones over, and drop the user; ask the kernel for SIGKILL when the runner ends; set limits; exec.

The orders are `launch.orders.Orders`, marshalled into a memory file by the same interpreter. What fails is told in
the status file, as a JSON object with the key `launch-error`, and the exit code is 125.

It starts before every jailed program: modules that build on `enum` or `re`, such as `json`, `signal` and `typing`,
would take more time than all the rest.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import resource
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from runner.sandbox.launch.orders import Orders

_CLONE_NEWNS = 0x0002_0000
_MS_BIND, _MS_REC, _MS_PRIVATE = 0x1000, 0x4000, 0x4_0000
_MS_NOSUID, _MS_NODEV = 0x2, 0x4
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9
_LIBC = ctypes.CDLL(None, use_errno=True)


def main() -> NoReturn:
    """Carry out the orders and become the program they name."""
    orders: Orders = marshal.loads(os.pread(int(sys.argv[1]), 1 << 24, 0))  # noqa: S302  from our own parent
    os.close(int(sys.argv[1]))
    try:
        for group in orders["groups"]:
            _write(group, b"0")
        if orders["account"] is not None:
            _stage(orders["stage"], orders["sources"])
            for number in orders["handed_over"]:
                _hand_over(f"{orders['stage']}/{number}", orders["account"])
            os.setgroups([])
            os.setresgid(*[orders["account"]] * 3)
            os.setresuid(*[orders["account"]] * 3)
        # After the change of user, which clears it; a runner that ended before is noticed by its number.
        _call(_LIBC.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0), "die with the runner")
        if os.getppid() != orders["runner"]:
            os._exit(125)  # nobody is left to be told
        for name, most in orders["limits"].items():
            _limit(getattr(resource, name), most)
        _limit(resource.RLIMIT_NPROC, _tasks(os.getuid()) + orders["more_processes"])
        os.execve(orders["argv"][0], orders["argv"], {})
    except (OSError, RecursionError) as error:
        import json  # noqa: PLC0415  see above

        said, file = "its folders are nested too deeply", None
        if isinstance(error, OSError):
            said, file = f"{error.strerror or error}".lower(), error.filename
        told = {"launch-error": f"{file}: {said}" if file else said}
        os.write(orders["status"], json.dumps(told).encode() + b"\n")
    os._exit(125)


def _stage(stage: str, sources: list[str]) -> None:
    _call(_LIBC.unshare(_CLONE_NEWNS), "open a mount namespace")
    _mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    # Opened before the stage covers what lies below it, and never through a link that took a source's place.
    handles = [os.open(source, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC) for source in sources]
    _mount(b"tmpfs", os.fsencode(stage), b"tmpfs", _MS_NOSUID | _MS_NODEV, b"mode=0755,size=1m")
    for number, handle in enumerate(handles):
        place = f"{stage}/{number}"
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            os.mkdir(place, 0o755)
        else:
            os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
        _mount(f"/proc/self/fd/{handle}".encode(), place.encode(), None, _MS_BIND | _MS_REC, None)
        os.close(handle)


def _hand_over(source: str, account: int) -> None:
    """Give everything below a folder to the account.

    A file with a second name keeps its owner: that name may lie anywhere.
    """
    if not stat.S_ISDIR(os.lstat(source).st_mode):
        os.chown(source, account, account, follow_symlinks=False)
        return
    for _, folders, names, handle in os.fwalk(source, follow_symlinks=False):
        for name in (*folders, *names):
            found = os.stat(name, dir_fd=handle, follow_symlinks=False)
            single = stat.S_ISDIR(found.st_mode) or found.st_nlink == 1
            if found.st_uid != account and single:
                os.chown(name, account, account, dir_fd=handle, follow_symlinks=False)
    os.chown(source, account, account, follow_symlinks=False)


def _limit(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (value, value))


def _tasks(user: int) -> int:
    """How many threads the user has now: the kernel counts them against the limit of processes."""
    found = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.stat(f"/proc/{name}").st_uid == user:
                    found += len(os.listdir(f"/proc/{name}/task"))
            except OSError:
                continue
    return found


def _write(path: str, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    os.write(handle, data)
    os.close(handle)


def _mount(source: bytes, target: bytes, kind: bytes | None, flags: int, data: bytes | None) -> None:
    _call(_LIBC.mount(source, target, kind, ctypes.c_ulong(flags), data), f"mount {target.decode()}")


def _call(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"cannot {what}: {os.strerror(number)}")


if __name__ == "__main__":
    main()
