"""The wall clock of a Python subject under orders, shifted or frozen, while its other clocks stay true."""

import json
import time

import pytest

from runner.sandbox.orders import Orders
from tests.runner.sandbox.ordered_python import DAEMON, finish

INSTANT = 1_700_000_000
CLOCKS = """
import datetime, json, pickle, time, calendar, copy
now = datetime.datetime.now()
import _datetime
real = _datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)
print(json.dumps({
    "time": time.time(), "time_ns": time.time_ns() / 1e9,
    "clock_gettime": time.clock_gettime(time.CLOCK_REALTIME),
    "clock_gettime_ns": time.clock_gettime_ns(time.CLOCK_REALTIME) / 1e9,
    "atomic": time.clock_gettime(time.CLOCK_TAI), "coarse": time.clock_gettime(5),
    "gmtime": calendar.timegm(time.gmtime()), "localtime": time.mktime(time.localtime()),
    "strftime": int(time.strftime("%s")),
    "ctime": time.mktime(time.strptime(time.ctime())), "asctime": time.mktime(time.strptime(time.asctime())),
    "now": now.timestamp(), "utcnow": datetime.datetime.utcnow().replace(tzinfo=datetime.timezone.utc).timestamp(),
    "aware": datetime.datetime.now(datetime.timezone.utc).timestamp(),
    "today": datetime.datetime.today().timestamp(),
    "date": datetime.datetime.combine(datetime.date.today(), now.time()).timestamp(),
}))
zone = datetime.timezone(datetime.timedelta(hours=5))
assert abs((datetime.datetime.now(zone) - datetime.datetime.now(datetime.timezone.utc)).total_seconds()) < 5
assert type(now) is datetime.datetime and isinstance(real, datetime.datetime)
assert issubclass(_datetime.datetime, datetime.datetime) and isinstance(now, datetime.date)
assert not isinstance(datetime.date.today(), datetime.datetime)
assert type(now + datetime.timedelta(1)) is datetime.datetime
assert datetime.datetime.fromisoformat(now.isoformat()) == now
for moment in (now, real):
    for again in (pickle.loads(pickle.dumps(moment)), copy.deepcopy(moment)):
        assert again == moment and again.tzinfo == moment.tzinfo
assert b"sealbook" not in pickle.dumps(now)
before = time.monotonic(); time.sleep(0.05); assert 0.04 < time.monotonic() - before < 60
"""
MOMENTS = """
import json, time
def moments():
    return {
        "wall": [time.time(), time.time_ns(), time.clock_gettime(time.CLOCK_REALTIME), time.ctime()],
        "real": [time.monotonic(), time.perf_counter(), time.clock_gettime(time.CLOCK_BOOTTIME)],
        "busy": [time.process_time(), time.thread_time(), time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)],
    }
def two_moments():
    before = moments()
    time.sleep(0.2)
    until = time.process_time() + 0.02
    while time.process_time() < until: pass
    return before, moments()
"""


@pytest.mark.parametrize("shift", [2_000, -86_400, 10_000_000])
def test_every_wall_clock_is_shifted_and_datetime_stays_itself(run_python, tmp_path, shift):
    orders = Orders(tmp_path / "mark", clock_shift_seconds=shift)
    told = json.loads(finish(run_python(CLOCKS, orders)).stdout.text)
    expected = time.time() + shift

    assert {name for name, value in told.items() if abs(value - expected) > 60} == set()
    assert orders.armed


@pytest.mark.parametrize("instant", [0, 1_700_000_000, 4_102_444_799])
def test_every_wall_clock_shows_the_frozen_instant_and_datetime_stays_itself(run_python, tmp_path, instant):
    orders = Orders(tmp_path / "mark", clock_frozen_at=instant)
    told = json.loads(finish(run_python(CLOCKS, orders)).stdout.text)

    assert told == dict.fromkeys(told, instant)
    assert orders.armed


