"""Which file a package was imported from, noted by the process that really imported it."""

import os
import time
from pathlib import Path

import pytest

from runner.sandbox.orders import Orders
from runner.sandbox.witness import Witness, WitnessedPackage, witnesses
from tests.runner.sandbox.ordered_python import DAEMON, finish

PLAIN = "assert 'create_module' not in vars(__loader__) and __spec__.loader is __loader__\n"


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
def tree(tmp_path):
    """A source tree with the package `subject`."""
    package = tmp_path / "tree" / "subject"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(PLAIN)
    (package / "__main__.py").write_text("import subject.part\n")
    (package / "part.py").write_text("")
    return package.parent


@pytest.fixture
def witnessed(run_python, tmp_path, notes, tree):
    """Run Python to its good end; the orders, the process and the witnesses of `package` afterwards."""

    def run(code, package="subject", path=tree, folder=notes):
        orders = Orders(tmp_path / "mark", witness=WitnessedPackage(package, folder))
        running = run_python(code, orders, {"PYTHONPATH": str(path)})
        finished = finish(running)
        assert orders.armed
        return running, finished.stdout.text, witnesses(folder)

    return run


@pytest.mark.parametrize(
    "code", ["import subject", "import subject.part", "from subject import part", ("-P", "-m", "subject")]
)
def test_an_import_of_a_source_tree_is_witnessed_with_file_and_process(witnessed, tree, code):
    running, _, found = witnessed(code)

    assert found == (Witness("subject", tree / "subject" / "__init__.py", running.pid),)


def test_an_import_of_a_compiled_wheel_is_witnessed(witnessed):
    running, told, found = witnessed("import mypy.main; print(mypy.__file__)", package="mypy")

    if not told.rstrip().endswith(".so"):
        pytest.skip("mypy is not compiled here")
    assert found == (Witness("mypy", Path(told.rstrip("\n")), running.pid),)


def test_a_program_that_runs_a_compiled_package_is_witnessed_and_says_what_it_always_says(
    witnessed, run_python, tmp_path
):
    running, told, found = witnessed(("-P", "-m", "mypy", "--version"), package="mypy")
    without = finish(run_python(("-P", "-m", "mypy", "--version"), Orders(tmp_path / "other")))

    assert told == without.stdout.text
    assert [(note.package, note.pid) for note in found] == [("mypy", running.pid)]


@pytest.mark.parametrize(
    "code",
    [
        "import json",
        "import importlib.util; assert importlib.util.find_spec('subject') is not None",
        "import subjects",
        "import other.subject",
        "try: import absent.subject\nexcept ModuleNotFoundError: pass",
    ],
)
def test_what_is_not_imported_is_not_witnessed(witnessed, tree, code):
    for name in ("subjects", "other/subject"):
        (tree / name).mkdir(parents=True)
        (tree / name / "__init__.py").write_text("")
    _, _, found = witnessed(code)

    assert found == ()


def test_an_absent_package_is_missed_as_always(witnessed):
    code = "try: import absent\nexcept ModuleNotFoundError as error: print(error, error.name)"
    _, told, found = witnessed(code, package="absent")

    assert told == "No module named 'absent' absent\n"
    assert found == ()


def test_a_package_that_fails_fails_with_the_same_words(run_python, tmp_path, tree, notes):
    (tree / "subject" / "__init__.py").write_text("import warnings\nwarnings.warn('old', stacklevel=2)\n1 / 0\n")
    said = []
    for orders in (Orders(tmp_path / "a", witness=WitnessedPackage("subject", notes)), Orders(tmp_path / "b")):
        finished = run_python("import subject", orders, {"PYTHONPATH": str(tree)}).wait(60)
        assert finished is not None
        said.append((finished.end, finished.stdout.text, finished.stderr.text))

    assert said[0] == said[1]
    assert "ZeroDivisionError" in said[0][2]


def test_the_file_is_the_one_that_another_finder_chose(witnessed, tree, tmp_path):
    """Noted is what is imported, not what lies first on the path."""
    elsewhere = tmp_path / "elsewhere.py"
    elsewhere.write_text("")
    code = (
        "import importlib.util, sys\n"
        "class Chooser:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'subject':\n"
        f"            return importlib.util.spec_from_file_location(name, {str(elsewhere)!r})\n"
        "sys.meta_path.insert(1, Chooser())\n"
        "import subject; print(subject.__file__)"
    )
    running, told, found = witnessed(code)

    assert told == f"{elsewhere}\n"
    assert found == (Witness("subject", elsewhere, running.pid),)


