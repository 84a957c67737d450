"""Every planned sample is taken once or stays as failed; each begins on the same ground and leaves nothing running."""

import os
from typing import Any

import pytest

from runner.contract.attempt import Outcome, ReasonCode
from runner.contract.events import Exited, LeftoverEvent, ProcessEvent
from runner.contract.parity.happenings import SampledEvent
from runner.contract.parity.order_effect import order_of_pairs
from runner.contract.parity.timing import Measure
from tests.parities import Toy
from tests.processes import children_now
from tests.runner.kinds.parity.measuring import TASK, measure, noted, noting
from tests.toy import program

ACCEPT = "peer, _ = server.accept()"
"""Where the daemon waits for a request."""


def small(**more: Any) -> Toy:
    """A study that measures one row, and little of it."""
    fields: dict[str, Any] = {"timed": (("files", "bad-word"),), "pairs": 2, "cold": 1, "warm": 2, "burst": 2}
    return Toy(**fields | more)


def at_request(number: int, deed: str) -> dict[str, tuple[str, str]]:
    """A change of the daemon that does something when it has answered all requests before this one."""
    count = f'served = locals().get("served", 0) + 1\n            if served == {number}: {deed}\n            {ACCEPT}'
    return {"daemon": (ACCEPT, count)}


@pytest.mark.rule("P114", "P124", "P125")
def test_each_measure_has_exactly_its_planned_samples_and_the_pairs_are_in_the_order_of_the_seed(tmp_path):
    toy = small(pairs=5, cold=3, warm=4, burst=6)
    found = measure(tmp_path, toy)
    planned = {Measure.command: 5, Measure.cold: 3, Measure.warm: 4, Measure.burst: 6}
    assert found.performed.outcome is Outcome.accepted
    for name, count in planned.items():
        for variant in ("base", "head"):
            assert len(found.samples.of(name, variant)) == count
            assert found.counted(name, variant) == (count, count)
    assert tuple(pair.base_first for pair in found.samples.pairs) == order_of_pairs("toy", 5)
    for daemon in found.samples.daemons:
        assert daemon.process_begin == daemon.process_end > 1
        assert [reading.when for reading in daemon.memory] == ["idle", "after-burst"]
        assert all(0 < reading.resident_bytes <= reading.highest_bytes for reading in daemon.memory)
    assert len({daemon.process_begin for daemon in found.samples.daemons}) == 2


@pytest.mark.long
def test_events_tell_the_preparation_and_the_counts_and_no_sample_by_itself(tmp_path):
    found = measure(tmp_path, small())
    events = found.performed.events
    assert [event.step for event in events if isinstance(event, ProcessEvent)] == [
        "base-seed",
        "head-seed",
        "base-again",
        "head-again",
    ]
    told = [(event.measure, event.variant, event.taken) for event in events if isinstance(event, SampledEvent)]
    assert sorted(told) == sorted(
        (name, variant, count)
        for name, count in zip(Measure, (2, 1, 2, 2), strict=True)
        for variant in ("base", "head")
    )


@pytest.mark.long
def test_samples_bear_the_name_of_the_attempt_that_took_them(tmp_path):
    assert measure(tmp_path, small(), retry=2).samples.attempt == f"measurement.{TASK}.1.r2"


@pytest.mark.long
def test_every_sample_begins_with_the_same_files_and_times_at_the_same_paths_whichever_variant_it_is(tmp_path):
    log = tmp_path / "log"
    spoiling = (
        'for path in [*[room / "more" for room in rooms[1:]], *Path.cwd().glob("*.txt")]:\n'
        '    number > 2 and path.write_text("bad spoilt\\n")'
    )
    toy = small(pairs=6, changed={name: {"main": noting(log, spoiling)} for name in ("base", "head")})
    assert measure(tmp_path, toy).failed == []
    calls = noted(log)[2:]  # the first two seeded
    base, head = calls[:2]
    core = next(path for path in base if path.endswith("tree/tally/core.py"))
    assert base[core] != head[core]
    assert all(call in (base, head) for call in calls)
    assert {path: seen[0] for path, seen in base.items() if "/state" not in path} == {
        path: seen[0] for path, seen in head.items() if "/state" not in path
    }
    assert base.keys() == head.keys()
    assert not any(path.endswith("/more") for path in base)