@pytest.mark.rule("P108")
def test_a_frozen_wall_clock_stands_still_while_performance_clocks_and_sleep_are_real(run_python, tmp_path):
    code = f"{MOMENTS}\nprint(json.dumps(two_moments()))"
    began = time.monotonic()
    before, after = json.loads(finish(run_python(code, Orders(tmp_path / "mark", clock_frozen_at=INSTANT))).stdout.text)
    ended = time.monotonic()

    assert before["wall"] == after["wall"] == [INSTANT, INSTANT * 10**9, INSTANT, "Tue Nov 14 22:13:20 2023"]
    assert all(later - earlier >= 0.2 for earlier, later in zip(before["real"], after["real"], strict=True))
    assert all(later - earlier > 0.01 for earlier, later in zip(before["busy"], after["busy"], strict=True))
    # One clock for all processes of a machine: the child's readings lie between ours.
    assert began < before["real"][0] < after["real"][0] < ended


@pytest.mark.rule("P108")
def test_a_daemon_that_forked_twice_keeps_the_frozen_clock(run_python, tmp_path):
    code = (
        f"{DAEMON}{MOMENTS}\nimport datetime, os\nstarter = os.getpid()\nbecome_a_daemon()\n"
        "told = [starter, os.getpid(), datetime.datetime.now(datetime.timezone.utc).timestamp(), two_moments()]\n"
        "open('told.part', 'w').write(json.dumps(told)); os.rename('told.part', 'told')"
    )
    running = run_python(code, Orders(tmp_path / "mark", clock_frozen_at=INSTANT))
    finish(running)
    until = time.monotonic() + 60
    while not (tmp_path / "told").exists() and time.monotonic() < until:
        time.sleep(0.01)
    starter, daemon, now, (before, after) = json.loads((tmp_path / "told").read_text())

    assert starter == running.pid != daemon
    assert now == INSTANT
    assert before["wall"] == after["wall"] == [INSTANT, INSTANT * 10**9, INSTANT, "Tue Nov 14 22:13:20 2023"]
    assert after["real"][1] - before["real"][1] >= 0.2


def test_compiled_modules_see_the_frozen_clock(run_python, tmp_path):
    """mypy's wheel is C made by mypyc; its store in SQLite stamps what it writes with `time.time()`."""
    code = (
        "import mypy.metastore, sys\n"
        "store = mypy.metastore.SqliteMetadataStore('.')\n"
        "assert store.write('name', b'{}')\n"
        "print(mypy.metastore.__file__, store.getmtime('name'))"
    )
    told = finish(run_python(code, Orders(tmp_path / "mark", clock_frozen_at=INSTANT))).stdout.text.split()

    if not told[0].endswith(".so"):
        pytest.skip("mypy is not compiled here")
    assert float(told[1]) == INSTANT


def test_a_package_that_is_run_by_its_name_and_a_process_that_it_starts_see_the_frozen_clock(run_python, tmp_path):
    package = tmp_path / "tree" / "subject"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("import time\nat_import = time.time()\n")
    (package / "__main__.py").write_text(
        "import subprocess, sys, time\nfrom subject import at_import\nprint(at_import, time.time(), flush=True)\n"
        "subprocess.run([sys.executable, '-c', 'import time; print(time.time())'], check=True)\n"
    )
    orders = Orders(tmp_path / "mark", clock_frozen_at=INSTANT)
    running = run_python(("-P", "-m", "subject"), orders, {"PYTHONPATH": str(tmp_path / "tree")})

    assert [float(reading) for reading in finish(running).stdout.text.split()] == [INSTANT] * 3


def test_a_clock_is_not_both_shifted_and_frozen(run_python, tmp_path):
    with pytest.raises(ValueError, match="shifted or frozen, not both"):
        Orders(tmp_path / "mark", clock_shift_seconds=1, clock_frozen_at=INSTANT)

    orders = Orders(tmp_path / "mark", clock_frozen_at=INSTANT)
    shifted = {"SEALBOOK_CLOCK_SHIFT_SECONDS": "5000000"}
    running = run_python("import time; print(time.time())", orders, shifted)
    assert abs(float(finish(running).stdout.text) - time.time()) < 60
    assert not orders.armed
