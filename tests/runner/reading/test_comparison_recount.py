"""Sealed comparisons that were changed and sealed again: metrics, ledgers and sessions that contradict one another."""

import json

import pytest

from runner.audit import audit
from runner.contract.canonical import encode
from runner.contract.seal import digest
from runner.reading.sealed import open_run
from runner.verbs.results import audited
from tests.comparisons import GOOD, SYMBOLS, TEXT, Tiny, run
from tests.runner.reading.forger import Forger, said

NAME = f"{TEXT}.narrow.1"
FOLDER = f"artifacts/{NAME}"
NOT_THE_SCRIPT = f"run/{FOLDER}/transcript.json: actions: are not those of the transcript that the plan carries"


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compared")
    return run(folder, Tiny().read(folder / "manifests"))


@pytest.fixture
def forger(sealed, tmp_path):
    return Forger.of(sealed, tmp_path / "run")


def bound(forger: Forger, name: str, change) -> None:
    """Change a document of the attempt, and the digest that the ledger and the observation have of it."""
    path = forger.folder / FOLDER / name
    before = path.read_bytes()
    value = json.loads(before)
    change(value)
    path.write_bytes(encode(value))
    for other in ("ledger.json", "observation.json"):
        text = (forger.folder / FOLDER / other).read_bytes()
        after = text.replace(digest(before).encode(), digest(path.read_bytes()).encode())
        after = after.replace(f'"bytes":{len(before)}'.encode(), f'"bytes":{path.stat().st_size}'.encode())
        (forger.folder / FOLDER / other).write_bytes(after)


@pytest.mark.rule("T82")
def test_a_twisted_metric_is_not_what_the_ledger_gives_and_not_what_a_recount_gives(forger):
    forger.document(f"{FOLDER}/observation.json", lambda it: it["metrics"]["tool_calls"].__setitem__("value", 1))
    found = forger.problems()

    assert said(found, f"run/{FOLDER}/observation.json: is not what the ledger gives")
    assert said(
        found, f"run/{FOLDER}/observation.json: metrics.tool_calls: a recount of the session gives another value"
    )


@pytest.mark.rule("T82")
def test_a_session_that_was_changed_everywhere_is_told_by_the_recount(forger):
    bound(forger, "transcript.json", lambda it: it["actions"][0]["action"].__setitem__("input_tokens", 1))
    found = forger.problems()

    assert said(found, "metrics.model_input_tokens: a recount of the session gives another value")


def test_a_metric_that_attempts_state_otherwise_is_told(forger):
    def twist(attempt):
        attempt["detail"]["observed"]["metrics"]["review_wall_ms"] = 0

    forger.line("attempts.jsonl", NAME, twist)
    found = forger.problems()

    assert said(found, f"run/{FOLDER}/observation.json: metrics: differ from what attempts.jsonl states")
    assert said(found, "run/run.json: analysis.lanes[1].metrics.values.review_wall_ms")
    assert said(found, "run/run.json: analysis.differences[0].metrics.review_wall_ms")


@pytest.mark.parametrize("other", ["not_met", "not_judged"])
def test_a_count_of_a_criterion_that_the_attempts_do_not_give_is_told(forger, other):
    forger.document("run.json", lambda it: it["analysis"]["criteria"][0].update({"met": 0, other: 1}))
    found = forger.problems()

    assert said(found, "run/run.json: analysis.criteria[0].met: 0 stated, the attempts give 1")
    assert said(found, f"run/run.json: analysis.criteria[0].{other}: 1 stated, the attempts give 0")


def test_counts_of_criteria_that_do_not_add_up_are_not_of_this_format(forger):
    forger.document("run.json", lambda it: it["analysis"]["criteria"][0].__setitem__("met", 0))
    assert said(forger.problems(), "run/run.json: analysis.criteria[0]: the verdicts add up to 0, planned")


def test_a_verdict_that_is_stated_twice_is_told_and_breaks_nothing(forger):
    forger.line("attempts.jsonl", NAME, lambda it: it["criteria"].append(it["criteria"][0]))
    assert said(forger.problems(), "has other criteria than its task")


@pytest.mark.parametrize("name", ["transcript.json", "ledger.json", "observation.json"])
def test_a_document_that_is_gone_is_named(forger, name):
    (forger.folder / FOLDER / name).unlink()
    forger.line("attempts.jsonl", NAME, lambda it: it["artifacts"].remove(f"{FOLDER}/{name}"))

    assert said(forger.problems(), f"run/{FOLDER}: lacks {FOLDER}/{name}")


def test_acceptance_rows_that_are_gone_are_named(forger):
    (forger.folder / FOLDER / "acceptance.json").unlink()
    forger.line("attempts.jsonl", NAME, lambda it: it["artifacts"].remove(f"{FOLDER}/acceptance.json"))

    assert said(forger.problems(), f"run/{FOLDER}/acceptance.json: is not there")


