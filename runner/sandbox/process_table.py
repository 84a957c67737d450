"""One look at the kernel's process table: who is whose child, and who carries a marker."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
_SIZES = ("VmRSS", "VmHWM")


@dataclass(frozen=True, slots=True)
class Entry:
    """One process at the moment of the look."""

    pid: int
    parent: int
    session: int
    started: int
    """Clock ticks since boot; with `pid` it names one process for ever."""
    zombie: bool
    stopped: bool
    """Frozen by SIGSTOP: no thread of it runs."""


def snapshot() -> dict[int, Entry]:
    """Every process of this machine that can be seen, by its id."""
    table: dict[int, Entry] = {}
    for name in os.listdir(PROC):  # noqa: PTH208 -- names alone, twice a second, on a long folder
        if name.isdigit() and (entry := look(int(name))) is not None:
            table[entry.pid] = entry
    return table


def look(pid: int) -> Entry | None:
    """One process, or None when it is gone."""
    fields = _fields(pid)
    if not fields:
        return None
    return Entry(
        pid=pid,
        parent=int(fields[1]),
        session=int(fields[3]),
        started=int(fields[19]),
        zombie=fields[0] in (b"Z", b"X", b"x"),
        stopped=fields[0] == b"T",
    )


def descendants(table: Mapping[int, Entry], roots: Iterable[int]) -> set[int]:
    """The ids of all processes below `roots`, without the roots."""
    children: dict[int, list[int]] = {}
    for entry in table.values():
        children.setdefault(entry.parent, []).append(entry.pid)
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def ticks_of(pid: int) -> int:
    """The CPU time of a process and of the children that it has waited for, in clock ticks; 0 when it is gone."""
    return sum(int(field) for field in _fields(pid)[11:15])


@dataclass(frozen=True, slots=True)
class Memory:
    """What a process holds of the machine's memory."""

    resident_bytes: int
    highest_bytes: int
    """The most that it ever held at once."""


def memory_of(pid: int) -> Memory | None:
    """The memory of a process, in bytes; None when it is gone."""
    try:
        lines = (PROC / str(pid) / "status").read_text("utf-8", "backslashreplace").splitlines()
        sizes = {
            name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines) if name in _SIZES
        }
        resident, highest = (1024 * sizes[name] for name in _SIZES)
    except (OSError, KeyError):  # a dead process has an entry and no sizes
        return None
    return Memory(resident, highest)


def environment_of(pid: int) -> frozenset[bytes]:
    """The `NAME=value` pairs that a process was started with; empty when it cannot be read."""
    try:
        return frozenset((PROC / str(pid) / "environ").read_bytes().split(b"\0"))
    except OSError:
        return frozenset()


def folder_of(pid: int) -> Path | None:
    """The working folder of a process; None when it cannot be read."""
    try:
        return (PROC / str(pid) / "cwd").readlink()
    except OSError:
        return None


def user_of(pid: int) -> int | None:
    """The user whom a process belongs to; None when it is gone."""
    try:
        return (PROC / str(pid)).stat().st_uid
    except OSError:
        return None


def command_of(pid: int) -> str:
    """The command line of a process as text; its short name when there is none."""
    words = words_of(pid)
    try:
        name = (PROC / str(pid) / "comm").read_bytes().strip()
    except OSError:
        return "(gone)"
    shown = b" ".join(words).strip() or name
    return shown[:300].decode("utf-8", "backslashreplace")


def words_of(pid: int) -> tuple[bytes, ...]:
    """The command line of a process, word by word; empty when it has none or is gone."""
    try:
        return tuple((PROC / str(pid) / "cmdline").read_bytes().rstrip(b"\0").split(b"\0"))
    except OSError:
        return ()


def sockets_of(pid: int) -> frozenset[int]:
    """The inodes of the sockets that a process holds."""
    found: set[int] = set()
    try:
        handles = list((PROC / str(pid) / "fd").iterdir())
    except OSError:
        return frozenset()
    for handle in handles:
        try:
            target = str(handle.readlink())
        except OSError:
            continue
        if target.startswith("socket:["):
            found.add(int(target[8:-1]))
    return frozenset(found)


def _fields(pid: int) -> list[bytes]:
    """What the kernel says of a process after its name; empty when it is gone."""
    try:
        text = (PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return []
    # The program's name stands in parentheses and may itself hold blanks and parentheses.
    return text[text.rindex(b")") + 2 :].split()
