"""Each step does to a real process what it says, and its attempt ends as the rules say."""

import json
import os
import time

import pytest

from runner.contract.attempt import Outcome, ReasonCode
from runner.contract.events import (
    CapturedEvent,
    FaultEvent,
    JudgedEvent,
    KilledEvent,
    LeftoverEvent,
    ProcessEvent,
    RacedEvent,
    Signalled,
    StartedEvent,
    StoppedEvent,
    WaitedEvent,
)
from runner.contract.study import Tier
from runner.errors import SandboxError
from runner.sandbox.process_table import descendants, snapshot
from tests.runner.kinds.qualification.laboratory import (
    EXIT_0,
    a_check,
    observed,
    of_kind,
    reason,
    step,
    verdicts,
)

WON = [EXIT_0, {"expect": "json", "at": "/granted", "value": True}]


def crash(moment, statement="COMMIT"):
    """A writer that is killed at a statement."""
    return (
        {
            "id": "writer",
            "do": "start",
            "argv": ["{command}", "claim", "a", "ann"],
            "boundary": {"at": "sqlite", "moment": moment, "statement": statement},
        },
        {"id": "kill", "do": "kill", "target": "writer"},
    )


def holds(count):
    return {"expect": "json-count", "at": "", "count": count}


@pytest.mark.rule("R7")
def test_a_real_command_runs_in_private_folders_and_its_state_is_seen_by_fresh_processes(attempt):
    performed = attempt(
        step(
            "places",
            "places",
            "{work}",
            "{state}",
            expect=[EXIT_0, {"expect": "holds", "stream": "stdout", "text": "{work}"}],
        ),
        step("claim", "claim", "a", "ann", env={"STATE": "{state}"}),
        step("elsewhere", "list", expect=[holds(0)]),
        step(
            "list",
            "list",
            env={"STATE": "{state}"},
            cwd="deep/er",
            expect=[holds(1), {"expect": "json", "at": "/0/owner", "value": "ann"}],
        ),
    )

    assert performed.outcome is Outcome.accepted
    assert performed.reason is None
    assert set(verdicts(performed).values()) == {"met"}
    place = of_kind(performed, ProcessEvent)[0]
    assert place.argv == ("{env}/bin/tool", "places", "{work}", "{state}")
    assert place.stdout.text == '{"cwd": "{work}", "home": "{home}", "argv": ["{work}", "{state}"]}\n'
    assert place.stdout.replaced == 4
    assert performed.detail.processes_started == 4