def test_a_row_that_was_turned_around_is_told_three_times(forger):
    def turn(ledger):
        ledger["acceptance"][0]["outcome"] = "failed"
        ledger["outcome"] = "failed"

    forger.document(f"{FOLDER}/ledger.json", turn)
    found = forger.problems()

    assert said(found, f"run/{FOLDER}/ledger.json: acceptance: differs from the criteria of the attempt")
    assert said(found, f"run/{FOLDER}/observation.json: is not what the ledger gives")


def test_a_session_of_another_attempt_is_told(forger):
    other = f"artifacts/{SYMBOLS}.narrow.1/transcript.json"
    (forger.folder / FOLDER / "transcript.json").write_bytes((forger.folder / other).read_bytes())
    found = forger.problems()

    assert said(found, f"run/{FOLDER}/transcript.json: is of {SYMBOLS}.narrow.1")
    assert said(found, f"run/{FOLDER}/ledger.json: artifacts: names transcript.json with another length or digest")


def test_a_plan_that_carries_another_file_than_it_pins_is_told(forger):
    def other(plan):
        file = plan["tasks"]["files"][0]
        file["text"] += "# more\n"
        file["sha256"] = digest(file["text"].encode())

    forger.document("plan.json", other)

    assert said(forger.problems(), "run/plan.json: tasks.files: ", "is not the file that the manifest pins")


def test_a_plan_in_another_order_is_told(forger):
    forger.document("plan.json", lambda it: it["slots"].reverse())

    assert said(forger.problems(), "run/plan.json: slots: are not what the manifest's checks give: order")


def test_a_matrix_that_is_said_to_be_complete_and_is_not_is_told(forger):
    def lose(attempt):
        attempt["detail"]["observed"] = {"observation": "unusable", "reason": "lost"}

    forger.line("attempts.jsonl", NAME, lose)
    found = forger.problems()

    assert said(found, "run/run.json: analysis.disposition: complete stated, the attempts give partial")
    assert said(found, "run/run.json: analysis.differences: 1 stated, the attempts give 0")


def test_metrics_of_an_attempt_in_which_nobody_acted_are_told(forger):
    forger.line("attempts.jsonl", NAME, lambda it: it["detail"].__setitem__("who", {"agent": "unknown"}))
    found = forger.problems()

    assert said(found, f"run/{FOLDER}: states metrics, and nothing that was judged is behind them")
    assert said(found, f"run/{FOLDER}: was judged, and nobody is said to have acted")


def test_metrics_of_an_attempt_that_was_judged_in_part_are_told(forger):
    def twist(attempt):
        attempt["criteria"][0]["verdict"], attempt["criteria"][1]["verdict"] = "not-met", "not-reached"
        attempt |= {"outcome": "rejected", "reason": {"code": "criterion-not-met", "at": attempt["criteria"][0]["id"]}}

    forger.line("attempts.jsonl", NAME, twist)

    assert said(forger.problems(), f"run/{FOLDER}: states metrics, and nothing that was judged is behind them")


def test_a_ledger_that_says_that_no_script_stood_in_is_told(forger):
    forger.document(f"{FOLDER}/ledger.json", lambda it: it.__setitem__("fixture", False))

    assert said(forger.problems(), f"run/{FOLDER}/ledger.json: says otherwise than transcript.json who acted")


def test_an_event_beyond_what_can_be_summed_is_not_of_this_format(forger):
    def twist(ledger):
        (review,) = (event for event in ledger["events"] if event["kind"] == "review_interval")
        review["values"]["review_wall_ms"] = 2**37

    forger.document(f"{FOLDER}/ledger.json", twist)

    assert said(forger.problems(), "review_wall_ms: input should be less than or equal to 137438953471")


def test_a_plan_with_a_slot_of_an_unknown_task_is_told_in_words(forger):
    forger.document("plan.json", lambda it: it["slots"][0].__setitem__("task", "unknown"))

    assert said(forger.problems(), "run/plan.json")


@pytest.mark.rule("T94")
def test_an_audit_of_an_attempt_that_says_why_it_is_ineligible_says_so_too(forger):
    reason = {"because": "no-blinded-review", "text": "nobody has reviewed the candidate"}
    forger.line("attempts.jsonl", NAME, lambda it: it["detail"].__setitem__("ineligible", [reason]))
    forger.seal()
    sealed = open_run(forger.folder, name="run")

    whole = audit(sealed, sealed.run.source, NAME)
    assert audited(whole, NAME).split("\n") == [
        f"{NAME}: ineligible, completed; no lane is compared and nothing is claimed",
        f"{NAME}: nobody has reviewed the candidate",
    ]
    found = whole["eligibility"]
    assert isinstance(found, dict)
    assert (found["status"], found["reasons"]) == ("ineligible", [reason])
    other = audit(sealed, sealed.run.source, f"{SYMBOLS}.narrow.1")["eligibility"]
    assert isinstance(other, dict)
    assert (other["status"], "reasons" in other) == ("eligible-single-observation", False)


HEADER = {
    "study": "other",
    "manifest_sha256": "0" * 64,
    "state": "warm",
    "prompt_sha256": "0" * 64,
}


