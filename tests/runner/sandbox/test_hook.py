"""Orders inside a Python subject: a freeze at an exact SQLite statement, and what holds for all."""

import os
import signal
import sqlite3
import time
from datetime import UTC, datetime

import pytest

from runner.contract.events import Signalled
from runner.contract.qualification.steps import AtStatement
from runner.sandbox.orders import Orders
from runner.sandbox.process import Running
from tests.runner.sandbox.ordered_python import finish

COUNT = """
import sqlite3, sys
connection = sqlite3.connect("state.db", **OPTIONS)
BODY
print("went on", flush=True)
"""
SCHEMA = "CREATE TABLE notes (text TEXT)"


def test_without_orders_nothing_is_touched(run_python, tmp_path):
    orders = Orders(tmp_path / "mark")
    code = "import sys, time; print(time.time()); print(any(name.startswith('sealbook') for name in sys.modules))"
    clock, loaded = finish(run_python(code, orders)).stdout.text.split()

    assert orders.variables({}) == {}
    assert abs(float(clock) - time.time()) < 20
    assert loaded == "False"
    assert not orders.armed


def test_another_sitecustomize_still_runs_and_child_processes_obey_too(run_python, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text("import builtins; builtins.other_was_here = True\n")
    code = (
        "import subprocess, sys\nassert other_was_here\n"
        "print(subprocess.run([sys.executable, '-c', 'import time; print(time.time(), other_was_here)'],"
        " capture_output=True, text=True, check=True).stdout)"
    )
    orders = Orders(tmp_path / "mark", clock_shift_seconds=5_000_000)
    clock, seen = finish(run_python(code, orders, {"PYTHONPATH": str(other)})).stdout.text.split()

    assert float(clock) > time.time() + 4_900_000
    assert seen == "True"


def frozen(running: Running, orders: Orders) -> bool:
    """Wait until the process is at its boundary; False if it ended first."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if orders.reached:
            return True
        if running.wait(0.01) is not None:
            return orders.reached
    raise AssertionError("neither at its boundary nor at its end")


EXPLICIT = (
    'execute = connection.execute; execute("BEGIN IMMEDIATE"); '
    'execute("INSERT INTO notes VALUES (?)", ("a",)); execute("COMMIT")'
)
MANY = "connection.cursor().executemany('INSERT INTO notes VALUES (?)', [('a',), ('b',), ('c',)]); connection.commit()"
OWN_CLASS = """
class Own(sqlite3.Connection): pass
own = sqlite3.connect('state.db', factory=Own, isolation_level=None)
assert isinstance(own, Own); own.set_trace_callback(print)
own.execute("INSERT INTO notes VALUES ('a')"); own.execute("INSERT INTO notes VALUES ('b')")
"""
BOUNDARIES = [
    # body, connection options, moment, statement, occurrence, rows that are durable after SIGKILL
    (EXPLICIT, "isolation_level=None", "before", "COMMIT", 1, []),
    (EXPLICIT, "isolation_level=None", "after", "commit", 1, ["a"]),
    (EXPLICIT, "isolation_level=None", "before", "insert  into   notes", 1, []),
    (EXPLICIT, "isolation_level=None", "after", "INSERT INTO notes", 1, []),
    (f"{EXPLICIT}\n{EXPLICIT}", "isolation_level=None", "before", "COMMIT", 2, ["a"]),
    (f"{EXPLICIT}\n{EXPLICIT}", "isolation_level=None", "after", "COMMIT", 2, ["a", "a"]),
    ("connection.execute(\"INSERT INTO notes VALUES ('a')\"); connection.commit()", "", "before", "COMMIT", 1, []),
    ("connection.execute(\"INSERT INTO notes VALUES ('a')\"); connection.commit()", "", "after", "COMMIT", 1, ["a"]),
    ("with connection: connection.execute(\"INSERT INTO notes VALUES ('a')\")", "", "before", "COMMIT", 1, []),
    ("with connection: connection.execute(\"INSERT INTO notes VALUES ('a')\")", "", "after", "COMMIT", 1, ["a"]),
    (
        MANY,
        "isolation_level=None",
        "before",
        "INSERT INTO notes",
        3,
        ["a", "b"],
    ),
    (
        "connection.executescript(\"BEGIN; INSERT INTO notes VALUES ('a'); COMMIT; INSERT INTO notes VALUES ('b');\")",
        "",
        "after",
        "COMMIT",
        1,
        ["a"],
    ),
    (
        OWN_CLASS,
        "",
        "after",
        "INSERT INTO notes",
        1,
        ["a"],
    ),
]


@pytest.mark.parametrize(("body", "options", "moment", "statement", "occurrence", "durable"), BOUNDARIES)
def test_a_process_is_killed_exactly_at_its_statement(
    run_python, tmp_path, body, options, moment, statement, occurrence, durable
):
    database = tmp_path / "state.db"
    with sqlite3.connect(database) as connection:
        connection.execute(SCHEMA)
    connection.close()
    hold = AtStatement(at="sqlite", moment=moment, statement=statement, occurrence=occurrence)
    orders = Orders(tmp_path / "mark", hold=hold)
    running = run_python(COUNT.replace("OPTIONS", f"dict({options})").replace("BODY", body), orders)

    assert frozen(running, orders)
    assert running.wait(0.2) is None
    os.kill(running.pid, signal.SIGCONT)  # nothing but SIGKILL lets it go
    assert running.wait(0.2) is None
    finished = running.kill()
    assert finished.end == Signalled(signal=9)
    assert "went on" not in finished.stdout.text
    connection = sqlite3.connect(database)
    rows = [row[0] for row in connection.execute("SELECT text FROM notes")]
    connection.close()
    assert rows == durable


@pytest.mark.parametrize(("statement", "occurrence"), [("COMMIT", 3), ("INSERT INTO note", 1), ("DELETE", 1)])
def test_a_statement_that_never_comes_holds_nobody(run_python, tmp_path, statement, occurrence):
    hold = AtStatement(at="sqlite", moment="before", statement=statement, occurrence=occurrence)
    orders = Orders(tmp_path / "mark", hold=hold)
    body = f"connection.execute('{SCHEMA}')\n{EXPLICIT}\n{EXPLICIT}"
    running = run_python(COUNT.replace("OPTIONS", "dict(isolation_level=None)").replace("BODY", body), orders)

    assert not frozen(running, orders)
    assert orders.armed
    assert "went on" in finish(running).stdout.text


def test_all_threads_stand_still_at_the_boundary(run_python, tmp_path):
    code = (
        "import os, threading, time, sqlite3\n"
        "def beat():\n    while True:\n        open('heart', 'w').write(str(time.monotonic())); time.sleep(0.01)\n"
        "threading.Thread(target=beat, daemon=True).start()\n"
        "while not os.path.exists('heart'): time.sleep(0.01)\n"
        "sqlite3.connect('state.db').execute('SELECT 1')\n"
    )
    hold = AtStatement(at="sqlite", moment="before", statement="SELECT")
    orders = Orders(tmp_path / "mark", hold=hold)
    running = run_python(code, orders)
    assert frozen(running, orders)
    time.sleep(0.1)
    last = (tmp_path / "heart").read_text()
    time.sleep(0.3)

    assert (tmp_path / "heart").read_text() == last


def test_a_clock_read_by_sqlite_itself_stays_true(run_python, tmp_path):
    """A limit that is stated: the hook shifts what Python reads, not what SQLite reads."""
    code = "import sqlite3; print(sqlite3.connect(':memory:').execute(\"SELECT strftime('%s', 'now')\").fetchone()[0])"
    told = finish(run_python(code, Orders(tmp_path / "mark", clock_shift_seconds=1_000_000))).stdout.text

    assert abs(int(told) - datetime.now(UTC).timestamp()) < 20
