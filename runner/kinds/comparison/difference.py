"""Which paths an agent changed, of whatever kind they are. Pure."""

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
