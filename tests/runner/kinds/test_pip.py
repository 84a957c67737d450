"""One fetched file is installed into a folder of its own, offline, and nothing else is.

pip is driven for real, under a user's configuration that would ask a server.
"""

import subprocess
from pathlib import Path

import pytest

from runner.errors import PreparationError
from runner.kinds import pip
from tests.runner.kinds.distributions import MODULE, source_files, write_sdist, write_wheel

WHEEL = {"tool/__init__.py": "", "tool/main.py": MODULE.format(word="from wheel")}
NEED = "Requires-Dist: not-to-be-had"


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """The interpreter of an environment that holds nothing. No test installs into it."""
    env = tmp_path_factory.mktemp("private") / "env"
    pip.make_environment(env, {"PATH": "/usr/bin:/bin"})
    return env / "bin" / "python"


@pytest.fixture
def settings(tmp_path) -> dict[str, str]:
    config = tmp_path / "pip.conf"
    config.write_text("[global]\nindex-url = http://127.0.0.1:9/must-not-be-asked\n", encoding="utf-8")
    return {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PIP_CONFIG_FILE": str(config)}


def said_by(python: Path, target: Path) -> str:
    code = f"import sys; sys.path.insert(0, {str(target)!r}); from tool.main import main; main()"
    return subprocess.run([python, "-I", "-c", code], check=True, capture_output=True, text=True).stdout


def a_needy_sdist(folder: Path) -> Path:
    """A source distribution whose metadata requires what no index has."""
    files = source_files("from source")
    for name in ("backend.py", "wheelmaker.py"):
        files[name] = files[name].replace("Metadata-Version: 2.1", rf"Metadata-Version: 2.1\n{NEED}")
    return write_sdist(folder, files)


def test_a_source_is_built_and_installed_into_the_folder_offline_without_what_it_requires(python, settings, tmp_path):
    target = tmp_path / "target"
    target.mkdir()

    pip.install_into(target, python, a_needy_sdist(tmp_path), settings)

    assert said_by(python, target) == "from source\n"
    assert NEED in (target / "tool-1.0.dist-info" / "METADATA").read_text(encoding="utf-8").splitlines()
    assert {path.name for path in target.iterdir()} == {"bin", "tool", "tool-1.0.dist-info"}
    assert list(python.parents[1].glob("lib/*/site-packages/*")) == []


def test_a_wheel_is_installed_into_a_folder_that_is_made(python, settings, tmp_path):
    pip.install_into(tmp_path / "target", python, write_wheel(tmp_path, "tool", "1.0", WHEEL), settings)

    assert said_by(python, tmp_path / "target") == "from wheel\n"


def test_a_source_that_cannot_be_built_is_told_with_what_pip_says(python, settings, tmp_path):
    broken = {**source_files("x"), "backend.py": "raise OSError('no such compiler')"}

    with pytest.raises(PreparationError, match=r"(?s)cannot install tool-1.0.tar.gz \(exit 1\).*mend what pip names"):
        pip.install_into(tmp_path / "target", python, write_sdist(tmp_path, broken), settings)


def test_a_folder_that_holds_something_is_refused_and_stays_as_it_was(python, settings, tmp_path):
    target = tmp_path / "target"
    (target / "tool").mkdir(parents=True)

    with pytest.raises(PreparationError, match="target: it is not empty; remove it and run prepare again"):
        pip.install_into(target, python, write_sdist(tmp_path, source_files("x")), settings)
    assert [path.name for path in target.rglob("*")] == ["tool"]
