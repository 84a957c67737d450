"""A live model is asked only with everything decided before, within its budget, and every request is accounted for."""

import json
from decimal import Decimal

import pytest

from runner.backends.chat_settings import ChatSettings
from runner.backends.completions import Tokens
from runner.backends.configuration import read_configuration
from runner.backends.conversation import Called, Conversation, Ended, Ending, RequestMade
from runner.backends.endpoint import Endpoint
from runner.backends.performance import Performance
from runner.backends.permission import dry_run, permit
from runner.backends.questions import question
from runner.backends.scripted_server import ScriptedServer
from runner.backends.spending import FRAME_TOKENS, Prices, in_micro_usd
from runner.contract.errors import InvalidRecordError
from runner.contract.seal import digest
from runner.contract.values import KnownUsage, UnknownUsage
from runner.errors import HumanDecisionError
from tests.runner.backends.chats import PLAN, Board, answering, http_answer, some_settings
from tests.runner.backends.scripts import ABSENT, a_script, a_turn

KEY = "sk-proj-never-to-be-seen"
DONE = '{"choices": [{"message": {"content": "Done."}}], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}'


def talk(settings: ChatSettings, board: Board | None = None, key: str | None = None):
    """Every event of a conversation, and how long was waited between its requests."""
    waited: list[int] = []
    board = board or Board()
    with Endpoint(settings, key) as endpoint:
        talk = Conversation(settings, board.tools, endpoint.ask, waited.append).events(
            "You write notes.", "Write one down."
        )
        events = [next(talk)]
        while not isinstance(events[-1], Ended):
            last = events[-1]
            events.append(talk.send(board.use(last) if isinstance(last, Called) else None))
    return events, waited


def of(kind, events):
    return [event for event in events if isinstance(event, kind)]


def test_a_conversation_uses_the_tools_it_is_asked_to_use_and_tells_what_came_of_it():
    performance = Performance(
        a_script(
            a_turn("", note={"line": "one"}, expects={"last_role": "user", "says": ["Write one down."]}),
            a_turn("Done.", expects={"last_role": "tool", "says": ["noted 1"]}, usage=ABSENT),
        )
    )
    board = Board()
    with ScriptedServer(performance) as server:
        events, _ = talk(some_settings(base_url=server.address), board)

    first, used, second, ended = events
    assert board.used == [("note", '{"line": "one"}')]
    assert first.usage == KnownUsage(requests=1, prompt_tokens=100, completion_tokens=20)
    assert first.micro_usd == 140
    assert first.sent_sha256 == digest(performance.requests[0].body)
    assert used == Called("note", '{"line": "one"}')
    assert second.usage == UnknownUsage(reason="the provider reported no usage")
    assert ended == Ended(Ending.finished, "Done.")


def test_a_request_without_reported_usage_counts_with_the_most_it_can_have_cost():
    with ScriptedServer(Performance(a_script(a_turn("Done.", usage=ABSENT)))) as server:
        (made, _), _ = talk(some_settings(base_url=server.address))

    assert made.micro_usd == (made.sent_bytes + FRAME_TOKENS) * 1 + 100 * 2


def test_a_conversation_stops_before_the_request_that_could_pass_the_budget():
    turns = [a_turn("", note={"line": "x"}, usage=ABSENT)] * 5
    with ScriptedServer(performance := Performance(a_script(*turns))) as server:
        events, _ = talk(some_settings(base_url=server.address, limits={"budget_usd": "0.004"}))

    made = of(RequestMade, events)
    assert sum(event.micro_usd for event in made) <= 4000
    assert len(performance.requests) == len(made) < 5
    assert events[-1].ending is Ending.budget
    assert "the budget is 0.004 dollars" in events[-1].why


def test_not_even_the_first_request_is_made_where_the_budget_is_too_small():
    events, _ = talk(some_settings(limits={"budget_usd": "0.000001"}))
    assert [type(event) for event in events] == [Ended]


def test_a_conversation_stops_at_its_bound_of_turns():
    with ScriptedServer(Performance(a_script(*[a_turn("", note={})] * 3))) as server:
        events, _ = talk(some_settings(base_url=server.address, limits={"turns": 2}))

    assert (len(of(RequestMade, events)), events[-1].ending) == (2, Ending.turns)


