"""The private folder of one attempt, made, filled and removed, to be killed at every system call.

python -B tests/runner/workroom_child.py RUN WORK_ROOT ATTEMPT ROOM
"""

import sys
from pathlib import Path

from runner.execute.folder import RunFolder
from runner.execute.workroom import workroom


def main() -> None:
    """Work in the folder of an attempt of the run that the command line names."""
    run, work_root, attempt, room = RunFolder(Path(sys.argv[1])), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    with workroom(run, work_root, attempt, room) as folder:
        (folder / "work").mkdir()
        (folder / "work" / "left").write_bytes(b"half")


if __name__ == "__main__":
    main()
