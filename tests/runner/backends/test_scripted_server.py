"""A script is served as written, to clients as they are, and whatever it does not expect is refused and recorded."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from runner.backends.performance import Performance
from runner.backends.scripted_server import MAX_REQUEST_BYTES, ScriptedServer
from runner.errors import BackendError
from tests.runner.backends.scripts import ABSENT, a_request, a_script, a_turn, script_text


@pytest.fixture
def serve():
    """Serve scripts for the length of a test: `serve(script)` gives a client and the performance."""
    opened = []

    def start(*turns, **more):
        performance = Performance(a_script(*turns, **more))
        server = ScriptedServer(performance)
        server.__enter__()
        client = httpx.Client(base_url=server.address, trust_env=False, timeout=60)
        opened.append((server, client))
        return client, performance

    yield start
    for server, client in opened:
        client.close()
        server.__exit__(None, None, None)


def became(performance: Performance) -> list[str]:
    return [request.became for request in performance.requests]


def test_turns_are_said_in_order_with_their_calls_and_their_usage(serve):
    client, performance = serve(
        a_turn("I look.", read={"path": "a.py"}), a_turn("Done.", expects={"last_role": "tool"}, usage=ABSENT)
    )

    first = client.post("/chat/completions", json=a_request(tools=("read",))).json()
    second = client.post("/chat/completions", json=a_request(("tool", "1: x"), tools=("read",))).json()

    message = first["choices"][0]["message"]
    assert message["content"] == "I look."
    assert message["tool_calls"][0]["function"] == {"name": "read", "arguments": '{"path": "a.py"}'}
    assert first["choices"][0]["finish_reason"] == "tool_calls"
    assert first["usage"] == {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    assert second["choices"][0] == {
        "index": 0,
        "message": {"role": "assistant", "content": "Done."},
        "finish_reason": "stop",
    }
    assert "usage" not in second
    assert (became(performance), performance.unsaid) == (["turn 1", "turn 2"], 0)


def test_a_stream_carries_the_same_answer_and_the_usage_only_where_it_was_wanted(serve):
    turn = a_turn("I look.", read={"path": "a.py"})
    client, _ = serve(turn, turn)

    def events(**more):
        response = client.post("/chat/completions", json=a_request(tools=("read",), stream=True, **more))
        assert response.headers["content-type"] == "text/event-stream"
        *lines, last = [line.removeprefix("data: ") for line in response.text.split("\n\n") if line]
        assert last == "[DONE]"
        return [json.loads(line) for line in lines]

    with_usage, without = events(stream_options={"include_usage": True}), events()
    deltas = [event["choices"][0]["delta"] for event in without]
    assert "".join(delta.get("content", "") for delta in deltas) == "I look."
    assert [call["function"]["name"] for delta in deltas for call in delta.get("tool_calls", ())] == ["read"]
    assert without[-1]["choices"][0]["finish_reason"] == "tool_calls"
    assert with_usage[-1]["usage"]["total_tokens"] == 120
    assert not any("usage" in event for event in without)


@pytest.mark.parametrize(
    ("request_body", "why"),
    [
        (a_request(model="another"), "the model is 'another', the script is of 'scripted'"),
        (a_request(("assistant", "I")), "turn 1: the last message is of the assistant, expected user"),
        (a_request(("user", "hello")), "turn 1: the last message does not say 'rename'"),
        (a_request(("user", "rename it"), tools=("write",)), "turn 1: the tool read is not offered"),
    ],
    ids=["model", "role", "text", "tool"],
)
def test_what_the_script_does_not_expect_is_refused_and_the_script_stays_where_it_is(serve, request_body, why):
    expects = {"last_role": "user", "says": ["rename"]}
    client, performance = serve(a_turn("I look.", expects=expects, read={}))

    refused = client.post("/chat/completions", json=request_body)
    expected = client.post("/chat/completions", json=a_request(("user", "rename it"), tools=("read",)))

    assert (refused.status_code, expected.status_code) == (400, 200)
    assert why in refused.json()["error"]["message"]
    assert refused.json()["error"]["type"] == "off_script"
    assert became(performance) == ["refused", "turn 1"]


def test_a_request_after_the_last_turn_is_refused(serve):
    client, performance = serve(a_turn("Done."))
    client.post("/chat/completions", json=a_request())

    refused = client.post("/chat/completions", json=a_request())

    assert "the script ends after 1 turns, and this is one more request" in refused.json()["error"]["message"]
    assert performance.requests[1].why == ("the script ends after 1 turns, and this is one more request",)


def test_requests_beside_the_conversation_are_answered_and_take_no_turn(serve):
    aside = {"opens_with": "You are a title generator", "text": "A title", "usage": ABSENT}
    client, performance = serve(a_turn("Done."), asides=[aside])
    title = a_request(("system", "You are a title generator. Be short."), ("user", "hello"))

    assert client.post("/chat/completions", json=title).json()["choices"][0]["message"]["content"] == "A title"
    client.post("/chat/completions", json=a_request())
    client.post("/chat/completions", json=title)

    assert became(performance) == ["aside 1", "turn 1", "aside 2"]


@pytest.mark.parametrize(
    ("method", "path", "status", "why"),
    [
        ("GET", "/embeddings", 404, "there is no /v1/embeddings"),
        ("POST", "/models", 405, "/v1/models takes GET, not POST"),
        ("GET", "/chat/completions", 405, "/v1/chat/completions takes POST, not GET"),
    ],
)
def test_what_a_script_is_not_served_at_is_refused(serve, method, path, status, why):
    client, performance = serve(a_turn("Done."))

    refused = client.request(method, path)

    assert (refused.status_code, performance.unsaid) == (status, 1)
    assert why in refused.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"{", "EOF while parsing an object"),
        (b'{"model": "scripted"}', "messages: Field required"),
        (b'{"model": 3, "messages": []}', "model: Input should be a valid string; messages: List should have at least"),
        (b"\xff", "invalid"),
    ],
)
def test_a_request_that_cannot_be_read_is_refused_with_everything_that_is_wrong(serve, body, why):
    client, _ = serve(a_turn("Done."))

    refused = client.post("/chat/completions", content=body)

    assert refused.status_code == 400
    assert why.lower() in refused.json()["error"]["message"].lower()


def test_a_request_that_is_too_long_is_refused_unread(serve):
    client, performance = serve(a_turn("Done."))
    connection = http.client.HTTPConnection("127.0.0.1", client.base_url.port, timeout=60)

    connection.request("POST", "/v1/chat/completions", headers={"Content-Length": str(MAX_REQUEST_BYTES + 1)})

    assert connection.getresponse().status == 413
    assert performance.requests[0].body == b""
    connection.close()


def test_the_models_are_listed_and_nothing_tells_of_this_machine_or_of_the_time(serve):
    client, _ = serve(a_turn("Done."))

    answered = client.get("/models")

    assert [item["id"] for item in answered.json()["data"]] == ["scripted"]
    assert answered.headers["server"] == "sealbook-script"
    assert answered.headers["date"] == "Thu, 01 Jan 1970 00:00:00 GMT"


def test_two_showings_of_a_script_give_the_same_bytes(serve):
    turns = (a_turn("I look.", read={"path": "a.py"}), a_turn("Done."))
    bodies = [a_request(tools=("read",), stream=True), a_request(tools=("read",))]

    def shown():
        client, _ = serve(*turns)
        return [client.post("/chat/completions", json=body).content for body in bodies]

    assert shown() == shown()


def test_many_clients_at_once_get_each_turn_once(serve):
    client, performance = serve(*(a_turn(f"turn {number}") for number in range(1, 21)))
    heard = []

    def ask():
        for _ in range(5):
            answer = client.post("/chat/completions", json=a_request()).json()
            heard.append(answer["choices"][0]["message"]["content"])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(heard) == sorted(f"turn {number}" for number in range(1, 21))
    assert became(performance) == [f"turn {number}" for number in range(1, 21)]


def test_a_script_is_served_on_a_unix_socket_that_is_gone_afterwards(tmp_path):
    path = tmp_path / "model"
    with ScriptedServer(Performance(a_script(a_turn("Done."))), path=path) as server:
        transport = httpx.HTTPTransport(uds=str(path))
        with httpx.Client(base_url="http://script/v1", transport=transport, trust_env=False, timeout=60) as client:
            answer = client.post("/chat/completions", json=a_request()).json()
        assert server.address == str(path)
    assert answer["choices"][0]["message"]["content"] == "Done."
    assert not path.exists()


def test_a_port_in_use_and_a_path_that_exists_are_refused_with_a_reason(tmp_path):
    (tmp_path / "taken").write_text("")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BackendError, match=f"127.0.0.1:{port}: cannot listen: address already in use"):
            ScriptedServer(Performance(a_script(a_turn("x"))), port=port)
    with pytest.raises(BackendError, match="cannot listen: address already in use; give a path that is free"):
        ScriptedServer(Performance(a_script(a_turn("x"))), path=tmp_path / "taken")
    assert (tmp_path / "taken").exists()


# ── The command ─────────────────────────────────────────────────────────────────────────────────────────────────────


def command(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    line = [sys.executable, "-m", "sealbook", "serve-script", *arguments]
    return subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def asked(address: str, *bodies: dict[str, object]) -> None:
    with httpx.Client(
        base_url=address, trust_env=False, timeout=60, headers={"Authorization": "Bearer do-not-keep"}
    ) as client:
        for body in bodies:
            client.post("/chat/completions", json=body)


def test_the_command_serves_until_stopped_and_records_what_was_asked_without_headers(tmp_path):
    (tmp_path / "s.json").write_text(json.dumps(script_text(a_turn("Hello."))))
    started = command(tmp_path, "s.json", "--record", "asked.jsonl")
    assert started.stdout is not None
    address = started.stdout.readline().strip()
    asked(address, a_request(("user", "Grüße")))
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=120)

    assert (started.returncode, err) == (0, "1  POST /v1/chat/completions  turn 1\n")
    (line,) = (tmp_path / "asked.jsonl").read_text().splitlines()
    assert json.loads(line)["body"]["messages"][0]["content"] == "Grüße"
    assert "do-not-keep" not in line


def test_the_command_ends_with_1_and_says_what_was_off_the_script(tmp_path):
    (tmp_path / "s.json").write_text(json.dumps(script_text(a_turn("Hello."), a_turn("Bye."))))
    started = command(tmp_path, "s.json")
    assert started.stdout is not None
    asked(started.stdout.readline().strip(), a_request(model="other"))
    started.terminate()
    _, err = started.communicate(timeout=120)

    assert started.returncode == 1
    _, off_script, unsaid = err.splitlines()
    assert off_script.startswith("sealbook: s.json: request 1: the model is 'other', the script is of 'scripted'; see")
    assert unsaid.startswith("sealbook: s.json: turns: 2 turns at its end were never asked for; shorten the script")


DEFECTS = {
    "not-json": ("{", ["expecting property name", "correct it"]),
    "a-turn-that-says-nothing": (
        json.dumps(script_text({"usage": {"usage": "absent"}})),
        ["turns[0]: a turn says a text, calls a tool, or both; correct it"],
    ),
    "two-things": (
        json.dumps(script_text(a_turn("x", usage={"usage": "free"}), format="sealbook.script/2")),
        ["format: input should be 'sealbook.script/1'", "turns[0].usage"],
    ),
    "unknown-field": (json.dumps(script_text(a_turn("x"), temperature=1)), ["temperature: extra inputs"]),
    "no-turns": (json.dumps(script_text()), ["turns: tuple should have at least 1 item"]),
}


@pytest.mark.parametrize(("text", "said"), DEFECTS.values(), ids=DEFECTS.keys())
def test_a_script_with_a_defect_is_refused_before_anything_listens(call, tmp_path, text, said):
    (tmp_path / "s.json").write_text(text)

    ended = call("serve-script", tmp_path / "s.json")

    assert (ended.code, ended.out) == (1, "")
    assert all(part in ended.err for part in said), ended.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["absent.json"], 1, "absent.json: no such file or directory; name a script that can be read"),
        (["."], 1, "not a regular file"),
        (["s.json", "--port", "70000"], 2, "--port"),
        (["s.json", "--port", "8080", "--socket", "x"], 2, "--port and --socket exclude each other"),
        (["s.json", "--record", "s.json"], 3, "s.json: cannot write the record: file exists; give another file"),
        (["s.json", "--socket", "s.json"], 3, "s.json: cannot listen: address already in use"),
        (["s.json", "--socket", "n" * 200], 3, "cannot listen: af_unix path too long"),
    ],
)
def test_what_cannot_be_served_gets_a_line(call, tmp_path, monkeypatch, arguments, code, said):
    monkeypatch.chdir(tmp_path)
    text = json.dumps(script_text(a_turn("x")))
    (tmp_path / "s.json").write_text(text)

    ended = call("serve-script", *arguments)

    assert (ended.code, said in ended.err) == (code, True), ended.err
    assert (tmp_path / "s.json").read_text() == text
