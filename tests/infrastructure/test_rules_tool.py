"""The tool that says which rule is proved: tried on a small project of its own."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins.requirements import listed
from tests.tools import rules

TINY = """
import pytest

@pytest.mark.rule("R1")
@pytest.mark.report("A1")
@pytest.mark.parametrize("n", [1, 2])
def test_holds(n):
    assert n

@pytest.mark.rule("R2")
def test_broken():
    assert False

@pytest.mark.rule("R3")
def test_absent():
    pytest.skip("no tool")

@pytest.mark.rule("R4", "R1")
@pytest.mark.long
def test_left_out():
    pass

@pytest.mark.rule("R5")
@pytest.mark.xfail(strict=True)
def test_expected_to_fail():
    assert False

@pytest.mark.rule("R6")
@pytest.mark.parametrize("n", [1, 2])
def test_half_skipped(n):
    if n == 2:
        pytest.skip("no tool for the second")

class TestGroup:
    @pytest.mark.rule("R7")
    def test_torn_down_badly(self, bad_end):
        pass

@pytest.fixture
def bad_end():
    yield
    raise RuntimeError
"""
RULES = "\n".join(f"- **R{n}** rule number {n}" for n in range(1, 9))


@pytest.fixture(autouse=True)
def _only_xdist(monkeypatch):
    """Every pytest that is started here loads one plugin of those installed: to load all takes seconds each time."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "xdist.plugin")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with eight rules, one report and a test for most of them."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/requirements.md").write_text(RULES)
    (tmp_path / "docs/field-reports.md").write_text("- **A1** a report")
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["tests.plugins.requirements"]')
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\naddopts = --strict-markers\nmarkers =\n  rule(*ids): a\n  report(*ids): b\n  long: c\n"
    )
    (tmp_path / "test_tiny.py").write_text(TINY)
    (tmp_path / ".gitignore").write_text("__pycache__\n.pytest_cache\n")
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed: apt-get install git")
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    for arguments in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "Begin"]):
        subprocess.run([git, *arguments], cwd=tmp_path, check=True)
    return tmp_path


def run_tests(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the small project's tests as a person would."""
    command = [sys.executable, "-m", "pytest", "-q", *options]
    return subprocess.run(command, cwd=project, check=False, capture_output=True, text=True)


def statuses(output: str) -> dict[str, str]:
    """Id to status, read from what was printed."""
    signs = {sign for sign in rules.SIGNS.values() if sign.strip()}
    found = {}
    for line in output.splitlines():
        if line[:1] in signs and line[2:3].isupper():
            found[line.split()[1]] = "not run" if "not run" in line[:17] else line.split()[2]
    return found


@pytest.mark.parametrize("workers", ["0", "2"])
def test_tells_proved_failed_skipped_and_not_run_apart(project, capsys, workers):
    run_tests(project, "-m", "not long", "-n", workers)

    assert rules.main(["--root", str(project)]) == 0

    printed = capsys.readouterr().out
    assert statuses(printed) == {
        "R1": "proved",
        "R2": "failed",
        "R3": "skipped",
        "R4": "not run",
        "R5": "failed",
        "R6": "skipped",
        "R7": "failed",
        "A1": "proved",
    }
    assert "no test: R8" in printed
    assert "passed   test_tiny.py::test_holds  (2 cases)" in printed


def test_before_any_run_nothing_is_proved(project, capsys):
    assert rules.main(["--root", str(project)]) == 0

    assert set(statuses(capsys.readouterr().out).values()) == {"not run"}


def test_an_unknown_id_stops_the_collection_and_the_tool(project, capsys):
    with (project / "test_tiny.py").open("a") as file:
        file.write('\n@pytest.mark.rule("R99")\ndef test_typo(): pass\n')

    run = run_tests(project)

    assert run.returncode == 2
    assert "test_tiny.py::test_typo: 'R99' is no rule id of docs/requirements.md" in run.stdout
    assert rules.main(["--root", str(project)]) == 1
    assert "'R99' is no rule id" in capsys.readouterr().err


def test_a_marker_without_an_id_stops_the_collection(project):
    with (project / "test_tiny.py").open("a") as file:
        file.write("\n@pytest.mark.report()\ndef test_empty(): pass\n")

    run = run_tests(project, "-n", "2")

    assert run.returncode != 0
    assert "@pytest.mark.report names no id" in run.stdout


def test_the_record_is_canonical_and_names_commit_and_date(project, capsys):
    assert rules.main(["--root", str(project), "--record"]) == 1, "a failed test is not hidden"

    capsys.readouterr()
    data = (project / rules.RECORD).read_bytes()
    record = json.loads(data)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=project, check=True, capture_output=True, text=True)
    assert record["commit"] == head.stdout.strip()
    assert record["dirty"] is False
    assert record["recorded_at"].endswith("Z")
    assert data == json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    by_id = {entry["id"]: entry for entry in record["rules"] + record["reports"]}
    assert list(by_id) == [f"R{n}" for n in range(1, 9)] + ["A1"]
    assert by_id["R4"]["status"] == "proved", "the record runs the long tests too"
    assert by_id["R1"]["tests"][0] == {
        "cases": {"passed": 2},
        "outcome": "passed",
        "test": "test_tiny.py::test_holds",
    }
    assert by_id["R8"] == {"id": "R8", "status": "no test", "tests": [], "text": "rule number 8"}


def test_a_changed_tree_is_recorded_as_dirty(project, capsys):
    (project / "test_tiny.py").write_text("import pytest\n@pytest.mark.rule('R1')\ndef test_holds(): pass\n")

    assert rules.main(["--root", str(project), "--record"]) == 0

    capsys.readouterr()
    assert json.loads((project / rules.RECORD).read_bytes())["dirty"] is True


def test_the_repository_lists_every_rule_and_report_once(pytestconfig):
    known = {kind: listed(pytestconfig.rootpath, kind) for kind in ("rule", "report")}

    assert [int(name[1:]) for name in known["rule"]] == list(range(1, 164))
    assert list(known["report"]) == [f"A{n}" for n in range(1, 27)]