FAILURES = {
    "busy": (http_answer("wait", status="429 Too Many Requests"), "status 429: wait"),
    "down": (http_answer("", status="503 Service Unavailable"), "status 503: "),
    "cut": (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "no connection: peer closed connection"),
    "no-http": (b"hello\r\n\r\n", "no connection: illegal status line"),
    "compressed": (http_answer("x", headers="Content-Encoding: gzip\r\n"), "the answer is compressed"),
    "too-long": (http_answer("x" * 5000), "the answer has more than 4096 bytes"),
}


@pytest.mark.parametrize(("failure", "why"), FAILURES.values(), ids=FAILURES.keys())
def test_a_request_that_got_no_answer_is_made_again_as_an_event_of_its_own(failure, why):
    with answering(failure, http_answer(DONE)) as (url, asked):
        settings = some_settings(base_url=url, limits={"response_bytes": 4096})
        events, waited = talk(settings)

    first, second = of(RequestMade, events)
    assert (first.number, first.retry, second.number, second.retry) == (1, 0, 2, 1)
    assert first.failed.startswith(why)
    assert isinstance(first.usage, UnknownUsage)
    assert first.micro_usd == in_micro_usd(settings.price.most(first.sent_bytes, 100))
    assert (second.failed, second.micro_usd) == ("", 11)
    assert waited == [3]
    assert asked[0] == asked[1]


FINAL = {
    "refused": (http_answer("no such model", status="404 Not Found"), "status 404: no such model"),
    "redirected": (http_answer("", status="302 Found", headers="Location: https://example.org/\r\n"), "status 302: "),
    "no-json": (http_answer("<html>"), "the answer cannot be read: Invalid JSON"),
    "no-choices": (http_answer("{}"), "the answer cannot be read: choices: Field required"),
    "usage-beyond-every-sum": (
        http_answer(DONE.replace("7", str(2**37))),
        "the answer cannot be read: usage.prompt_tokens: Input should be less than or equal to 137438953471",
    ),
    "floating-usage": (
        http_answer(DONE.replace("7", "7.5")),
        "the answer cannot be read: usage.prompt_tokens: Input should be a valid integer",
    ),
}


@pytest.mark.parametrize(("answer", "why"), FINAL.values(), ids=FINAL.keys())
def test_an_answer_that_will_not_get_better_is_not_asked_for_again(answer, why):
    with answering(answer) as (url, _):
        events, waited = talk(some_settings(base_url=url))

    assert [type(event) for event in events] == [RequestMade, Ended]
    assert events[-1].ending is Ending.unanswered
    assert events[-1].why.startswith(why)
    assert waited == []


@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"], ids=["silent", "stuck"])
def test_an_endpoint_that_does_not_go_on_is_left_after_the_bound_of_time(begun):
    with answering(begun, hold=2) as (url, _):
        events, _ = talk(some_settings(base_url=url, limits={"retries": 0, "request_seconds": 1}))
    assert events[-1].why == "no answer within 1 s"


def test_where_nobody_listens_no_answer_comes():
    with answering() as (url, _):
        pass
    events, _ = talk(some_settings(base_url=url, limits={"retries": 0}))
    assert events[-1] == Ended(Ending.unanswered, "", "no connection: [Errno 111] Connection refused")


def test_a_half_reported_usage_is_unknown_and_not_zero():
    half = '{"choices": [{"message": {"content": "Done."}}], "usage": {"prompt_tokens": 7}}'
    with answering(http_answer(half)) as (url, _):
        events, _ = talk(some_settings(base_url=url))
    assert of(RequestMade, events)[0].usage == UnknownUsage(reason="the provider reported no usage")


def test_the_key_is_sent_and_neither_it_nor_its_base64_comes_back():
    echoed = "sk-proj-never-to-be-seen c2stcHJvai1uZXZlci10by1iZS1zZWVu"
    answer = http_answer(DONE.replace("Done.", echoed))
    refused = http_answer(f"bad key {KEY}", status="401 Unauthorized")
    with answering(answer) as (url, asked):
        settings = some_settings(base_url=url, key_variable="SOME_KEY")
        heard, _ = talk(settings, key=KEY)
    with answering(refused) as (url, _):
        turned_away, _ = talk(some_settings(base_url=url, key_variable="SOME_KEY"), key=KEY)

    assert b"authorization: Bearer sk-proj-never-to-be-seen" in asked[0].replace(b"Authorization", b"authorization")
    assert heard[-1].text == "{key} {key}"
    assert "status 401: bad key {key}" in turned_away[-1].why
    assert KEY not in repr((heard, turned_away, settings))


def test_nothing_of_the_environment_changes_where_a_request_goes(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with answering(http_answer(DONE)) as (url, _):
        events, _ = talk(some_settings(base_url=url))
    assert events[-1].ending is Ending.finished


# ── Before anything is asked ────────────────────────────────────────────────────────────────────────────────────────

BEYOND = {"base_url": "https://api.example.org/v1", "key_variable": "EXAMPLE_KEY"}
ALLOWED = {"plan_sha256": PLAN, "by": "A. Person", "on": "2026-11-30", "usd": "1"}


@pytest.mark.rule("T71")
def test_without_a_configuration_a_live_model_is_blocked_with_what_a_person_has_to_do():
    with pytest.raises(HumanDecisionError, match=r"a live model needs a configuration.*--config FILE"):
        permit(None, "", PLAN, KEY)


@pytest.mark.rule("T71")
@pytest.mark.parametrize(
    ("more", "key_is_set", "missing"),
    [
        ({}, True, ["authorization: nobody has authorized spending at scripted", f'plan_sha256 = "{PLAN}"']),
        (
            {"authorization": {**ALLOWED, "plan_sha256": "b" * 64}},
            True,
            ["that A. Person authorized on 2026-11-30 is for another plan"],
        ),
        ({"authorization": ALLOWED}, False, ["key_variable: the variable EXAMPLE_KEY is not set"]),
        ({}, False, ["nobody has authorized spending", "the variable EXAMPLE_KEY is not set"]),
    ],
    ids=["not-authorized", "another-plan", "no-key", "neither"],
)
def test_beyond_this_machine_every_missing_decision_is_named(more, key_is_set, missing):
    with pytest.raises(HumanDecisionError) as refused:
        permit(some_settings(**BEYOND, **more), "chat.toml", PLAN, KEY if key_is_set else None)
    said = "\n".join(map(str, refused.value.problems))
    assert all(part in said for part in missing), said


def test_with_every_decision_made_the_endpoint_may_be_asked():
    settings = some_settings(**BEYOND, authorization=ALLOWED)
    assert permit(settings, "chat.toml", PLAN, KEY) is settings


def test_on_this_machine_no_money_is_spent_and_nobody_is_asked():
    settings = some_settings()
    assert permit(settings, "chat.toml", PLAN, None) is settings


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://[::1]:8080/v1", True),
        ("https://localhost/v1", False),
        ("https://127.0.0.1.example.org/v1", False),
        ("https://10.0.0.1/v1", False),
        ("https://0.0.0.0/v1", False),
    ],
)
def test_only_a_loopback_address_is_this_machine(url, local):
    assert some_settings(base_url=url, key_variable="K").on_loopback is local


@pytest.mark.rule("T71")
def test_a_dry_run_shows_the_exact_request_without_the_key_and_makes_no_call():
    settings = some_settings(**BEYOND)
    shown = dry_run(settings, "You write notes.", "Write one down.", Board.tools)

    assert shown["headers"]["authorization"] == "Bearer {EXAMPLE_KEY}"
    assert (shown["method"], shown["url"]) == ("POST", "https://api.example.org/v1/chat/completions")
    with answering(http_answer(DONE)) as (url, asked):
        talk(some_settings(base_url=url))
    head, _, sent = asked[0].partition(b"\r\n\r\n")
    assert (json.loads(sent), digest(sent)) == (shown["body"], shown["body_sha256"])
    lines = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:])
    assert lines.keys() - {"host", "content-length"} == shown["headers"].keys() - {"authorization"}


def test_decoding_settings_are_sent_as_declared_and_what_is_left_out_is_not_sent():
    full = {"temperature": "0", "top_p": "0.95", "seed": 7, "limit_field": "max_completion_tokens"}
    asked = json.loads(question("m", some_settings(decoding=full).decoding, [], []))
    assert asked == {
        "model": "m",
        "messages": [],
        "temperature": 0.0,
        "top_p": 0.95,
        "seed": 7,
        "max_completion_tokens": 100,
    }
    least = some_settings(decoding={"temperature": None}).decoding
    assert json.loads(question("m", least, [], [])) == {"model": "m", "messages": [], "max_tokens": 100}


def test_costs_are_exact_and_rounded_up():
    prices = Prices(Decimal("0.15"), Decimal("0.6"))
    assert in_micro_usd(prices.cost(Tokens(1, 0))) == 1
    assert in_micro_usd(prices.cost(Tokens(1_000_000, 1_000_000))) == 750_000
    assert sum([prices.cost(Tokens(1, 1))] * 1000) == Decimal("0.00075")


WHOLE = """
format = "sealbook.chat/1"
provider = "Example"
base_url = "https://api.example.org/v1"
model = "example-1-2026-08-01"
tokenizer = "as the provider counts"
key_variable = "EXAMPLE_KEY"

[decoding]
temperature = "0"
max_completion_tokens = 4096

[prices]
prompt_usd = "0.15"
completion_usd = "0.60"

[limits]
budget_usd = "2.00"
"""


def test_a_configuration_is_read_from_toml(tmp_path):
    (tmp_path / "chat.toml").write_text(WHOLE)
    settings = read_configuration(ChatSettings, tmp_path / "chat.toml", "chat.toml")
    assert (settings.url, settings.limits.turns) == ("https://api.example.org/v1/chat/completions", 50)


DEFECTS = {
    "latest": ('model = "example-1-2026-08-01"', 'model = "example-latest"', "model: a model needs a name that means"),
    "float": ('temperature = "0"', "temperature = 0.5", "decoding.temperature: 0.5 is a float"),
    "no-budget": ('budget_usd = "2.00"', "", "limits.budget_usd: field required"),
    "negative": ('prompt_usd = "0.15"', 'prompt_usd = "-1"', "prices.prompt_usd"),
    "plain-http": ("https://", "http://", "asked by https:// only; this machine is 127.0.0.1"),
    "no-key": ('key_variable = "EXAMPLE_KEY"', "", "needs key_variable, the name of the variable with its key"),
    "key-itself": ('"EXAMPLE_KEY"', '"sk-proj-abc"', "key_variable: string should match pattern"),
    "key-in-url": ("https://api", "https://me:secret@api", "base_url: a base URL holds no account, query or fragment"),
    "port": ("example.org/v1", "example.org:99999/v1", "base_url: port out of range"),
    "unknown": ("[prices]", '[prices]\ncached_usd = "1"', "prices.cached_usd: extra inputs"),
}


@pytest.mark.parametrize(("old", "new", "said"), DEFECTS.values(), ids=DEFECTS.keys())
def test_a_configuration_with_a_defect_is_refused_by_key(tmp_path, old, new, said):
    assert old in WHOLE
    (tmp_path / "chat.toml").write_text(WHOLE.replace(old, new))
    with pytest.raises(InvalidRecordError) as refused:
        read_configuration(ChatSettings, tmp_path / "chat.toml", "chat.toml")
    assert said in str(refused.value)


def test_all_defects_of_a_configuration_are_told_at_once(tmp_path):
    broken = WHOLE.replace('"2.00"', '"much"').replace("4096", "0").replace("example-1-", "latest-")
    (tmp_path / "chat.toml").write_text(broken)
    with pytest.raises(InvalidRecordError) as refused:
        read_configuration(ChatSettings, tmp_path / "chat.toml", "chat.toml")
    assert [problem.where for problem in refused.value.problems] == [
        "model",
        "decoding.max_completion_tokens",
        "limits.budget_usd",
    ]
