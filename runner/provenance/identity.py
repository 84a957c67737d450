"""Which Sealbook is running: its version, and one digest over the source files it consists of."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from runner.contract.evidence import RunnerIdentity
from runner.contract.seal import digest, tree_digest

PACKAGE = Path(__file__).resolve().parent.parent


def runner_identity() -> RunnerIdentity:
    """Over `runner/**/*.py` and `sealbook.py` as installed, in a checkout or from a wheel."""
    files = {f"runner/{path.relative_to(PACKAGE).as_posix()}": path for path in sorted(PACKAGE.rglob("*.py"))}
    front_door = find_spec("sealbook")
    if front_door is not None and front_door.origin is not None:
        files["sealbook.py"] = Path(front_door.origin)
    try:
        installed = version("sealbook")
    except PackageNotFoundError:
        installed = "not installed"
    return RunnerIdentity(
        version=installed,
        files=len(files),
        sha256=tree_digest((name, digest(path.read_bytes())) for name, path in files.items()),
    )
