"""A run of three attempts that drives the ledger and the store alone, to be killed at every system call.

    python -B tests/runner/crash_child.py FOLDER

Each acknowledged attempt is told on stdout with writev, so that the writes that are counted are the product's.
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from runner.errors import RunnerError
from runner.ledger import Ledger
from runner.store import make_folder, put, sweep

SLOTS = ("a.one.1", "a.two.1", "b.one.1")


def content(attempt: str) -> bytes:
    """What the attempt file of a performed attempt holds."""
    events = hashlib.sha256(happened(attempt)).hexdigest()
    return json.dumps({"attempt": attempt, "outcome": "accepted", "events": events}).encode()


def happened(attempt: str) -> bytes:
    """What the events file of a performed attempt holds."""
    return b"".join(f"{attempt} event {n}\n".encode() for n in range(20))


def cut_off(attempt: str) -> bytes:
    """What is kept of an attempt that the runner's end interrupted."""
    return json.dumps({"attempt": attempt, "outcome": "interrupted"}).encode()


def drive(folder: Path, acknowledge: Callable[[str, str], None]) -> None:
    """Perform what is not done yet, or go on where a crash stopped."""
    with Ledger(folder) as ledger:
        for name in [entry.attempt for entry in ledger.interrupted]:
            ledger.keep(name, cut_off(name), 0)
            acknowledge(name, ledger.done[name])
        make_folder(folder / "events", below=folder)
        sweep(folder / "events")
        for slot in SLOTS:
            retry = 0
            name = slot
            while name in ledger.done and ledger.read(name) == cut_off(name):
                retry += 1
                name = f"{slot}.r{retry}"
            if name in ledger.done:
                continue
            ledger.start(name, retry)
            put(folder / "events" / f"{name}.jsonl", happened(name))
            ledger.keep(name, content(name), retry)
            acknowledge(name, ledger.done[name])


def main() -> None:
    """Drive the folder that the command line names; end as the front door does."""
    try:
        drive(Path(sys.argv[1]), lambda name, sha256: (os.writev(1, [f"{name} {sha256}\n".encode()]), None)[1])
    except RunnerError as error:
        sys.stderr.write(f"sealbook: {error}\n")
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
