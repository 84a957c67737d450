"""A model behind an endpoint acts in a run: its tools are the lane's, the runner uses them, all is accounted for."""

import json

import pytest

from runner.backends.performance import Performance
from runner.backends.scripted_server import ScriptedServer
from runner.contract.attempt import Outcome, Verdict
from runner.contract.seal import digest
from runner.contract.values import KnownUsage, UnknownUsage
from runner.errors import HumanDecisionError
from runner.kinds.comparison.kind import Comparison
from tests.comparisons import GOOD, INSPECTION, SYMBOLS, Tiny
from tests.runner.backends.chats import settings_text
from tests.runner.backends.live import acted, document, toml
from tests.runner.backends.scripts import ABSENT, a_script, a_turn

FIRST = {"path": "shop/sums.py", "old": "lines, unit", "new": "lines"}
DRIFTING = Tiny(drift=True, sessions={lane: (INSPECTION, *GOOD[lane]) for lane in GOOD})
SECOND = {"path": "shop/uses.py", "old": '(lines, "EUR")', "new": "(lines)"}


def chatted(folder, *turns, more=None, **options):
    """A run in which a scripted endpoint says these turns."""
    folder.mkdir(exist_ok=True)
    performance = Performance(a_script(*turns))
    with ScriptedServer(performance) as server:
        (folder / "chat.toml").write_text(toml(settings_text(base_url=server.address, **(more or {}))))
        sealed = acted(folder, "chat", folder / "chat.toml", **options)
    return sealed, performance


def kinds(sealed):
    return [event["kind"] for event in document(sealed, "ledger.json")["events"]]


@pytest.mark.rule("T69")
def test_a_model_that_edits_the_files_is_judged_by_the_same_check_and_every_byte_is_counted(tmp_path):
    sealed, performance = chatted(
        tmp_path,
        a_turn("", list_files={}, expects={"last_role": "user", "says": ["Remove the parameter", "Work so."]}),
        a_turn("", read_file={"path": "shop/uses.py"}, expects={"last_role": "tool", "says": ["shop/sums.py"]}),
        a_turn("", replace_text=FIRST, expects={"says": ['return total(lines, "EUR")']}),
        a_turn("", replace_text=SECOND, expects={"says": ["done"]}),
        a_turn("It is done.", expects={"says": ["done"]}),
    )

    (attempt,) = sealed.attempts
    assert attempt.outcome is Outcome.accepted
    assert attempt.usage == KnownUsage(requests=5, prompt_tokens=500, completion_tokens=100)
    events = document(sealed, "ledger.json")["events"]
    shown = [event["values"]["presented_context_bytes"] for event in events if event["kind"] == "context_presentation"]
    assert shown == [len(request.body) for request in performance.requests]
    traffic = [event["values"]["tool_response_bytes"] for event in events if event["kind"] == "tool_call"]
    assert traffic[2:] == [len("done"), len("done")]
    lines = sealed.data(f"artifacts/{attempt.attempt}/chat/requests.jsonl").decode().splitlines()
    assert [json.loads(line)["micro_usd"] for line in lines] == [140] * 5


def test_the_lane_by_symbol_is_offered_operations_on_symbols_and_nothing_else(tmp_path):
    removed = {"path": "shop/sums.py", "symbol": "total", "name": "unit"}
    sealed, performance = chatted(tmp_path, a_turn("", remove_parameter=removed), a_turn("Done."), lane=SYMBOLS)

    assert sealed.attempts[0].outcome is Outcome.accepted
    offered = [item["function"]["name"] for item in json.loads(performance.requests[0].body)["tools"]]
    reading = ["list_files", "read_file", "report_stale"]
    assert offered == [*reading, "rename_symbol", "add_parameter", "remove_parameter"]


def test_a_drift_under_the_model_is_noticed_and_recovered_from_by_its_own_calls(tmp_path):
    sealed, _ = chatted(
        tmp_path,
        a_turn("", read_file={"path": "shop/uses.py"}),
        a_turn("", replace_text=SECOND, expects={"says": ['total(lines, "EUR")']}),
        a_turn("", report_stale={"path": "shop/uses.py"}, expects={"says": ["not done: shop/uses.py is not what"]}),
        a_turn("", read_file={"path": "shop/uses.py"}),
        a_turn("", replace_text=SECOND, expects={"says": ["def first"]}),
        a_turn("", replace_text=FIRST),
        a_turn("Done."),
        tiny=DRIFTING,
    )

    (attempt,) = sealed.attempts
    assert (attempt.outcome, attempt.detail.drift_applications) == (Outcome.accepted, 1)
    assert [kind for kind in kinds(sealed) if kind not in ("context_presentation", "model_usage", "tool_call")] == [
        "failed_attempt",
        "stale_failure",
        "stale_recovery_action",
    ]


