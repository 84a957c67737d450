"""Runs commands and says what they took; takes turns, so that a busy machine is busy for all alike."""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """What one command took, with all that it started and waited for."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    """The largest resident size that one of its processes had, in megabytes of a million bytes."""


def cost_of(command: Sequence[str], folder: Path) -> Cost:
    """Run a command in `folder` and measure it. Raises RuntimeError with what it said if it fails."""
    with tempfile.TemporaryFile() as said:
        begun = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            told = said.read().decode(errors="replace")
            raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{told}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024 / 1e6)


def in_turns(repeats: int, contenders: Mapping[str, Callable[[], dict[str, float]]]) -> dict[str, dict[str, float]]:
    """Let each contender run once a round, `repeats` rounds, and give the median of each of its figures."""
    seen: dict[str, list[dict[str, float]]] = {name: [] for name in contenders}
    for _ in range(repeats):
        for name, contend in contenders.items():
            seen[name].append(contend())
    return {
        name: {figure: statistics.median(one[figure] for one in figures) for figure in figures[0]}
        for name, figures in seen.items()
    }


def machine() -> str:
    """What a reader must know of this machine to compare figures; nothing that names it."""
    cpu = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "unknown"
    )
    memory = next((int(line.split()[1]) for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    load = os.getloadavg()[0]
    system = os.uname()
    return (
        f"{os.cpu_count()} CPUs ({cpu}), {memory * 1024 / 1e9:.0f} GB, {system.sysname} {system.release}, "
        f"load {load:.1f} at the start"
    )


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []
