"""Boundaries, kills, waits, caps and survivors: how an attempt and its processes end."""

import os
import time

import pytest

from runner.contract.attempt import Outcome, ReasonCode
from runner.contract.events import (
    FaultEvent,
    JudgedEvent,
    KilledEvent,
    LeftoverEvent,
    ProcessEvent,
    Signalled,
    StartedEvent,
    StoppedEvent,
    WaitedEvent,
)
from runner.contract.study import Tier
from runner.errors import SandboxError
from tests.processes import begun_since, children_now
from tests.runner.kinds.qualification.laboratory import (
    EXIT_0,
    a_check,
    holds,
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
        {"id": "pause", "do": "wait", "milliseconds": 2000, "why": {"en": "It ends.", "zh": "它会结束。"}},
        {"id": "kill", "do": "kill", "target": "go"},
    )

    assert performed.outcome is Outcome.failed_to_run
    assert reason(performed)[1] == "kill.gone"
    assert of_kind(performed, KilledEvent) == []
    assert of_kind(performed, StoppedEvent)[0].by == "itself"


def test_a_real_wait_lets_a_lease_expire_and_a_shifted_clock_does_so_at_once(attempt):
    wait = {"id": "wait", "do": "wait", "milliseconds": 3100, "why": {"en": "It expires.", "zh": "到期。"}}
    first = step("first", "claim", "a", "ann", "3")
    denied = step("denied", "claim", "a", "bob", expect=[{"expect": "exit", "code": 1}])
    waited = attempt(first, denied, wait, step("taken", "claim", "a", "bob"))
    shifted = attempt(first, denied, step("taken", "claim", "a", "bob", clock_shift_seconds=5))

    assert waited.outcome is shifted.outcome is Outcome.accepted
    assert of_kind(waited, WaitedEvent)[0].milliseconds == 3100
    assert waited.event_ns[-1] - waited.event_ns[0] > 3_000_000_000
    assert (waited.detail.clock_shifts, shifted.detail.clock_shifts) == (0, 1)
    assert of_kind(shifted, ProcessEvent)[-1].clock_shift_seconds == 5


def test_a_shift_that_no_ear_hears_is_a_fault_of_ours(attempt):
    performed = attempt({**step("one"), "argv": ["/bin/echo", "x"], "clock_shift_seconds": 60})

    assert performed.outcome is Outcome.failed_to_run
    assert reason(performed)[0] is ReasonCode.runner_fault
    assert "did not come into force" in of_kind(performed, FaultEvent)[0].message


@pytest.mark.parametrize("limits", [{"seconds": 2}, {"process_seconds": 2}])
def test_the_wall_cap_ends_a_process_and_is_no_exit_code(attempt, limits):
    begun = time.monotonic()
    performed = attempt({**step("one"), "argv": ["sh", "-c", "echo asleep; exec sleep 600"]}, **limits)

    assert time.monotonic() - begun < 300, "it ended by itself"
    assert performed.outcome is Outcome.timed_out
    assert not performed.passed_after_cap
    assert reason(performed) == (ReasonCode.wall_cap, "one")
    (ended,) = of_kind(performed, ProcessEvent)
    assert ended.end.end == "timed-out"
    assert ended.stdout.text == "asleep\n"


def test_a_wait_beyond_the_cap_times_out(attempt):
    wait = {"id": "wait", "do": "wait", "milliseconds": 60_000, "why": {"en": "Long.", "zh": "很久。"}}
    performed = attempt({**step("one"), "argv": ["true"]}, wait, seconds=2)

    assert performed.outcome is Outcome.timed_out
    assert reason(performed)[1] == "wait"


@pytest.mark.report("A25")
def test_survivors_of_a_capped_attempt_are_gone_soon_and_recorded(attempt, tmp_path):
    beat = f"while :; do date +%s%N > {tmp_path}/$1; sleep 0.05; done"
    script = (
        f"(sh -c '{beat}' x child &); setsid sh -c '{beat}' x session & (setsid sh -c '{beat}' x double &) & sleep 600"
    )
    begun = time.monotonic()
    performed = attempt({**step("one"), "argv": ["sh", "-c", script]}, seconds=4)
    took = time.monotonic() - begun
    hearts = {name: (tmp_path / name).read_text() for name in ("child", "session", "double")}
    time.sleep(0.3)

    assert took < 300, "it ended by itself"
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
    before = children_now()
    attempt(
        {
            "id": "go",
            "do": "start",
            "argv": ["{command}", "sleep", "60"],
            "boundary": {"at": "output", "text": "asleep"},
        },
        step("bad", "exit", "1"),
    )

    assert not [entry for entry in begun_since(before) if entry.session != os.getsid(0)]


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


def test_a_tier_that_a_qualification_has_no_steps_for_is_refused_in_words(laboratory):
    with pytest.raises(SandboxError, match="performed at tier process, not at bwrap; use tier process"):
        laboratory.perform(a_check(step("one", "exit", "0")), tier=Tier.bwrap)


def test_every_judgement_is_also_an_event(attempt):
    performed = attempt(step("one", "exit", "0"), *crash("before"))

    assert {event.criterion: event.verdict.value for event in of_kind(performed, JudgedEvent)} == verdicts(performed)


@pytest.mark.rule("R16")
def test_what_a_subject_leaves_behind_is_kept_private_by_name_and_links_are_not_followed(attempt):
    leave = "import os; os.symlink('/etc/passwd', 'link'); os.mkfifo('pipe'); open('note.txt', 'w').write('x')"
    performed = attempt(step("claim", "claim", "a", "ann"), {**step("leave"), "argv": ["{python}", "-c", leave]})

    assert "work/note.txt" in performed.private
    assert not {"work/link", "work/pipe"} & set(performed.private)
    assert any(name.startswith(("state/", "work/")) and name != "work/note.txt" for name in performed.private)