def test_a_model_that_does_not_say_that_it_noticed_has_not_noticed(tmp_path):
    sealed, _ = chatted(
        tmp_path,
        a_turn("", read_file={"path": "shop/uses.py"}),
        a_turn("", replace_text=FIRST),
        a_turn("", replace_text=SECOND),
        a_turn("", read_file={"path": "shop/uses.py"}, expects={"says": ["not done: shop/uses.py is not what"]}),
        a_turn("", replace_text=SECOND),
        a_turn("Done."),
        tiny=DRIFTING,
    )

    verdicts = {item.id: item.verdict for item in sealed.attempts[0].criteria}
    assert verdicts["stale-detection"] is Verdict.not_met
    assert verdicts["callers"] is Verdict.met


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("write_text", {"path": "../outside.py", "content": "x"}, "not done: a path with an empty part"),
        ("write_text", {"path": "shop/sums.py"}, "not done: content: field required"),
        ("read_file", {"path": "/etc/passwd"}, "not read: absolute"),
        ("read_file", {}, "not done: path: a text is needed"),
        ("replace_text", {**FIRST, "old": "absent"}, "not done: the text stands there 0 times"),
    ],
)
def test_a_call_that_is_turned_down_is_told_and_counts_as_a_failed_attempt(tmp_path, tool, arguments, told):
    call = a_turn("", **{tool: arguments})
    sealed, _ = chatted(tmp_path, call, a_turn("I see.", expects={"says": [told]}))

    assert kinds(sealed).count("failed_attempt") == 1
    assert sealed.attempts[0].outcome is Outcome.rejected


def test_usage_that_is_not_reported_makes_the_metrics_unavailable_and_the_attempt_says_why(tmp_path):
    sealed, _ = chatted(tmp_path, a_turn("Done.", usage=ABSENT))

    (attempt,) = sealed.attempts
    assert isinstance(attempt.usage, UnknownUsage)
    assert attempt.detail.observed.observation == "unusable"
    metrics = document(sealed, "observation.json")["metrics"]
    assert metrics["model_input_tokens"]["status"] == "unavailable"
    assert metrics["presented_context_bytes"]["status"] == "observed"
    assert "no-blinded-review" in [item.because.value for item in attempt.detail.ineligible]


def test_the_budget_ends_an_attempt_and_what_was_done_until_then_is_judged(tmp_path):
    more = {"limits": {"budget_usd": "0.02"}}
    turns = [a_turn("", list_files={}, usage=ABSENT) for _ in range(9)]
    sealed, performance = chatted(tmp_path, *turns, more=more)

    assert 0 < len(performance.requests) < 9
    ending = document(sealed, "chat/ending.jsonl")
    assert ending["ending"] == "budget"
    assert "the budget is 0.02 dollars" in ending["why"]
    assert document(sealed, "transcript.json")["claimed_outcome"] is None, "the runner's words are no claim of a model"
    assert sealed.attempts[0].outcome is Outcome.rejected


@pytest.mark.rule("T71")
def test_without_a_configuration_no_run_begins(tmp_path):
    with pytest.raises(HumanDecisionError, match=r"a live model needs a configuration"):
        acted(tmp_path, "chat", None)
    assert not (tmp_path / ".sealbook").exists()


@pytest.mark.rule("T71")
def test_a_dry_run_prints_every_first_request_and_calls_nobody(tmp_path, call, project):
    Tiny().write(project / "manifests", "compared")
    settings = settings_text(base_url="https://api.example.org/v1", key_variable="SOME_KEY_THAT_IS_NOT_SET")
    (tmp_path / "chat.toml").write_text(toml(settings))
    backend = ["--backend", "chat", "--config", tmp_path / "chat.toml"]

    shown = call("run", "compared", *backend, "--dry-run").json
    refused = call("run", "compared", *backend)

    assert (shown["network_calls_made"], len(shown["requests"])) == (0, 2)
    assert shown["requests"][0]["headers"]["authorization"] == "Bearer {SOME_KEY_THAT_IS_NOT_SET}"
    assert refused.code == 3
    assert f'plan_sha256 = "{shown["plan_sha256"]}"' in refused.err
    assert "the variable SOME_KEY_THAT_IS_NOT_SET is not set" in refused.err
    assert not (project / ".sealbook" / "runs").exists()


def test_the_configuration_is_among_what_a_run_is_held_to(tmp_path):
    frozen = Tiny().read(tmp_path / "manifests")
    path = tmp_path / "chat.toml"
    path.write_text(toml(settings_text()))
    facts = Comparison(backend="chat", configuration=path).facts(frozen, tmp_path)

    assert [(item.path, item.sha256) for item in facts.inputs] == [("configuration", digest(path.read_bytes()))]


def test_a_conversation_that_broke_off_is_not_counted_as_whole(tmp_path):
    sealed, _ = chatted(tmp_path, a_turn("", list_files={}), more={"limits": {"retries": 0}})
    (attempt,) = sealed.attempts
    why = {item.because.value: item.text for item in attempt.detail.ineligible}

    assert attempt.detail.observed.observation == "unusable"
    assert "status" in why["record-not-whole"]
    assert "tool_calls: the record is not whole" in why["metrics-not-mapped"]
    assert document(sealed, "chat/ending.jsonl")["ending"] == "unanswered"


def test_keys_that_were_taken_out_of_a_conversation_are_counted(tmp_path):
    key = "sk-" + "a1" * 12
    plain, _ = chatted(tmp_path / "one", a_turn("The key is a secret."))
    sealed, _ = chatted(tmp_path / "two", a_turn(f"The key is {key}."))

    assert document(sealed, "transcript.json")["claimed_outcome"] == "The key is {secret}."
    assert sealed.run.replaced == plain.run.replaced + 1
