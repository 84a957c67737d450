"""Sealed parity runs whose events were changed and sealed again: calls, verdicts, and the mutant."""

import pytest

from runner.contract.seal import digest
from tests.runner.reading.forger import Forger
from tests.runner.reading.parity_defects import ROW, Defect, judged, named, of, process

HEAD, SDIST, MUTANT = (f"events/{arm}.{ROW}.jsonl" for arm in ("head", "sdist", "mutant"))


@pytest.fixture
def forger(parity, tmp_path):
    return Forger.of(parity, tmp_path / "run")


def swap(events: list, one: str, other: str) -> None:
    """Exchange two calls with all that is judged of them, which is as long for both."""
    places = [events.index(process(events, step)) for step in (one, other)]
    length = 3
    first, second = (events[place : place + length] for place in places)
    for place, items in zip(places, (second, first), strict=True):
        events[place : place + length] = items


def other_output(events: list, step: str, text: str) -> None:
    data = text.encode()
    process(events, step)["stdout"].update(text=text, kept_bytes=len(data), total_bytes=len(data), sha256=digest(data))


def cut(events: list, step: str) -> None:
    """As if the end of an output had not been kept."""
    output = process(events, step)["stdout"]
    output.update(text=output["text"][:-9], kept_bytes=output["kept_bytes"] - 9)


BAD = '{"file": "b.txt", "line": 1, "code": "bad-word"}'
INVENTORY = f"artifacts/head.{ROW}/inventory.json"
OTHERWISE = "is judged as met, what the process wrote says otherwise"
CALLS = {
    "other words": Defect(
        HEAD,
        lambda it: process(it, "command").update(argv=["{env}/bin/python", "-P", "-m", "tally", "--fast"]),
        (f"{HEAD}: line 13: starts command with other words than the plan",),
        rules=("P109",),
    ),
    "words of another backend": Defect(
        HEAD,
        lambda it: process(it, "first")["argv"].__setitem__(7, "sqlite"),
        (f"{HEAD}: line 3: starts first with other words than the plan",),
    ),
    "another folder": Defect(
        HEAD,
        lambda it: process(it, "seed").update(cwd="elsewhere"),
        (f"{HEAD}: line 1: starts seed in another folder, with other variables or at another time than the plan",),
        rules=("P109",),
    ),
    "another variable": Defect(
        HEAD,
        lambda it: process(it, "restart")["env"].append("TALLY_FAST"),
        (f"{HEAD}: line 7: starts restart in another folder, with other variables or at another time than the plan",),
    ),
    "a step that the plan has not": Defect(
        HEAD,
        lambda it: process(it, "restart").update(step="halt"),
        (
            f"{HEAD}: line 7: is of a step halt, which starts no process in the plan",
            f"{INVENTORY}: calls/halt/stderr: is not there, and the call was made",
            f"{INVENTORY}: calls/halt/stdout: is not there, and the call was made",
            f"{INVENTORY}: calls/restart/stderr: is of no call that the events tell of",
            f"{INVENTORY}: calls/restart/stdout: is of no call that the events tell of",
        ),
    ),
    "calls in another order": Defect(
        HEAD,
        lambda it: swap(it, "again", "command"),
        (f"{HEAD}: does not make the calls of the scenario once each and in their order",),
    ),
    "another exit status": Defect(
        HEAD,
        lambda it: process(it, "command")["end"].update(code=0),
        (
            f"{HEAD}: line 13: command.exit {OTHERWISE}",
            f"{HEAD}: line 13: command.exit states as observed 'exit 1', judged again it is 'exit 0'",
        ),
    ),
    "another output": Defect(
        HEAD,
        lambda it: other_output(it, "command", BAD.replace("b.txt", "c.txt")),
        (
            f"{HEAD}: line 13: command.records {OTHERWISE}",
            f"{HEAD}: line 13: command.records states as observed",
            f"{INVENTORY}: calls/command/stdout: has another length or digest than the call's event",
        ),
        rules=("P109",),
    ),
    "an output without what it must hold": Defect(
        HEAD,
        lambda it: other_output(it, "first", f"begun\n{BAD}\n"),
        (
            f"{HEAD}: line 3: first.holds {OTHERWISE}",
            f"{HEAD}: line 3: first.holds states as observed 'all', judged again it is 'without [\"started\"]'",
            f"{INVENTORY}: calls/first/stdout: has another length or digest than the call's event",
        ),
    ),
    "records of an output that is cut": Defect(
        HEAD,
        lambda it: cut(it, "command"),
        (
            f"{HEAD}: line 13: command.records {OTHERWISE}",
            f"{HEAD}: line 13: command.records states as observed",
            f"{INVENTORY}: calls/command/stdout: is a cut output, and more than its bytes are said to be known",
        ),
    ),
    "an expectation that the plan has not": Defect(
        HEAD,
        lambda it: judged(it, "first.holds").update(expected='["ended"]'),
        (f"{HEAD}: line 3: first.holds states as expected",),
    ),
    "another observation": Defect(
        HEAD,
        lambda it: judged(it, "command.records").update(observed="[]"),
        (f"{HEAD}: line 13: command.records states as observed '[]', judged again it is",),
    ),
    "a judgement of another call": Defect(
        HEAD,
        lambda it: judged(it, "again.records").update(criterion="command.records", step="command"),
        (
            f"{HEAD}: again.records is stated as met, the events judge nothing",
            f"{HEAD}: line 9: is a call of again, and what follows does not judge again.exit, again.records",
            f"{HEAD}: judges command.records twice",
        ),
    ),
    "a judgement of a call that was not made": Defect(
        HEAD,
        lambda it: process(it, "command").update(step="daemon-stopped"),
        (
            f"{HEAD}: line 13: starts daemon-stopped with other words than the plan",
            f"{HEAD}: does not make the calls of the scenario once each and in their order",
            f"{HEAD}: judges command.exit, command.records, and no such call ended before",
            f"{INVENTORY}: is there, and the attempt did not come so far",
            f"artifacts/head.{ROW}/comparison.json: is there, and the attempt did not come so far",
            f"{INVENTORY}: calls/command/stderr: is of no call that the events tell of",
            f"{INVENTORY}: calls/command/stdout: is of no call that the events tell of",
        ),
    ),
    "a verdict that the comparison does not give": Defect(
        SDIST,
        lambda it: judged(it, "same-state").update(verdict="met"),
        (
            f"{SDIST}: same-state is stated as not-met, the events judge met",
            f"{SDIST}: same-state is judged as met, comparison.json says otherwise",
        ),
        rules=("P102",),
    ),
    "a finding that is another one": Defect(
        SDIST,
        lambda it: judged(it, "same-paths").update(observed="1 do not, such as state/less"),
        (f"{SDIST}: same-paths states as observed",),
    ),
    "other counts of calls": Defect(
        "attempts.jsonl",
        lambda it: of("head", it).update(calls=5),
        (f"{HEAD}: tells of calls, requests and restarts (6, 2, 1), attempts.jsonl states (5, 2, 1)",),
        rules=("P109",),
    ),
}


