"""Tries, from inside an agent's own jail and before the agent starts, what it may reach and what it may not.

One shell tries everything and prints a line for each, so that a preflight costs one process. What it says is not
believed where the host can look: nothing may have arrived in a place that was to be denied.
"""

import itertools
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from runner.contract.values import Line, Record
from runner.sandbox.process import Finished

Way = Literal["permitted-read", "direct-read", "symlink-read", "outside-write"]
WRITTEN = "sealbook-probe"
"""How the name begins of what a probe tries to leave outside."""
_SCRIPT = rb"""
try() {
  number=$1; shift
  if said=$("$@" 2>&1 </dev/null >/dev/null); then echo "$number allowed"; else echo "$number denied $said"; fi
}
number=0
while [ $# -gt 0 ]; do
  number=$((number + 1))
  case $1 in
    look) try $number ls -dL -- "$2" ;;
    read) try $number cat -- "$2" ;;
    write) try $number tee -- "$2" ;;
  esac
  shift 2
done
"""


class Probe(Record):
    """One thing that the jail must allow or deny, and what came of trying it."""

    way: Way
    place: Line
    """What was tried, in words that name no path of the host."""
    expected: Literal["allowed", "denied"]
    found: Literal["allowed", "denied", "not-tried"]
    said: str
    """What the program that tried it said."""

    @property
    def holds(self) -> bool:
        """Whether it came as expected."""
        return self.expected == self.found


@dataclass(frozen=True, slots=True)
class Trial:
    """One thing to try."""

    way: Way
    place: str
    verb: Literal["look", "read", "write"]
    path: str
    """As the jail sees it."""

    @property
    def expected(self) -> Literal["allowed", "denied"]:
        """Only reading its own is allowed."""
        return "allowed" if self.way == "permitted-read" else "denied"


def witness(place: Path, shown: Iterable[Path]) -> Path | None:
    """Something that lies in a place of the host and must not be seen inside; None if there is nothing such.

    A folder on the way to something `shown` at its own path is there inside, and empty but for that.
    """
    try:
        entries = sorted(place.iterdir())
    except OSError:
        return None
    on_the_way = [*shown]
    return next((entry for entry in entries if not any(path.is_relative_to(entry) for path in on_the_way)), None)


def free_name(witnesses: Mapping[str, Path]) -> str:
    """What a probe tries to leave beside each witness: a name that is free there, since it is removed."""
    names = (f"{WRITTEN}-{number}" if number > 1 else WRITTEN for number in itertools.count(1))
    return next(name for name in names if not any(os.path.lexists(path.parent / name) for path in witnesses.values()))


def trials(own_file: str, witnesses: Mapping[str, Path], links: Mapping[str, str], left: str) -> tuple[Trial, ...]:
    """What to try: `own_file` inside, a witness of each denied place by its name, and links inside that lead to it.

    `left` is the name of what is tried to be written outside.
    """
    found = [Trial("permitted-read", "a file of its own", "read", own_file)]
    for name, path in witnesses.items():
        found += [
            Trial("direct-read", name, "look", str(path)),
            Trial("symlink-read", name, "look", links[name]),
            Trial("outside-write", name, "write", str(path.parent / left)),
        ]
    return (*found, Trial("outside-write", "the system's folders", "write", f"/usr/{left}"))


def probe(run: Callable[[tuple[str, ...], bytes], Finished], tried: tuple[Trial, ...]) -> tuple[Probe, ...]:
    """Try everything by `run`, which starts a program in the jail with an input, and tell what came of each."""
    words = tuple(word for trial in tried for word in (trial.verb, trial.path))
    finished = run(("sh", "-s", "--", *words), _SCRIPT)
    told: dict[int, tuple[str, str]] = {}
    for line in finished.stdout.text.splitlines():
        number, _, rest = line.partition(" ")
        found, _, said = rest.partition(" ")
        if number.isdecimal() and found in ("allowed", "denied"):
            told.setdefault(int(number), (found, said))
    nothing = ("not-tried", finished.stderr.text[-300:])
    return tuple(_probe(trial, *told.get(number, nothing)) for number, trial in enumerate(tried, 1))


def arrived(witnesses: Mapping[str, Path], left: str) -> tuple[str, ...]:
    """The names of denied places in which a probe has left something after all. What it left is removed."""
    found = []
    for name, path in witnesses.items():
        trace = path.parent / left
        if os.path.lexists(trace):
            trace.unlink()
            found.append(name)
    return tuple(found)


def _probe(trial: Trial, found: str, said: str) -> Probe:
    shown = said.replace(trial.path, "{path}")
    return Probe.model_validate(
        {"way": trial.way, "place": trial.place, "expected": trial.expected, "found": found, "said": shown}
    )