@pytest.mark.rule("R15")
def test_the_environment_is_the_allow_list_and_what_the_step_adds(attempt, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter2")
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    performed = attempt(
        step("plain", "environment"),
        step("more", "environment", env={"BOARD_NAME": "x"}),
        step("orders", "environment", clock_shift_seconds=1),
    )
    names = [set(json.loads(event.stdout.text)) for event in of_kind(performed, ProcessEvent)]

    plain = {"PATH", "HOME", "TMPDIR", "LANG", "TZ", "COLUMNS", "LINES", "NO_COLOR", "PYTHONHASHSEED"}
    plain |= {"PYTHONDONTWRITEBYTECODE", "PYTHONNOUSERSITE", "PIP_NO_INDEX", "PIP_DISABLE_PIP_VERSION_CHECK"}
    plain |= {"SEALBOOK_ATTEMPT"}
    assert names[0] == plain
    assert names[1] - plain == {"BOARD_NAME"}
    assert names[2] - plain == {"PYTHONPATH", "SEALBOOK_MARKS", "SEALBOOK_CLOCK_SHIFT_SECONDS"}
    assert "hunter2" not in str(performed.events)
    assert [event.env for event in of_kind(performed, ProcessEvent)] == [(), ("BOARD_NAME",), ()]


def test_a_failed_expectation_rejects_after_all_of_its_step_are_judged(attempt):
    performed = attempt(
        step(
            "one",
            "exit",
            "3",
            expect=[EXIT_0, {"expect": "exit-nonzero"}, {"expect": "holds", "stream": "either", "text": "x"}],
        ),
        step("two", "exit", "0"),
    )

    assert performed.outcome is Outcome.rejected
    assert reason(performed) == (ReasonCode.criterion_not_met, "one.1")
    assert verdicts(performed) == {
        "one.1": "not-met",
        "one.2": "met",
        "one.3": "not-met",
        "two.1": "not-reached",
        "no-leftovers": "met",
    }
    assert performed.detail.steps_performed == 1


def test_a_failed_set_up_step_is_no_finding(attempt):
    performed = attempt(step("one", "exit", "3", setup=True), step("two", "exit", "0"))

    assert performed.outcome is Outcome.failed_to_run
    assert reason(performed) == (ReasonCode.setup_step_failed, "one")
    assert verdicts(performed)["no-leftovers"] == "not-reached"


def test_a_program_that_is_not_there_is_no_finding(attempt):
    performed = attempt({**step("one"), "argv": ["{work}/nothing"]})

    assert performed.outcome is Outcome.failed_to_run
    assert reason(performed)[0] is ReasonCode.process_not_started
    assert of_kind(performed, ProcessEvent)[0].end.why == "no such file or directory"


def test_values_are_captured_for_later_steps_and_a_missing_one_fails_to_run(attempt):
    performed = attempt(
        step(
            "claim",
            "claim",
            "a",
            "ann",
            capture=[
                {"name": "who", "at": "/owner"},
                {"name": "ok", "at": "/granted"},
                {"name": "until", "at": "/until"},
            ],
        ),
        step(
            "say", "say", "{who}-{ok}-{until}", expect=[{"expect": "holds", "stream": "stdout", "text": "ann-true-1.5"}]
        ),
        step(
            "again",
            "list",
            expect=[{"expect": "json", "at": "/0/owner", "value": "{who}"}],
            capture=[{"name": "none", "at": "/9"}],
        ),
    )

    assert [(event.name, event.value) for event in of_kind(performed, CapturedEvent)] == [
        ("who", "ann"),
        ("ok", "true"),
        ("until", "1.5"),
    ]
    assert performed.outcome is Outcome.failed_to_run
    assert verdicts(performed)["again.1"] == "met"


def test_a_repeated_step_counts_from_one_and_stops_at_the_first_failure(attempt):
    performed = attempt(
        step("stdin", "echo", stdin="n{i}", repeat=3, expect=[{"expect": "holds", "stream": "stdout", "text": "n{i}"}]),
        step("exit", "exit", "{i}", repeat=3, expect=[{"expect": "exit", "code": 1}]),
    )

    assert verdicts(performed) == {"stdin.1": "met", "exit.1": "not-met", "no-leftovers": "met"}
    assert [(event.step, event.instance) for event in of_kind(performed, ProcessEvent)] == [
        ("stdin", 1), ("stdin", 2), ("stdin", 3), ("exit", 1), ("exit", 2),
    ]  # fmt: skip


def test_published_output_is_whole_and_without_paths_of_the_machine(attempt):
    performed = attempt(step("one", "say", "at", "{work}", publish="said"))

    assert performed.artifacts == {"said.txt": b"at {work}\n"}


def test_of_sixteen_at_the_gate_exactly_one_wins_and_a_false_count_is_a_finding(attempt):
    race = {"id": "race", "do": "race", "argv": ["{command}", "claim", "a", "n{i}"], "contenders": 16, "winner": WON}
    performed = attempt({**race, "winners": 1}, step("list", "list", expect=[holds(1)]))
    wrong = attempt({**race, "winners": 2})

    assert performed.outcome is Outcome.accepted
    (raced,) = of_kind(performed, RacedEvent)
    assert (raced.contenders, raced.winners) == (16, 1)
    contenders = [event for event in of_kind(performed, ProcessEvent) if event.step == "race"]
    assert [event.argv[-1] for event in contenders] == [f"n{n}" for n in range(1, 17)]
    assert all(event.argv[0] == "{env}/bin/tool" for event in contenders)
    assert wrong.outcome is Outcome.rejected
    assert observed(wrong, "race.winners") == "1 of 16 won"


def test_contenders_are_at_the_gate_together(attempt):
    """Each says when it began; no one began before the last one had come."""
    program = "import sys,time; print(int(time.monotonic()*1000)); time.sleep(0.5)"
    performed = attempt(
        {
            "id": "race",
            "do": "race",
            "argv": ["{python}", "-S", "-c", program],
            "contenders": 8,
            "winner": [EXIT_0],
            "winners": 8,
        }
    )
    begun = [int(event.stdout.text) for event in of_kind(performed, ProcessEvent)]

    assert performed.outcome is Outcome.accepted
    assert max(begun) - min(begun) < 500


@pytest.mark.parametrize(
    ("moment", "statement", "rows"),
    [
        ("before", "COMMIT", 0),
        ("after", "COMMIT", 1),
        ("before", "INSERT OR REPLACE", 0),
        ("after", "INSERT OR REPLACE", 0),
    ],
)
def test_the_durable_state_is_that_of_the_boundary_at_which_the_writer_was_killed(attempt, moment, statement, rows):
    performed = attempt(*crash(moment, statement), step("list", "list", expect=[holds(rows)]))

    assert performed.outcome is Outcome.accepted
    (started,) = of_kind(performed, StartedEvent)
    (killed,) = of_kind(performed, KilledEvent)
    (stopped,) = of_kind(performed, StoppedEvent)
    assert (started.reached, started.boundary) == (True, f"{moment} {statement} #1")
    assert killed.gone
    assert (stopped.by, stopped.end, stopped.stdout.text) == ("kill", Signalled(signal=9), "")
    assert performed.detail.kills == 1


@pytest.mark.parametrize(
    ("argv", "boundary"),
    [
        (["say", "hello"], {"at": "sqlite", "moment": "before", "statement": "COMMIT"}),
        (["say", "hello"], {"at": "output", "text": "goodbye"}),
        (["say", "hello"], {"at": "file", "path": "nothing"}),
        (["claim", "a", "ann"], {"at": "sqlite", "moment": "before", "statement": "COMMIT", "occurrence": 2}),
    ],
)
def test_a_boundary_that_is_not_reached_is_marked_so_and_is_no_finding(attempt, argv, boundary):
    start = {"id": "go", "do": "start", "argv": ["{command}", *argv], "boundary": boundary}
    performed = attempt(start, {"id": "kill", "do": "kill", "target": "go"}, step("list", "list"))

    assert performed.outcome is Outcome.failed_to_run
    assert reason(performed) == (ReasonCode.boundary_not_reached, "go.reached")
    assert set(verdicts(performed).values()) == {"not-reached"}
    assert observed(performed, "go.reached") == "exit 0 before it"
    assert of_kind(performed, KilledEvent) == []


def test_output_and_files_are_boundaries_too(attempt):
    performed = attempt(
        {
            "id": "talker",
            "do": "start",
            "argv": ["{command}", "sleep", "60"],
            "boundary": {"at": "output", "text": "asleep"},
        },
        {
            "id": "toucher",
            "do": "start",
            "argv": ["{command}", "touch", "{state}/x", "60"],
            "boundary": {"at": "file", "path": "{state}/x"},
        },
        {"id": "kill", "do": "kill", "target": "toucher"},
    )

    assert performed.outcome is Outcome.accepted
    stops = {event.step: event.by for event in of_kind(performed, StoppedEvent)}
    assert stops == {"toucher": "kill", "talker": "attempt-end"}


def test_a_file_outside_the_attempt_is_no_boundary(attempt, tmp_path):
    (tmp_path / "there").write_text("x")
    boundary = {"at": "file", "path": str(tmp_path / "there")}
    performed = attempt({"id": "go", "do": "start", "argv": ["{command}", "say", "x"], "boundary": boundary})

    assert reason(performed)[0] is ReasonCode.boundary_not_reached


def test_a_victim_that_ended_by_itself_was_not_killed(attempt):
    performed = attempt(
        {
            "id": "go",
            "do": "start",
            "argv": ["{command}", "say", "hello"],
            "boundary": {"at": "output", "text": "hello"},
        },
        {"id": "pause", "do": "wait", "milliseconds": 500, "why": {"en": "It ends.", "zh": "它会结束。"}},
        {"id": "kill", "do": "kill", "target": "go"},
    )

    assert performed.outcome is Outcome.failed_to_run
    assert reason(performed)[1] == "kill.gone"
    assert of_kind(performed, KilledEvent) == []
    assert of_kind(performed, StoppedEvent)[0].by == "itself"


def test_a_real_wait_lets_a_lease_expire_and_a_shifted_clock_does_so_at_once(attempt):
    wait = {"id": "wait", "do": "wait", "milliseconds": 1100, "why": {"en": "It expires.", "zh": "到期。"}}
    first = step("first", "claim", "a", "ann", "1")
    denied = step("denied", "claim", "a", "bob", expect=[{"expect": "exit", "code": 1}])
    waited = attempt(first, denied, wait, step("taken", "claim", "a", "bob"))
    shifted = attempt(first, denied, step("taken", "claim", "a", "bob", clock_shift_seconds=5))

    assert waited.outcome is shifted.outcome is Outcome.accepted
    assert of_kind(waited, WaitedEvent)[0].milliseconds == 1100
    assert waited.event_ns[-1] - waited.event_ns[0] > 1_000_000_000
    assert (waited.detail.clock_shifts, shifted.detail.clock_shifts) == (0, 1)
    assert of_kind(shifted, ProcessEvent)[-1].clock_shift_seconds == 5


def test_a_shift_that_no_ear_hears_is_a_fault_of_ours(attempt):
    performed = attempt({**step("one"), "argv": ["/bin/echo", "x"], "clock_shift_seconds": 60})

    assert performed.outcome is Outcome.failed_to_run
    assert reason(performed)[0] is ReasonCode.runner_fault
    assert "did not come into force" in of_kind(performed, FaultEvent)[0].message


@pytest.mark.parametrize("limits", [{"seconds": 1}, {"process_seconds": 1}])
def test_the_wall_cap_ends_a_process_and_is_no_exit_code(attempt, limits):
    begun = time.monotonic()
    performed = attempt(step("one", "sleep", "60"), **limits)

    assert time.monotonic() - begun < 5
    assert performed.outcome is Outcome.timed_out
    assert not performed.passed_after_cap
    assert reason(performed) == (ReasonCode.wall_cap, "one")
    (ended,) = of_kind(performed, ProcessEvent)
    assert ended.end.end == "timed-out"
    assert ended.stdout.text == "asleep\n"


def test_a_wait_beyond_the_cap_times_out(attempt):
    wait = {"id": "wait", "do": "wait", "milliseconds": 60_000, "why": {"en": "Long.", "zh": "很久。"}}
    performed = attempt(step("one", "exit", "0"), wait, seconds=1)

    assert performed.outcome is Outcome.timed_out
    assert reason(performed)[1] == "wait"


@pytest.mark.report("A25")
def test_survivors_of_a_capped_attempt_are_gone_soon_and_recorded(attempt, tmp_path):
    beat = f"while :; do date +%s%N > {tmp_path}/$1; sleep 0.05; done"
    script = (
        f"(sh -c '{beat}' x child &); setsid sh -c '{beat}' x session & (setsid sh -c '{beat}' x double &) & sleep 60"
    )
    begun = time.monotonic()
    performed = attempt({**step("one"), "argv": ["sh", "-c", script]}, seconds=2)
    took = time.monotonic() - begun
    hearts = {name: (tmp_path / name).read_text() for name in ("child", "session", "double")}
    time.sleep(0.3)

    assert took < 6
    assert {name: (tmp_path / name).read_text() for name in hearts} == hearts
    assert performed.outcome is Outcome.timed_out
    recorded = " ".join(event.program for event in of_kind(performed, LeftoverEvent))
    assert all(f"x {name}" in recorded for name in hearts)
    assert performed.detail.leftovers == len(of_kind(performed, LeftoverEvent)) >= 3
    assert verdicts(performed)["no-leftovers"] == "not-met"


@pytest.mark.report("A25")
def test_a_process_that_outlives_a_good_attempt_rejects_it(attempt):
    performed = attempt(step("one", "daemon", "60"))

    assert performed.outcome is Outcome.rejected
    assert reason(performed)[1] == "no-leftovers"
    assert [event.program for event in of_kind(performed, LeftoverEvent)] == ["sleep 60"]


def test_nothing_is_left_running_after_any_of_these_ends(attempt):
    attempt(
        {
            "id": "go",
            "do": "start",
            "argv": ["{command}", "sleep", "60"],
            "boundary": {"at": "output", "text": "asleep"},
        },
        step("bad", "exit", "1"),
    )
    table = snapshot()

    assert not [pid for pid in descendants(table, [os.getpid()]) if table[pid].session != os.getsid(0)]


@pytest.mark.report("A26")
def test_a_cut_flood_is_marked_and_cannot_show_that_something_is_absent(attempt):
    program = "import sys; sys.stdout.buffer.write(b'\\x00\\x1b\\xff' + 'é'.encode() * 5000)"
    performed = attempt(
        {**step("one"), "argv": ["{python}", "-c", program], "expect": [{"expect": "lacks", "text": "zzz"}]},
        output_bytes=1024,
    )
    (event,) = of_kind(performed, ProcessEvent)

    assert performed.outcome is Outcome.rejected
    assert observed(performed, "one.1") == "longer than the output cap"
    assert (event.stdout.total_bytes, event.stdout.kept_bytes) == (10_003, 1023)
    assert event.stdout.text.startswith("\x00\x1b\\xffé")
    assert event.stdout.text.endswith("é")


def test_the_source_is_a_copy_for_each_attempt(attempt, prepared_board):
    spoil = "import pathlib, sys; pathlib.Path(sys.argv[1], 'test_board.py').write_text('spoilt')"
    performed = attempt({**step("one"), "argv": ["{python}", "-c", spoil, "{source}"]})

    assert performed.outcome is Outcome.accepted
    assert "spoilt" not in (prepared_board / "tool" / "source" / "test_board.py").read_text()


def test_a_tier_that_is_not_built_is_refused_in_words(laboratory):
    with pytest.raises(SandboxError, match="tier bwrap is not built yet; use tier process"):
        laboratory.perform(a_check(step("one", "exit", "0")), tier=Tier.bwrap)


def test_every_judgement_is_also_an_event(attempt):
    performed = attempt(step("one", "exit", "0"), *crash("before"))

    assert {event.criterion: event.verdict.value for event in of_kind(performed, JudgedEvent)} == verdicts(performed)