@pytest.mark.parametrize("defect", named(CALLS))
def test_a_call_that_plan_and_output_do_not_bear_out_is_named(forger, defect):
    assert defect.told(forger) == set(defect.said)


MUTANTS = {
    "another file": Defect(
        "attempts.jsonl",
        lambda it: of("mutant", it).update(file="tally/daemon.py"),
        (f"attempts.jsonl: mutant.{ROW} has changed tally/daemon.py, declared is tally/core.py",),
        rules=("P110",),
    ),
    "a text that stands there twice": Defect(
        "attempts.jsonl",
        lambda it: of("mutant", it).update(matches=2),
        (
            f"attempts.jsonl: mutant.{ROW} has the file changed, and its text was found 2 times",
            f"{MUTANT}: starts processes, and there was no mutant",
            f"{MUTANT}: does not judge what follows from the mutant's calls, which is target-once, original-unchanged",
        ),
        rules=("P110",),
    ),
    "a mutant that is the original": Defect(
        "attempts.jsonl",
        lambda it: of("mutant", it).update(mutant_sha256=of("mutant", it)["original_sha256"]),
        (f"attempts.jsonl: mutant.{ROW} has the file unchanged, and its text was found 1 times",),
        rules=("P110",),
    ),
    "another original": Defect(
        "attempts.jsonl",
        lambda it: of("mutant", it).update(original_sha256="0" * 64),
        (
            f"{MUTANT}: starts processes, and there was no mutant",
            f"{MUTANT}: does not judge what follows from the mutant's calls, which is target-once, original-unchanged",
        ),
        rules=("P110",),
    ),
    "a failure left out of the detail": Defect(
        "attempts.jsonl",
        lambda it: of("mutant", it)["failed"].remove("first.exit"),
        (
            f"{MUTANT}: judges as failed first.exit, first.records, again.exit",
            f"{MUTANT}: mutant-rejected is judged as met, what was seen of the mutant says otherwise",
            f"{MUTANT}: mutant-rejected states as observed",
            f"{MUTANT}: nothing-else-failed is judged as met, what was seen of the mutant says otherwise",
            f"{MUTANT}: nothing-else-failed states as observed",
        ),
        rules=("P111",),
    ),
    "a call of the mutant that did not fail": Defect(
        MUTANT,
        lambda it: process(it, "first")["end"].update(code=1),
        (
            f"{MUTANT}: line 3: first.exit is judged as not-met, what the process wrote says otherwise",
            f"{MUTANT}: line 3: first.exit states as observed",
            f"{MUTANT}: mutant-exit-status is judged as met, what was seen of the mutant says otherwise",
            f"{MUTANT}: mutant-exit-status states as observed",
        ),
        rules=("P111",),
    ),
    "a failure of the mutant that is called met": Defect(
        MUTANT,
        lambda it: judged(it, "first.exit").update(met=True),
        (
            f"{MUTANT}: line 3: first.exit is judged as met, what the process wrote says otherwise",
            f"{MUTANT}: judges as failed first.records",
        ),
        rules=("P111",),
    ),
    "a failure of the harness that is called met": Defect(
        "attempts.jsonl",
        lambda it: of("mutant", it)["failed"].append("no-leftovers"),
        (
            f"{MUTANT}: judges as failed first.exit",
            f"{MUTANT}: mutant-rejected states as observed",
            f"{MUTANT}: nothing-else-failed is judged as met, what was seen of the mutant says otherwise",
            f"{MUTANT}: nothing-else-failed states as observed",
        ),
        rules=("P111",),
    ),
    "a criterion that is not judged of the mutant": Defect(
        MUTANT,
        lambda it: judged(it, "module-root").update(criterion="no-leftovers", step="no-leftovers"),
        (
            f"{MUTANT}: judges no-leftovers twice",
            f"{MUTANT}: does not judge of the mutant what is judged of a variant: module-root",
        ),
        rules=("P111",),
    ),
    "an original that was changed": Defect(
        MUTANT,
        lambda it: judged(it, "original-unchanged").update(observed="0" * 64),
        (f"{MUTANT}: original-unchanged is judged as met, what was seen of the mutant says otherwise",),
        rules=("P111",),
    ),
}


@pytest.mark.parametrize("defect", named(MUTANTS))
def test_a_mutant_that_its_calls_do_not_bear_out_is_named(forger, defect):
    assert defect.told(forger) == set(defect.said)