@pytest.mark.report("A9")
def test_a_sample_that_crashes_stays_as_failed_with_its_pair_and_all_others_are_taken(tmp_path):
    # The first call seeds; its seventh sample is the eighth.
    crash = noting(tmp_path / "log", "if number == 8: sys.exit(3)")
    toy = small(pairs=9, changed={"head": {"main": crash}})
    found = measure(tmp_path, toy)
    assert found.failures(Measure.command, "head") == {7: "exit 3, expected is exit 1"}
    assert found.failures(Measure.command, "base") == {}
    assert len(found.samples.pairs) == 9
    assert len(list(found.samples.complete_pairs())) == 8
    assert found.counted(Measure.command, "head") == (8, 9)
    assert found.failed == ["samples-taken"]
    assert found.performed.outcome is Outcome.rejected
    assert "command of head, number 7: exit 3, expected is exit 1" in found.observed("samples-taken")
    assert len(noted(tmp_path / "log")) == 10  # nothing was tried again


@pytest.mark.long
@pytest.mark.parametrize(
    ("deed", "why"),
    [
        ("os.kill(os.getpid(), 9)", "ended by signal 9, expected is exit 1"),
        ('print("otherwise")', "answered otherwise than the first"),
        ("import time; time.sleep(60)", "ended by the clock: it took longer than it may"),
    ],
    ids=["killed", "answers otherwise", "hangs"],
)
def test_a_sample_that_is_none_says_why(tmp_path, deed, why):
    changed = {"head": {"main": noting(tmp_path / "log", f"if number == 3: {deed}")}}
    found = measure(tmp_path, small(process_seconds=2, changed=changed))
    assert found.failures(Measure.command, "head") == {2: why}
    assert found.failed == ["samples-taken"]


@pytest.mark.long
def test_what_a_sample_leaves_running_is_ended_before_the_next_and_told(tmp_path):
    leave = "import subprocess; subprocess.Popen(['sleep', '60'], start_new_session=True)\nos.environ"
    changed = {"head": {"main": noting(tmp_path / "log", f"if number == 3: {leave}")}}
    before = children_now()
    found = measure(tmp_path, small(changed=changed))
    assert [event.program for event in found.performed.events if isinstance(event, LeftoverEvent)] == ["sleep 60"]
    assert found.failed == ["no-leftovers"]
    assert children_now() == before


@pytest.mark.rule("P113")
def test_daemons_that_do_not_stop_are_each_told_and_ended_and_every_sample_is_taken_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr("runner.kinds.parity.daemon.GONE_SECONDS", 0.3)
    deaf = {"daemon": ("                    return\n", "                    continue\n")}
    before = children_now()
    found = measure(tmp_path, small(changed={"base": deaf, "head": deaf}))
    events = found.performed.events
    assert found.failed == ["no-leftovers"]
    # One cold start and one for the requests, of each variant.
    assert sum(isinstance(event, LeftoverEvent) for event in events) == 4
    stops = [event for event in events if isinstance(event, ProcessEvent) and event.step.endswith("-stop")]
    assert [event.step for event in stops] == ["base-stop", "head-stop"] * 2
    assert all(event.end == Exited(code=0) for event in stops)
    assert children_now() == before


@pytest.mark.rule("P124")
def test_another_process_that_goes_on_for_the_daemon_is_noticed(tmp_path):
    replaced = "os.fork() and os._exit(0); receipt.write_text(json.dumps({'pid': os.getpid(), 'socket': place}))"
    found = measure(tmp_path, small(changed={"head": at_request(5, replaced)}))
    base, head = found.samples.daemons
    assert base.process_begin == base.process_end
    assert 0 != head.process_begin != head.process_end != 0
    assert found.failed == ["stable-daemons"]
    assert found.counted(Measure.burst, "head") == (2, 2)


