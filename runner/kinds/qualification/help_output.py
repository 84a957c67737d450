"""Compares what a subject's help prints with the pinned file that shows a feature is not offered."""

import difflib
from pathlib import Path

from runner.contract.qualification.sequence import expand
from runner.contract.qualification.tasks import NotOffered
from runner.errors import PreparationError
from runner.kinds.qualification.installed import Installed
from runner.sandbox.allowlist import allow_list
from runner.sandbox.command import run
from runner.sandbox.output import readable
from runner.sandbox.process import ProcessRequest
from runner.sandbox.redact import Redactor
from runner.sandbox.workspace import Workspace, private_child

HELP_COLUMNS = 100
"""Wide enough for a usage line to stay whole, because Python versions break it differently."""
_SECONDS = 60.0
_OUTPUT_BYTES = 1024 * 1024
_SHOWN_LINES = 20


def print_help(installed: Installed, entry: NotOffered) -> str:
    """What the entry's command prints on stdout in a private folder, `HELP_COLUMNS` wide."""
    values = {
        "command": str(installed.command),
        "python": str(installed.python),
        "source": str(installed.source),
    }
    with private_child(installed.folder, "help") as folder:
        workspace = Workspace.furnish(folder)
        values |= {"work": str(workspace.work), "state": str(workspace.state)}
        request = ProcessRequest(
            argv=tuple(expand(word, values) for word in entry.argv),
            cwd=workspace.work,
            env=allow_list(workspace, (installed.programs,), {"COLUMNS": str(HELP_COLUMNS)}),
            output_bytes=_OUTPUT_BYTES,
        )
        finished = run(request, _SECONDS)
        places = {workspace.work: "work", workspace.home: "home", folder: "attempt", installed.env: "env"}
        return Redactor(places, {}).redact(finished.stdout.text).text


def check_help(installed: Installed, entry: NotOffered, pinned: Path) -> None:
    """Raise `PreparationError` with a short diff if the help is not what the manifest pins."""
    expected = readable(pinned.read_bytes())
    found = print_help(installed, entry)
    if found == expected:
        return
    diff = difflib.unified_diff(expected.splitlines(), found.splitlines(), "pinned", "installed", lineterm="", n=1)
    shown = "".join(f"\n    {line}" for line in list(diff)[:_SHOWN_LINES]) or "\n    (line ends differ)"
    what = (
        f"{' '.join(entry.argv)} prints something else, so it no longer shows that {entry.feature.value} is not offered"
    )
    raise PreparationError(f"{what}{shown}", "look whether the subject offers it now", where=entry.help)
