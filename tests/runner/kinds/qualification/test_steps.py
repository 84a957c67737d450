"""Each step does to a real process what it says, and its attempt ends as the rules say."""

import json

import pytest

from runner.contract.attempt import Outcome, ReasonCode
from runner.contract.events import (
    CapturedEvent,
    ProcessEvent,
    RacedEvent,
)
from tests.runner.kinds.qualification.laboratory import (
    EXIT_0,
    holds,
    observed,
    of_kind,
    reason,
    step,
    verdicts,
)

WON = [EXIT_0, {"expect": "json", "at": "/granted", "value": True}]


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
    """Each says when it came and when it began, in hundredths of a second: none began before the last had come."""
    program = "read -r up _ </proc/uptime; read -r me </proc/self/stat; set -- ${me##*) }; echo ${20} ${up%.*}${up#*.}"
    race = {"id": "race", "do": "race", "argv": ["sh", "-c", program], "contenders": 16}
    performed = attempt({**race, "winner": [EXIT_0], "winners": 16})
    told = [tuple(map(int, event.stdout.text.split())) for event in of_kind(performed, ProcessEvent)]

    assert performed.outcome is Outcome.accepted
    assert len(told) == 16
    assert max(came for came, _ in told) <= min(began for _, began in told)