def test_every_import_of_one_process_is_witnessed(witnessed, tree, tmp_path):
    """A program that loads the package again from elsewhere, or becomes another program, does not hide it."""
    other = tmp_path / "other" / "subject.py"
    other.parent.mkdir()
    other.write_text("")
    code = (
        "import os, sys, subject\n"
        f"del sys.modules['subject']; sys.path.insert(0, {str(other.parent)!r})\nimport subject\n"
        "os.execv(sys.executable, [sys.executable, '-c', 'import subject'])"
    )
    running, _, found = witnessed(code)

    assert found == (
        Witness("subject", other, running.pid),
        Witness("subject", tree / "subject" / "__init__.py", running.pid),
    )


def test_a_started_process_has_a_witness_of_its_own_and_a_forked_one_needs_none(witnessed, tree):
    code = (
        "import os, subject, subprocess, sys\n"
        "child = os.fork()\n"
        "if child == 0:\n    import subject.part\n    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
        "started = subprocess.Popen([sys.executable, '-c', 'import subject'])\n"
        "assert started.wait() == 0\nprint(started.pid)"
    )
    running, told, found = witnessed(code)

    origin = tree / "subject" / "__init__.py"
    assert set(found) == {Witness("subject", origin, running.pid), Witness("subject", origin, int(told))}


def test_a_daemon_that_imports_after_its_second_fork_is_witnessed_by_its_own_number(witnessed, notes, tree, tmp_path):
    code = f"{DAEMON}\nbecome_a_daemon()\nimport subject\nopen('daemon', 'w').write(str(os.getpid()))"
    running, _, _ = witnessed(code)
    until = time.monotonic() + 60
    while not ((tmp_path / "daemon").exists() and (tmp_path / "daemon").read_text()) and time.monotonic() < until:
        time.sleep(0.01)
    daemon = int((tmp_path / "daemon").read_text())

    assert daemon != running.pid
    assert witnesses(notes) == (Witness("subject", tree / "subject" / "__init__.py", daemon),)


@pytest.mark.parametrize("obstacle", ["absent", "a file"])
def test_a_note_that_cannot_be_written_is_missing_and_the_subject_goes_on(witnessed, tmp_path, obstacle):
    folder = tmp_path / "no folder"
    if obstacle == "a file":
        folder.write_text("")
    _, told, found = witnessed("import subject; print('went on')", folder=folder)

    assert told == "went on\n"
    assert found == ()


def test_any_name_that_a_folder_can_have_is_told(witnessed, tree, tmp_path):
    odd = tmp_path / os.fsdecode(b'a "quoted"\n\xff \xe4\xb8\xad \xf0\x9f\x90\x8d')
    tree.rename(odd)
    running, _, found = witnessed("import subject", path=odd)

    assert found == (Witness("subject", odd / "subject" / "__init__.py", running.pid),)


def test_what_is_no_note_is_left_out(notes):
    good = '{"origin":"/a/b.py","package":"b","pid":7}'
    (notes / "7-1.json").write_text(good)
    (notes / "7-2.json").write_text(good)
    (notes / "7-3.part").write_text(good.replace("7", "8"))
    (notes / "link.json").symlink_to("7-3.part")
    os.mkfifo(notes / "pipe.json")
    (notes / "folder.json").mkdir()
    for number, text in enumerate(
        [
            "",
            good[:-1],
            "[" * 50_000,
            "7",
            "null",
            '{"pid":8}',
            good.replace("7", '"8"'),
            good.replace("}", ',"more":1}'),
        ]
    ):
        (notes / f"bad-{number}.json").write_text(text)
    (notes / "binary.json").write_bytes(b"\xff\xfe{}")
    (notes / "long.json").write_text(good.replace("/a", "/" * 70_000))

    assert witnesses(notes) == (Witness("b", Path("/a/b.py"), 7),)
    assert witnesses(notes / "absent") == ()


def test_both_orders_go_together_with_what_the_caller_adds(tmp_path, notes):
    orders = Orders(tmp_path / "mark", clock_frozen_at=7, witness=WitnessedPackage("subject", notes))
    variables = orders.variables({"PYTHONPATH": "/tree"})

    assert variables.pop("PYTHONPATH").endswith("/hook:/tree")
    assert variables == {
        "SEALBOOK_MARKS": str(tmp_path / "mark"),
        "SEALBOOK_CLOCK_FROZEN_AT": "7",
        "SEALBOOK_WITNESS_PACKAGE": "subject",
        "SEALBOOK_WITNESS_FOLDER": str(notes),
    }
