"""An owned service: on loopback, on a port that its attempt alone knows, gone with its attempt (R14)."""

import socket
import time
from dataclasses import replace

import pytest

from runner.contract.attempt import Outcome, ReasonCode
from runner.contract.errors import InvalidRecordError
from runner.contract.events import ProcessEvent, StartedEvent, StoppedEvent
from runner.contract.plan import Selection
from runner.contract.qualification.tasks import QualificationTasks
from runner.kinds.qualification.kind import Qualification
from runner.sandbox.ports import Listener, free_loopback_port, listener
from tests.runner.kinds.qualification.laboratory import EXIT_0, a_check, observed, of_kind, reason, step

NATS_CLIENT = """
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=60) as link:
    stream = link.makefile("rwb")
    print(stream.readline().decode()[:4])
    stream.write(b'CONNECT {"verbose":false}\\r\\nSUB notes 1\\r\\nPUB notes 5\\r\\nhello\\r\\nPING\\r\\n')
    stream.flush()
    while (line := stream.readline()) != b"PONG\\r\\n":
        print(line.decode().strip())
"""
NATS = ["nats-server", "-a", "127.0.0.1", "-p", "{port.broker}"]
PYTHON_SERVICE = "import http.server as h,sys; h.HTTPServer((sys.argv[1], int(sys.argv[2])), None).serve_forever()"


def service(*argv, **fields):
    return {"id": "serve", "do": "service", "port": "broker", "argv": list(argv), **fields}


@pytest.mark.rule("R14")
def test_a_broker_is_owned_by_its_attempt_and_gone_with_it(attempt, required_tool):
    required_tool("nats-server")
    ask = {**step("ask"), "argv": ["{python}", "-c", NATS_CLIENT, "{port.broker}"]}
    ask["expect"] = [EXIT_0, {"expect": "holds", "stream": "stdout", "text": "INFO\nMSG notes 1 5\nhello"}]
    performed = attempt(service(*NATS), ask)

    assert performed.outcome is Outcome.accepted, performed.events
    (started,) = of_kind(performed, StartedEvent)
    (stopped,) = of_kind(performed, StoppedEvent)
    assert (started.boundary, started.reached, stopped.by) == ("port broker", True, "attempt-end")
    assert "Server is ready" in stopped.stderr.text
    port = int(of_kind(performed, ProcessEvent)[0].argv[-1])
    assert listener(port, []) is Listener.nobody


@pytest.mark.rule("R14")
def test_two_attempts_never_get_the_same_port_and_not_the_users_broker(attempt, required_tool):
    required_tool("nats-server")
    with socket.socket() as users:
        users.bind(("127.0.0.1", 4222))
        users.listen()
        performed = [attempt(service(*NATS), step("say", "say", "{port.broker}")) for _ in range(2)]

    ports = {of_kind(item, ProcessEvent)[0].stdout.text.strip() for item in performed}
    assert [item.outcome for item in performed] == [Outcome.accepted] * 2
    assert len(ports) == 2
    assert "4222" not in ports


@pytest.mark.rule("R14")
def test_a_service_beyond_loopback_is_not_ready(attempt):
    performed = attempt(service("{python}", "-c", PYTHON_SERVICE, "0.0.0.0", "{port.broker}"))

    assert reason(performed) == (ReasonCode.boundary_not_reached, "serve.ready")
    assert observed(performed, "serve.ready") == Listener.exposed.value


@pytest.mark.rule("R14")
def test_a_port_that_somebody_else_listens_on_is_not_ours():
    port = free_loopback_port()
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()

        assert listener(port, []) is Listener.stranger
        assert listener(port, [1]) is Listener.stranger
    assert free_loopback_port() != port


def test_a_service_that_ends_or_never_listens_is_no_finding(attempt):
    ended = attempt(service("{command}", "exit", "3"))
    begun = time.monotonic()
    silent = attempt(service("{command}", "sleep", "600", seconds=1))

    assert observed(ended, "serve.ready") == "exit 3 before it"
    assert observed(silent, "serve.ready").startswith("still running")
    assert reason(ended) == reason(silent) == (ReasonCode.boundary_not_reached, "serve.ready")
    assert time.monotonic() - begun < 300, "its second was not its end"


def test_a_service_must_be_listed_in_the_design(laboratory):
    (tasks,) = laboratory.study.tasks.subjects
    checks = (a_check(service(*NATS), step("say", "say", "x")), *tasks.checks)
    more = QualificationTasks(subjects=(tasks.model_copy(update={"checks": checks}),))
    unlisted = replace(laboratory.study, tasks=more)
    design = unlisted.study.design.model_copy(update={"tools": ("nats-server",)})
    listed = replace(unlisted, study=unlisted.study.model_copy(update={"design": design}))

    with pytest.raises(InvalidRecordError, match=r"design.tools, \S+, steps\[0\].argv\[0\]: 'nats-server'"):
        Qualification().plan(unlisted, Selection.full)
    assert Qualification().plan(listed, Selection.full).slots
