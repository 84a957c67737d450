"""Starts a program, drains it for some seconds, and tells what came and how much memory it took.

python flood_child.py SECONDS PROGRAM [ARGUMENT...]
"""

import json
import os
import resource
import sys
from pathlib import Path

from runner.sandbox.process import ProcessRequest, Running, start


def peak_kib() -> int:
    """The most memory this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


before = peak_kib()
running = start(ProcessRequest(argv=tuple(sys.argv[2:]), cwd=Path.cwd(), env={"PATH": os.defpath}, output_bytes=4096))
assert isinstance(running, Running)
finished = running.wait(float(sys.argv[1])) or running.kill(capped=True)
json.dump(
    {
        "end": finished.end.end,
        "kept": len(finished.stdout.kept),
        "total": finished.stdout.total_bytes,
        "sha256": finished.stdout.sha256,
        "grown_kib": peak_kib() - before,
    },
    sys.stdout,
)
