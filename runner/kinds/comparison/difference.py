"""What an agent changed: which paths differ from the start, and the difference as text. Pure."""

import difflib
from collections.abc import Mapping

from runner.contract.seal import digest
from runner.sandbox.snapshot import Snapshot, What


def changed_paths(before: Snapshot, after: Snapshot, base: Mapping[str, str]) -> tuple[str, ...]:
    """Every path that is not as the fixture and the drift left it: changed, added, gone, or of another kind or mode."""
    entries, earlier = after.by_path(), before.by_path()
    found = []
    for path in after.changed_since(before):
        now, then = entries.get(path), earlier.get(path)
        kept_kind = now and then and now.what is What.file and now.executable == then.executable
        as_drifted = kept_kind and path in base and now and now.sha256 == digest(base[path].encode())
        if not as_drifted:
            found.append(path)
    # What the drift brought and the agent put back as it was at the start differs from the base all the same.
    put_back = (
        path for path, text in base.items() if path in entries and entries[path].sha256 != digest(text.encode())
    )
    return tuple(sorted({*found, *put_back}))


def unified(base: Mapping[str, str], files: Mapping[str, str]) -> str:
    """The difference between the start, drift included, and the candidate, as `git diff` writes it, file by file."""
    parts: list[str] = []
    for path in sorted({*base, *files}):
        old, new = base.get(path), files.get(path)
        if old != new:
            parts += difflib.unified_diff(
                _lines(old or ""),
                _lines(new or ""),
                f"a/{path}" if old is not None else "/dev/null",
                f"b/{path}" if new is not None else "/dev/null",
            )
    return "".join(parts)


def changed_lines(difference: str) -> int:
    """How many lines a difference adds or removes."""
    heads = ("+++ ", "--- ")
    return sum(line[:1] in ("+", "-") and not line.startswith(heads) for line in difference.split("\n"))


def _lines(text: str) -> list[str]:
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n\\ No newline at end of file\n"
    return lines
