"""What `prepare` asks of Python's own tools: a virtual environment, pinned files, an installation.

A private environment holds what is pinned and not even pip: the pip beside the runner acts on it.

Files are fetched once, under the user's own pip configuration, and checked by hash. Everything
after that is offline: pip's configuration is switched off, and so is every index.
"""

import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path

from runner.contract.artifact import Artifact
from runner.contract.events import CappedByClock, Exited
from runner.contract.qualification.judge import ending
from runner.errors import PreparationError
from runner.sandbox.command import run
from runner.sandbox.process import ProcessRequest

_SECONDS = 900.0
_OUTPUT_BYTES = 1024 * 1024
_SHOWN_LINES = 6


def make_environment(env: Path, settings: Mapping[str, str]) -> None:
    """Make an empty virtual environment of the running interpreter."""
    if find_spec("pip") is None:
        what = "the interpreter that runs Sealbook has no pip"
        raise PreparationError(what, "add it with `python -m ensurepip`", where=sys.executable)
    argv = (sys.executable, "-m", "venv", "--clear", "--without-pip", str(env))
    _run("make a virtual environment", argv, env.parent, settings)


def fetch(
    python: Path, artifacts: Iterable[Artifact], folder: Path, settings: Mapping[str, str], *, source: bool = False
) -> None:
    """Fetch the files of `artifacts` into `folder`, each only if it has its pinned hash.

    A source distribution is read with the build tools that `python` has installed, because pip
    asks a project's own backend for its name.
    """
    pins = list(artifacts)
    lines = _requirements(folder, pins)
    choice = ("--no-binary", ",".join(pin.name for pin in pins), "--no-build-isolation")
    argv = (
        *(*_pip(python), "download", "--no-deps", "--require-hashes"),
        *(choice if source else ("--only-binary", ":all:")),
        *("--dest", str(folder), "--requirement", str(lines)),
    )
    _run(f"fetch {', '.join(pin.file for pin in pins)}", argv, folder, settings)
    lines.unlink()
    for pin in pins:
        if not (folder / pin.file).is_file():
            what = f"pip fetched no {pin.file} for {pin.name}=={pin.version}"
            raise PreparationError(what, "pin the file's name as the index spells it")


def install_pinned(python: Path, artifacts: Iterable[Artifact], wheels: Path, settings: Mapping[str, str]) -> None:
    """Install fetched wheels, offline, each only if it has its pinned hash."""
    pins = list(artifacts)
    if not pins:
        return
    lines = _requirements(wheels, pins)
    argv = (
        *(*_pip(python), "install", "--no-deps", "--no-index", "--find-links", str(wheels)),
        *("--require-hashes", "--only-binary", ":all:", "--requirement", str(lines)),
    )
    _run("install the pinned files", argv, wheels, offline(settings))
    lines.unlink()


def install_source(python: Path, source: Path, settings: Mapping[str, str]) -> None:
    """Build and install a source tree with the build tools that are installed, offline."""
    argv = (
        *(*_pip(python), "install", "--no-deps", "--no-index", "--no-build-isolation", "--no-cache-dir"),
        str(source),
    )
    _run("build the checkout", argv, source, offline(settings))


def install_into(target: Path, python: Path, file: Path, settings: Mapping[str, str]) -> None:
    """Install one fetched file into the folder `target`, not into the environment; offline, without what it requires.

    A source distribution is built with the build tools that `python` has installed. Who calls has checked the file's
    hash. Raises `PreparationError` if it cannot be built, or if `target` already holds something: pip would leave that
    as it is, warn, and call it a success.
    """
    if target.is_dir() and any(target.iterdir()):
        raise PreparationError("it is not empty", "remove it and run prepare again", where=str(target))
    argv = (
        *(*_pip(python), "install", "--no-deps", "--no-index", "--no-build-isolation", "--no-cache-dir"),
        *("--target", str(target), str(file)),
    )
    _run(f"install {file.name}", argv, file.parent, offline(settings))


def offline(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings under which pip asks nobody and follows no configuration."""
    kept = {name: value for name, value in settings.items() if name in ("HOME", "PATH", "LANG")}
    return {**kept, "PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "1"}


def _pip(python: Path) -> tuple[str, ...]:
    """The runner's pip, acting on another interpreter."""
    flags = ("--disable-pip-version-check", "--no-input", "--no-color")
    return (sys.executable, "-m", "pip", "--python", str(python), *flags)


def _requirements(folder: Path, pins: Iterable[Artifact]) -> Path:
    path = folder / "requirements.txt"
    path.write_text(
        "".join(f"{pin.name}=={pin.version} --hash=sha256:{pin.sha256}\n" for pin in pins), encoding="utf-8"
    )
    return path


def _run(act: str, argv: tuple[str, ...], cwd: Path, settings: Mapping[str, str]) -> None:
    finished = run(ProcessRequest(argv=argv, cwd=cwd, env=settings, output_bytes=_OUTPUT_BYTES), _SECONDS)
    if finished.end == Exited(code=0):
        return
    said = [line for line in (finished.stderr.text or finished.stdout.text).splitlines() if line.strip()]
    why = f"{_SECONDS:.0f} s were not enough" if isinstance(finished.end, CappedByClock) else ending(finished.end)
    detail = "".join(f"\n    {line}" for line in said[-_SHOWN_LINES:])
    raise PreparationError(f"cannot {act} ({why}){detail}", "mend what pip names and run prepare again")
