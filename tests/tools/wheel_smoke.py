"""Builds the wheel, installs it into an empty environment and uses it away from the checkout.

A checkout finds everything by accident; the wheel only what was packed. So `sealbook --help` and a whole site are made
from the installed wheel, with the project's own studies and prose copied beside it.
"""

import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

DEMANDED = (
    "sealbook.py",
    "runner/py.typed",
    "sitegen/py.typed",
    "runner/contract/schema/*.json",
    "sitegen/messages/*/*.po",
    "sitegen/templates/*.html",
)
PROJECT = ("manifests", "content", "docs")


def build(root: Path, to: Path) -> Path:
    """The wheel, built from the source tree in an environment of its own."""
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(to), str(root)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the wheel could not be built:\n{done.stdout}{done.stderr}")
    (wheel,) = to.glob("*.whl")
    return wheel


def missing(wheel: Path) -> list[str]:
    """What the wheel should hold and does not."""
    with zipfile.ZipFile(wheel) as archive:
        names = [Path(name) for name in archive.namelist()]
    return [pattern for pattern in DEMANDED if not any(name.match(pattern) for name in names)]


def foreign(wheel: Path) -> list[str]:
    """What the wheel holds and should not."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    return sorted(top for top in tops if top not in {"runner", "sitegen", "sealbook.py"} and ".dist-info" not in top)


def install(wheel: Path, folder: Path) -> Path:
    """An environment that holds the wheel and what it needs; its `sealbook`."""
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin/python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    subprocess.run([*pip, str(wheel)], check=True)
    return folder / "bin/sealbook"


def main() -> int:
    """1 when the wheel is incomplete or a command from it fails."""
    root = Path.cwd()
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        wheel = build(root, place / "dist")
        wrong = [f"not in the wheel: {name}" for name in missing(wheel)]
        wrong += [f"should not be in the wheel: {name}" for name in foreign(wheel)]
        if wrong:
            print("\n".join(wrong))
            return 1
        sealbook = install(wheel, place / "environment")
        project = place / "project"
        project.mkdir()
        for name in PROJECT:
            if (root / name).is_dir():
                shutil.copytree(root / name, project / name)
        clean = {"PATH": "/usr/bin:/bin", "HOME": str(place / "home"), "LANG": "C.UTF-8"}
        for verb in (["--help"], ["build"], ["check"]):
            done = subprocess.run([sealbook, *verb], cwd=project, env=clean, check=False, stdout=subprocess.DEVNULL)
            if done.returncode:
                print(f"`sealbook {verb[0]}` from the installed wheel ended with {done.returncode}")
                return 1
        print(f"   {wheel.name}: help, build and check work from the installed wheel")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