@pytest.mark.long
def test_a_daemon_that_dies_leaves_the_rest_of_its_requests_as_failed(tmp_path):
    found = measure(tmp_path, small(changed={"head": at_request(5, "os._exit(3)")}))
    (_, head) = found.samples.daemons
    assert found.counted(Measure.warm, "head") == (2, 2)
    assert set(found.failures(Measure.burst, "head")) == {2}
    assert head.process_end == 0
    assert set(found.failed) == {"samples-taken", "stable-daemons"}


def test_a_daemon_that_never_starts_has_no_sample_and_the_commands_are_measured(tmp_path):
    found = measure(
        tmp_path, small(changed={"head": {"daemon": ("        start(receipt)\n", "        sys.exit(9)\n")}})
    )
    assert found.counted(Measure.command, "head") == (2, 2)
    assert found.failures(Measure.cold, "head") == {1: "exit 9, expected is exit 1"}
    assert set(found.failures(Measure.warm, "head").values()) == {"no daemon of this attempt was running"}
    assert found.counted(Measure.burst, "base") == (2, 2)
    assert set(found.failed) == {"samples-taken", "stable-daemons"}


def test_an_answer_that_starts_no_daemon_is_no_cold_start(tmp_path):
    alone = (
        "        start(receipt)\n",
        "        print('started'); sys.stdout.write(told(check('.', words[-2], 'files'))); sys.exit(1)\n",
    )
    found = measure(tmp_path, small(changed={"head": {"daemon": alone}}))
    assert found.failures(Measure.cold, "head") == {1: "no daemon of this attempt was running"}


@pytest.mark.long
def test_a_client_that_ends_early_leaves_the_rest_as_failed_with_what_it_said(tmp_path):
    cut = program.CLIENT.replace("        try:\n", "        if _ == 1: sys.exit('no more')\n        try:\n")
    found = measure(tmp_path, small(texts={"fixtures/client.py": cut}))
    assert found.failures(Measure.warm, "base") == {2: "never sent, or not told of by the client"}
    (warm, *_) = (
        event for event in found.performed.events if isinstance(event, ProcessEvent) and event.step == "base-warm"
    )
    assert warm.end == Exited(code=1)
    assert "no more" in warm.stderr.text


def test_a_seed_that_comes_to_something_else_leaves_nothing_to_measure(tmp_path):
    found = measure(tmp_path, small(changed={"head": {"main": noting(tmp_path / "log", "sys.exit(4)")}}))
    assert found.performed.outcome is Outcome.failed_to_run
    assert found.performed.reason is not None
    assert (found.performed.reason.code, found.performed.reason.at) == (ReasonCode.setup_step_failed, "seed")
    assert found.performed.artifacts == {}
    assert found.counted(Measure.command, "base") == (0, 2)


def test_a_measurement_without_time_is_timed_out_and_begins_no_further_sample(tmp_path):
    found = measure(tmp_path, small(pairs=400), seconds=3)
    assert found.performed.outcome is Outcome.timed_out
    taken, planned = found.counted(Measure.command, "base")
    assert 0 < taken < planned == 400
    assert len(found.samples.pairs) == 400
    assert found.counted(Measure.warm, "head") == (0, 2)
    late = found.failures(Measure.burst, "base")
    assert set(late.values()) == {"not begun: the wall clock of the measurement had run out"}


@pytest.mark.long
def test_samples_of_one_variant_have_equal_environments(tmp_path):
    log = tmp_path / "log"
    told = "\n".join(
        (
            "variables = json.dumps(dict(os.environ))",
            f"with open({os.fspath(tmp_path / 'env')!r}, 'a') as stream: stream.write(variables + '\\n')",
        )
    )
    changed = {name: {"main": noting(log, told)} for name in ("base", "head")}
    measure(tmp_path, small(pairs=3, changed=changed))
    assert len(set((tmp_path / "env").read_text().splitlines()[2:])) == 1