@pytest.mark.parametrize("name", HEADER)
def test_a_ledger_of_another_study_manifest_state_or_prompt_is_told(forger, name):
    for document in ("ledger.json", "observation.json"):
        forger.document(f"{FOLDER}/{document}", lambda it: it.__setitem__(name, HEADER[name]))

    assert said(forger.problems(), f"run/{FOLDER}/ledger.json: {name}: {HEADER[name]} stated, the plan gives")


def test_another_backend_is_told_wherever_it_is_stated(forger):
    forger.document("plan.json", lambda it: it["tasks"].__setitem__("backend", "chat"))

    assert said(forger.problems(), "run/run.json: facts.backend: fixture stated, the plan is for chat")


def test_a_run_that_denies_its_fixture_is_told(forger):
    forger.document("run.json", lambda it: it["facts"].__setitem__("fixture", False))
    found = forger.problems()

    assert said(found, "run/run.json: facts.fixture: the backend fixture is one")
    assert said(found, f"run/attempts.jsonl: {NAME} says otherwise than the run whether a script stood in")


def test_an_attempt_of_another_backend_is_told(forger):
    forger.line("attempts.jsonl", NAME, lambda it: it["detail"].__setitem__("backend", "chat"))

    assert said(forger.problems(), f"{NAME} is of the backend chat, the run of fixture")


def test_a_judgement_in_other_words_is_not_what_the_acceptance_tells(forger):
    def twist(events):
        (event,) = (item for item in events if item.get("criterion") == "signature")
        event["observed"] = "total(anything)"

    forger.lines(f"events/{NAME}.jsonl", twist)

    assert said(forger.problems(), f"run/{FOLDER}/acceptance.json: is not what the events judge")


def test_an_action_that_only_the_events_tell_is_told(forger):
    def more(events):
        events[0]["performed"]["action"]["input_tokens"] = 1

    forger.lines(f"events/{NAME}.jsonl", more)

    assert said(forger.problems(), f"run/events/{NAME}.jsonl: does not tell the actions that transcript.json tells")


def test_a_session_that_is_not_the_pinned_script_is_told(forger):
    bound(forger, "transcript.json", lambda it: it["actions"][0]["action"].__setitem__("input_tokens", 1))

    assert said(forger.problems(), NOT_THE_SCRIPT)


def cut_short(forger: Forger) -> None:
    """Take the last action out of whatever tells of it."""
    forger.document(f"{FOLDER}/transcript.json", lambda it: it["actions"].pop())

    def shorter(events):
        del events[max(at for at, item in enumerate(events) if item["event"] == "acted")]

    forger.lines(f"events/{NAME}.jsonl", shorter)
    forger.line("attempts.jsonl", NAME, lambda it: it["detail"].update(actions=len(GOOD[TEXT]) - 1))


def test_a_judged_session_that_ends_before_its_script_does_is_told(forger):
    cut_short(forger)

    assert said(forger.problems(), NOT_THE_SCRIPT)


def test_a_session_that_says_itself_that_it_was_cut_off_need_only_begin_as_its_script(forger):
    cut_short(forger)
    reason = {"because": "record-not-whole", "text": "it was cut off"}
    forger.line("attempts.jsonl", NAME, lambda it: it["detail"].__setitem__("ineligible", [reason]))

    assert not said(forger.problems(), NOT_THE_SCRIPT)


def test_a_judged_attempt_whose_difference_is_gone_from_all_that_names_it_is_told(forger):
    def lose(document):
        document["artifacts"] = [item for item in document["artifacts"] if item["kind"] != "unified-diff"]
        for row in document["acceptance"]:
            row["evidence"].remove("difference")

    (forger.folder / FOLDER / "candidate.diff").unlink()
    forger.line("attempts.jsonl", NAME, lambda it: it["artifacts"].remove(f"{FOLDER}/candidate.diff"))
    forger.ledger(NAME, lose)

    (problem,) = forger.problems()
    assert problem.startswith(f"run/{FOLDER}/ledger.json: artifacts: names 0 artifacts of the kind unified-diff")


def outputs(forger: Forger, change) -> None:
    def twist(events):
        (event,) = (item for item in events if item["event"] == "process")
        change(event["stdout"])

    forger.lines(f"events/{NAME}.jsonl", twist)


OUTPUTS = {
    "text": (lambda it: it.update(text="4\n"), "stdout: the digest is not that of the text, which is whole"),
    "kept": (lambda it: it.update(kept_bytes=1), "stdout: 1 kept bytes are stated, and the kept text has 2"),
    "more": (lambda it: it.update(kept_bytes=9), "stdout: 9 bytes were kept of 2"),
    "replaced": (lambda it: it.update(replaced=1), "stdout: 1 replacements are stated, and so many placeholders are"),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_that_contradicts_itself_is_told(forger, name):
    change, words = OUTPUTS[name]
    outputs(forger, change)

    assert said(forger.problems(), f"run/events/{NAME}.jsonl: line ", words)
