"""Builds the site twice under different circumstances and compares every byte.

The two builds differ in path, order in which the files were created, time zone, language, hash seed and file mode
mask. Both start from the files that git knows, so that what lies about on this machine has no say.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

COMMAND = [sys.executable, "-c", "import sealbook; sealbook.main()", "build"]


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What must not show in the output."""

    folder: str
    backwards: bool
    umask: int
    environment: dict[str, str]


FIRST = Circumstances(
    "first",
    backwards=False,
    umask=0o022,
    environment={"TZ": "America/Los_Angeles", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "1"},
)
SECOND = Circumstances(
    "a second/path with blanks",
    backwards=True,
    umask=0o077,
    environment={
        "TZ": "Asia/Shanghai",
        "LANG": "zh_CN.UTF-8",
        "LC_ALL": "",
        "PYTHONHASHSEED": "4711",
        "COLUMNS": "40",
    },
)


def tracked(root: Path) -> list[str]:
    """The files that git knows or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    return sorted(name for name in listed.split("\0") if name and (root / name).is_file())


def copy(root: Path, names: list[str], to: Path) -> None:
    """Copy the files one by one in the order given: it becomes the order in many folders."""
    for name in names:
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((root / name).read_bytes())


def build(root: Path, circumstances: Circumstances, scratch: Path) -> Path:
    """Copy the sources and build them there; the site's folder."""
    place = scratch / circumstances.folder
    before = os.umask(circumstances.umask)
    try:
        copy(root, sorted(tracked(root), reverse=circumstances.backwards), place)
        environment = os.environ | circumstances.environment | {"PYTHONPATH": str(place)}
        done = subprocess.run(COMMAND, cwd=place, env=environment, check=False, stdout=subprocess.DEVNULL)
    finally:
        os.umask(before)
    if done.returncode:
        sys.exit(f"the {circumstances.folder} build ended with {done.returncode}")
    return place / "site"


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def differences(first: dict[str, bytes], second: dict[str, bytes]) -> list[str]:
    """One line for each file that is not the same in both."""
    found = [f"only in the first build: {name}" for name in sorted(first.keys() - second.keys())]
    found += [f"only in the second build: {name}" for name in sorted(second.keys() - first.keys())]
    for name in sorted(first.keys() & second.keys()):
        one, two = first[name], second[name]
        if one != two:
            at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
            around = slice(max(at - 40, 0), at + 40)
            found.append(f"{name} differs at byte {at}: {one[around]!r} / {two[around]!r}")
    return found


def main() -> int:
    """1 when the builds differ or are empty."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = (files(build(Path.cwd(), each, Path(folder))) for each in (FIRST, SECOND))
    found = differences(first, second)
    if found or not first:
        print("\n".join(found[:20]) or "the build wrote no file")
        return 1
    print(f"   {len(first)} files, the same bytes twice")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
