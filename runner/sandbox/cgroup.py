"""A control group for one jail, where this user may make one: memory and processes, all together.

Version 1 and version 2 of the kernel's control groups, below the group that the runner itself is in.
Where none can be made the jail goes without; other limits hold all the same.
"""

import itertools
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from runner.sandbox.isolation import Limits
from runner.sandbox.process_table import look

_numbers = itertools.count(1)
_REMOVE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class _Hierarchy:
    """One mounted tree of groups: where the runner stands in it, and what it can limit."""

    here: Path
    controllers: frozenset[str]
    second: bool
    """Whether it is version 2."""


@dataclass(frozen=True, slots=True)
class Group:
    """The folders of one jail's group: one, or with version 1 one for each controller; none without rights."""

    folders: tuple[Path, ...]
    limited: frozenset[str]
    """Of `memory` and `pids`, what is limited."""

    @classmethod
    def make(cls, limits: Limits) -> "Group":
        """Make the group. Never raises for a lack of rights: it is then empty."""
        folders: list[Path] = []
        limited: set[str] = set()
        name = f"sealbook-{os.getpid()}-{next(_numbers)}"
        for hierarchy in hierarchies():
            _remove_abandoned(hierarchy.here)
            folder = hierarchy.here / name
            try:
                folder.mkdir()
            except OSError:
                continue
            if got := _limit(hierarchy, folder, limits):
                folders.append(folder)
                limited |= got
            else:
                folder.rmdir()
        return cls(tuple(folders), frozenset(limited))

    @property
    def doors(self) -> tuple[str, ...]:
        """The files by which a process joins."""
        return tuple(str(folder / "cgroup.procs") for folder in self.folders)

    def remove(self) -> None:
        """Remove the group once its last process is gone. One that stays is removed by a later runner."""
        until = time.monotonic() + _REMOVE_SECONDS
        for folder in self.folders:
            while True:
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    if time.monotonic() > until:
                        break
                    time.sleep(0.005)
                else:
                    break


def hierarchies() -> tuple[_Hierarchy, ...]:
    """Every mounted tree that can limit memory or processes, as `/proc/self` tells."""
    own: dict[str, str] = {}
    for line in _lines("/proc/self/cgroup"):
        _, controllers, path = line.split(":", 2)
        own |= dict.fromkeys(controllers.split(","), path)
    found = []
    for line in _lines("/proc/self/mountinfo"):
        before, _, after = line.partition(" - ")
        root, point = before.split()[3:5]
        kind, _, options = after.split(" ", 2)
        second = kind == "cgroup2"
        named = frozenset({""} if second else set(options.split(",")) & {"memory", "pids"})
        where = next((own[name] for name in sorted(named) if name in own), None)
        if kind not in ("cgroup", "cgroup2") or where is None or not Path(where).is_relative_to(root):
            continue
        here = Path(point) / Path(where).relative_to(root)
        if second:
            named = frozenset(" ".join(_lines(here / "cgroup.controllers")).split()) & {"memory", "pids"}
        if named:
            found.append(_Hierarchy(here, named, second))
    return tuple(found)


def _limit(hierarchy: _Hierarchy, folder: Path, limits: Limits) -> set[str]:
    memory = "memory.max" if hierarchy.second else "memory.limit_in_bytes"
    wanted = {"memory": (memory, limits.memory_bytes), "pids": ("pids.max", limits.processes)}
    limited = set()
    for controller in sorted(hierarchy.controllers):
        name, most = wanted[controller]
        # Version 2 lets a group with processes of its own hand no controller on: then there is no such file.
        with suppress(OSError):
            if hierarchy.second and not (folder / name).exists():
                (hierarchy.here / "cgroup.subtree_control").write_text(f"+{controller}", encoding="ascii")
            (folder / name).write_text(str(most), encoding="ascii")
            limited.add(controller)
    if "memory" in limited:
        # Or what is too much would go to the swap space instead. Where swap is not counted there is no such file.
        swap, most = (
            ("memory.swap.max", 0) if hierarchy.second else ("memory.memsw.limit_in_bytes", limits.memory_bytes)
        )
        with suppress(OSError):
            (folder / swap).write_text(str(most), encoding="ascii")
    return limited


def _remove_abandoned(here: Path) -> None:
    """Remove empty groups of runners that are gone."""
    for folder in here.glob("sealbook-*-*"):
        pid = folder.name.split("-")[1]
        if pid.isdecimal() and look(int(pid)) is None:
            with suppress(OSError):
                folder.rmdir()


def _lines(path: str | Path) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
