"""The plugins every test runs under do what they promise."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins.network import NetworkUsedError, is_local


@pytest.mark.parametrize(
    ("family", "address"),
    [
        (socket.AF_INET, ("192.0.2.1", 80)),
        (socket.AF_INET, ("example.org", 80)),
        (socket.AF_INET, ("0.0.0.0", 80)),
        (socket.AF_INET6, ("2001:db8::1", 80)),
    ],
)
def test_another_machine_is_out_of_reach(family, address):
    for method in ("connect", "connect_ex"):
        with socket.socket(family) as connection, pytest.raises(NetworkUsedError, match="tests have no network"):
            getattr(connection, method)(address)
    with socket.socket(family, socket.SOCK_DGRAM) as connection, pytest.raises(NetworkUsedError):
        connection.sendto(b"x", address)


def test_this_machine_is_within_reach(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(str(tmp_path / "s"))
        server.listen()
        client.connect(str(tmp_path / "s"))
    assert is_local(socket.AF_INET6, ("::1", 80, 0, 0))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with one golden test."""
    (tmp_path / "tests/goldens").mkdir(parents=True)
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["tests.plugins.goldens", "tests.plugins.surroundings"]')
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\nmarkers =\n  golden: a\n")
    (tmp_path / "test_page.py").write_text(
        "def test_page(golden):\n    golden('page.txt', 'one\\ntwo\\n')\ndef test_other():\n    pass\n"
    )
    return tmp_path


def run_tests(project: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the small project's tests in an environment without CI's own variables."""
    without = {k: v for k, v in os.environ.items() if k != "CI" and not k.startswith("SEALBOOK_")}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # loading those takes seconds, and none is needed
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=project, check=False, capture_output=True, text=True, env=without | environment)


def test_a_golden_that_differs_fails_with_a_diff_and_leaves_the_output(project):
    (project / "tests/goldens/page.txt").write_text("one\n2\n")

    run = run_tests(project)

    assert run.returncode == 1
    assert "-2\n+two" in run.stdout.replace("E   ", "")
    assert "make golden" in run.stdout
    assert (project / "tests/actual/page.txt").read_text() == "one\ntwo\n"
    assert (project / "tests/goldens/page.txt").read_text() == "one\n2\n"


def test_a_golden_with_other_line_ends_fails(project):
    (project / "tests/goldens/page.txt").write_bytes(b"one\r\ntwo\r\n")

    assert "line ends" in run_tests(project).stdout


def test_a_missing_golden_fails(project):
    assert "no golden page.txt yet" in run_tests(project).stdout


def test_updating_writes_the_golden_and_runs_golden_tests_alone(project):
    run = run_tests(project, "-m", "golden", SEALBOOK_GOLDEN="update")

    assert "1 passed, 1 deselected" in run.stdout
    assert (project / "tests/goldens/page.txt").read_text() == "one\ntwo\n"
    assert run_tests(project).returncode == 0


def test_updating_is_refused_in_ci(project):
    run = run_tests(project, SEALBOOK_GOLDEN="update", CI="true")

    assert run.returncode == 4
    assert "refused while CI is set" in run.stderr
    assert not (project / "tests/goldens/page.txt").exists()


def test_a_missing_tool_skips_at_a_desk_and_fails_in_ci(project):
    (project / "test_page.py").write_text("def test_it(required_tool):\n    required_tool('no-such-program')\n")

    desk = run_tests(project)
    strict = run_tests(project, SEALBOOK_REQUIRE_TOOLS="1")

    assert "1 skipped" in desk.stdout
    assert desk.returncode == 0
    assert strict.returncode == 1
    assert "no-such-program is not installed: apt-get install no-such-program" in strict.stdout


def test_the_vectors_are_found_beside_the_checkout_or_where_the_variable_says(project, tmp_path_factory):
    (project / "test_page.py").write_text(
        "def test_it(shared_vectors):\n    assert (shared_vectors / 'mark').is_file()\n"
    )
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "vectors").mkdir()
    (elsewhere / "vectors/mark").touch()

    absent = run_tests(project, SEALBOOK_SHARED=str(project / "nothing"))
    present = run_tests(project, SEALBOOK_SHARED=str(elsewhere))

    assert "1 skipped" in absent.stdout
    assert "1 passed" in present.stdout
