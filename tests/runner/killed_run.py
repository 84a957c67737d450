"""A whole run with a scripted kind that a signal ends in the middle of one attempt.

python -B tests/runner/killed_run.py FOLDER ATTEMPT SIGNAL
"""

import os
import sys
from pathlib import Path

from runner.kinds.kind import Bench
from runner.reading.manifest import read_study
from tests.factories import ScriptedKind, a_sealed_run


def main() -> None:
    """Run the study below FOLDER and send SIGNAL to this process when ATTEMPT is performed."""
    folder, victim, number = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

    def during(attempt: str, bench: Bench) -> None:
        (bench.folder / "state").write_bytes(b"half")
        if attempt == victim:
            os.kill(os.getpid(), number)

    a_sealed_run(folder, read_study(folder / "manifests" / "tiny"), ScriptedKind(during=during))


if __name__ == "__main__":
    main()
