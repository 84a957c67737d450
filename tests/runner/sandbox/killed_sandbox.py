"""A runner that starts processes at one tier without end, until somebody kills it.

python -B tests/runner/sandbox/killed_sandbox.py FOLDER TIER TOKEN

Every process that comes of it carries TOKEN in its command line.
"""

import itertools
import sys
import threading
from pathlib import Path

from runner.contract.study import Tier
from runner.sandbox.command import run
from runner.sandbox.guarded import guarded
from runner.sandbox.isolation import Bind, Isolation
from runner.sandbox.process import ProcessRequest

SCRIPT = "(setsid sh -c 'sleep 600' \"$1\" >/dev/null 2>&1 &) ; (sh -c 'sleep 600; :' \"$1\" &) ; sleep 0.3; : $1"


def main() -> None:
    """Two threads start short programs that leave daemons; a third one starts one that lasts."""
    folder, tier, token = Path(sys.argv[1]), Tier(sys.argv[2]), sys.argv[3]
    isolation = Isolation(tier=tier, binds=(Bind(folder, writable=True),))

    def request(script: str) -> ProcessRequest:
        argv = ("sh", "-c", script, token, token)
        return ProcessRequest(argv, folder, {"PATH": "/usr/bin:/bin"}, 4096, isolation=isolation)

    def again_and_again() -> None:
        for _ in itertools.count():
            run(request(SCRIPT), 5)

    with guarded():
        sys.stdout.write("guarded\n")
        sys.stdout.flush()
        for _ in range(2):
            threading.Thread(target=again_and_again, daemon=True).start()
        run(request("sleep 600; : $1"), 600)


if __name__ == "__main__":
    main()
