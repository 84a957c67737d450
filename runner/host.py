"""Looks at the host around a measurement: what it is, how loaded it was, and who spent its CPU time.

It reads what Linux shows to everybody. What it cannot read is unknown with the reason, and never an error.
"""

import os
import resource
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from runner.contract.canonical import MAX_INTEGER
from runner.contract.parity.host import CpuTime, Host, HostAround, Name, Number, UnknownFact
from runner.sandbox.process_table import descendants, snapshot, ticks_of

NANOSECONDS = 1_000_000_000
_ROOT = Path("/")


class HostWatch:
    """Looks at the host when it is made, and again when the measurement is over."""

    def __init__(self, root: Path = _ROOT) -> None:
        """`root` is where `proc` and `sys` lie."""
        self._root = root
        self._before = look(root)
        self._begun = _counters(root)

    def end(self) -> HostAround:
        """What is known of the host from the beginning until now."""
        ended = _counters(self._root)
        return HostAround(before=self._before, after=look(self._root), cpu_time=_between(self._begun, ended))


def look(root: Path = _ROOT) -> Host:
    """What is known of the host at this moment."""
    cpus = os.cpu_count()
    load, runnable = _load(root / "proc/loadavg")
    return Host(
        cpu_model=_name(_models(root / "proc/cpuinfo"), "the host names no CPU model"),
        cpus=Number(value=cpus) if cpus else UnknownFact(reason="the host does not count its CPUs"),
        governor=_name(_governors(root / "sys/devices/system/cpu/cpufreq"), "the host shows no frequency governor"),
        load_hundredths=load,
        runnable=runnable,
    )


def _name(found: Iterable[str], reason: str) -> Name | UnknownFact:
    """All different names, in order: a host can have CPUs of two kinds."""
    text = ", ".join(sorted(set(found) - {""}))
    return Name(value=text[:1000]) if text else UnknownFact(reason=reason)


def _models(file: Path) -> list[str]:
    parts = (line.partition(":") for line in _text(file).splitlines())
    return [value.strip() for name, _, value in parts if name.strip() == "model name"]


def _governors(folder: Path) -> list[str]:
    return [_text(file).strip() for file in folder.glob("policy*/scaling_governor")]


def _load(file: Path) -> tuple[Number | UnknownFact, Number | UnknownFact]:
    """Load and runnable threads: `1.50 1.20 0.90 3/250 4711` gives 150 and 3."""
    try:
        minute, _, _, threads, _ = _text(file).split()
        whole, hundredths = minute.split(".")
        return Number(value=100 * int(whole) + int(hundredths)), Number(value=int(threads.partition("/")[0]))
    except ValueError:
        unknown = UnknownFact(reason="the host shows no load average")
        return unknown, unknown


@dataclass(frozen=True, slots=True)
class _Counters:
    """CPU time in nanoseconds since some beginning, so that only the difference of two is a fact."""

    at: int
    busy: int
    own: int
    stolen: int


def _counters(root: Path) -> _Counters | None:
    """None where the host does not show them."""
    words = _text(root / "proc/stat").partition("\n")[0].split()
    try:
        user, nice, system, _idle, _disk, interrupts, soft_interrupts, stolen = (int(word) for word in words[1:9])
    except ValueError:
        return None
    # What it ran as a host of guests stands after these and is in `user` and `nice` already.
    busy = _nanoseconds(user + nice + system + interrupts + soft_interrupts)
    return _Counters(at=time.monotonic_ns(), busy=busy, own=_own(), stolen=_nanoseconds(stolen))


def _own() -> int:
    """Spent by this process, by children that have ended, and by all processes below it that are still there.

    What an ended process spent is lost if nobody waited for it, and then counts as the others': a host may look more
    contended than it was.
    """
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    # The kernel gives whole microseconds, and Python makes floats of them.
    microseconds = round(1_000_000 * ended.ru_utime) + round(1_000_000 * ended.ru_stime)
    below = descendants(snapshot(), [os.getpid()])
    return time.process_time_ns() + 1000 * microseconds + _nanoseconds(sum(ticks_of(pid) for pid in below))


def _nanoseconds(ticks: int) -> int:
    return ticks * NANOSECONDS // os.sysconf("SC_CLK_TCK")


def _between(begun: _Counters | None, ended: _Counters | None) -> CpuTime | UnknownFact:
    if begun is None or ended is None:
        return UnknownFact(reason="the host does not show the time that its CPUs spent")
    elapsed, busy, own, stolen = (
        ended.at - begun.at,
        ended.busy - begun.busy,
        ended.own - begun.own,
        ended.stolen - begun.stolen,
    )
    if elapsed < 1 or not all(0 <= spent <= MAX_INTEGER for spent in (elapsed, busy, own, stolen)):
        return UnknownFact(reason="a count of CPU time went back")
    return CpuTime(elapsed_ns=elapsed, busy_ns=busy, own_ns=own, stolen_ns=stolen)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="backslashreplace")
    except OSError:
        return ""
