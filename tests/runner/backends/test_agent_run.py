"""A real agent program in a real jail, with a script in place of its model: one attempt, sealed, and marked."""

import json
import os
import signal
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from runner.backends.agent_settings import AgentSettings
from runner.backends.configuration import read_configuration
from runner.backends.jailed_agent import JailedAgent
from runner.backends.performance import Performance
from runner.backends.preflight import Probe
from runner.backends.private_tools import copy_tools
from runner.backends.scripted_server import ScriptedServer
from runner.contract.attempt import Outcome, Verdict
from runner.contract.canonical import load
from runner.contract.errors import InvalidRecordError
from runner.contract.events import FaultEvent
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.contract.values import KnownUsage, UnknownUsage
from runner.errors import HumanDecisionError, SandboxError, UsageError
from runner.reading.sealed import SealedRun
from runner.sandbox.process_table import command_of, snapshot
from tests.comparisons import Tiny
from tests.runner.backends.live import acted, document, toml
from tests.runner.backends.scripts import a_script, a_turn, script_text

PROMPT = "Remove the parameter `unit` of `total`.\n\nA package.\n\nWork so."


def settings_text(program: Path | str, **more):
    return {
        "format": "sealbook.agent/1",
        "agent": "opencode",
        "program": str(program),
        "model": {"kind": "script", "script": "script.json"},
        "limits": {"seconds": 300, **more.pop("limits", {})},
        **more,
    }


def set_up(folder: Path, program: Path | str, *turns, **more) -> Path:
    """A configuration with its script, in a file."""
    (folder / "script.json").write_text(json.dumps(script_text(*turns)))
    (folder / "agent.toml").write_text(toml(settings_text(program, **more)))
    return folder / "agent.toml"


EDITS = (
    a_turn("I look.", read={"filePath": "shop/uses.py"}, expects={"last_role": "user", "says": [PROMPT]}),
    a_turn(
        "",
        edit={"filePath": "/candidate/shop/uses.py", "oldString": '(lines, "EUR")', "newString": "(lines)"},
        expects={"says": ['return total(lines, "EUR")']},
    ),
    a_turn("", read={"filePath": "/etc/hostname"}),
    a_turn("", edit={"filePath": "shop/sums.py", "oldString": "lines, unit", "newString": "lines"}),
    a_turn("All callers are changed.", expects={"last_role": "tool"}),
)


@pytest.fixture(scope="module")
def sealed(opencode, tmp_path_factory) -> SealedRun:
    """One run of the real OpenCode, which many tests look at: it takes seconds."""
    folder = tmp_path_factory.mktemp("agent")
    return acted(folder, "agent", set_up(folder, opencode, *EDITS), tier=Tier.bwrap)


def record(sealed: SealedRun, name: str) -> bytes:
    return sealed.data(f"artifacts/{sealed.attempts[0].attempt}/agent/{name}")


def test_the_real_agent_does_the_task_in_a_jail_and_is_judged_by_the_independent_check(sealed):
    (attempt,) = sealed.attempts

    assert {item.id: item.verdict for item in attempt.criteria} == dict.fromkeys(
        ("signature", "callers", "review", "authority", "meaning"), Verdict.met
    )
    assert (attempt.outcome, attempt.tier) == (Outcome.accepted, Tier.bwrap)
    assert attempt.usage == KnownUsage(requests=5, prompt_tokens=500, completion_tokens=100)


def test_its_tools_and_tokens_are_events_of_the_ledger(sealed):
    kinds = [event["kind"] for event in document(sealed, "ledger.json")["events"]]

    step = ["context_presentation", "model_usage"]
    assert kinds == [
        *(*step, "tool_call"),
        *(*step, "tool_call"),
        *(*step, "tool_call", "failed_attempt"),
        *(*step, "tool_call"),
        *step,
    ]
    assert document(sealed, "transcript.json")["claimed_outcome"] == "All callers are changed."


@pytest.mark.rule("T94", "T95")
def test_the_attempt_says_that_a_script_stood_in_for_the_model_and_why_nothing_may_be_concluded(sealed):
    (attempt,) = sealed.attempts
    assert attempt.detail.fixture
    assert sealed.run.facts.fixture
    assert [item.because.value for item in attempt.detail.ineligible] == [
        "scripted-model",
        "no-blinded-review",
        "metrics-not-mapped",
        "other-lane-missing",
        "matrix-missing",
    ]
    assert attempt.detail.observed.observation == "unusable"
    assert "stale_failures, stale_recovery_actions, validation_wall_ms" in attempt.detail.observed.reason


@pytest.mark.rule("T90", "T91", "T92")
def test_probes_run_and_export_went_through_one_saved_profile(sealed, opencode):
    profile = json.loads(record(sealed, "profile.json"))
    probes = [Probe.model_validate(item) for item in json.loads(record(sealed, "probes.json"))]

    assert (profile["tier"], profile["program_sha256"]) == ("bwrap", digest(opencode.read_bytes()))
    assert [item["at"] for item in profile["shown"] if item["writable"]] == ["/candidate", "/private"]
    private = [profile["environment"][name] for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "TMPDIR")]
    assert private == ["/private/home", "/private/data", "/private/cache", "/private/tmp"]
    assert all(item.holds for item in probes)
    ways = {item.way for item in probes}
    assert ways == {"permitted-read", "direct-read", "symlink-read", "outside-write"}
    assert {"the attempt's folder", "the runner", "where the runner was started"} <= {item.place for item in probes}


def test_nothing_of_the_machine_stands_in_the_records(sealed):
    everything = b"".join(
        record(sealed, name) for name in ("events.jsonl", "export.json", "profile.json", "probes.json")
    )
    for told in (str(Path.cwd()), str(Path.home()), os.uname().nodename, "sealbook-judge"):
        assert told.encode() not in everything or len(told) < 3, told


# ── Agents that are none, in the same jail ──────────────────────────────────────────────────────────────────────────


def a_program(folder: Path, text: str) -> Path:
    """A program that stands where an agent is expected."""
    program = folder / "program"
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return program


def acted_by(folder: Path, text: str, **more):
    configuration = set_up(folder, a_program(folder, text), a_turn("Nobody asks."), **more)
    sealed = acted(folder, "agent", configuration, tier=Tier.bwrap)
    return sealed, sealed.attempts[0]


def commands() -> set[bytes]:
    """The command lines of every process there is."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.add(path.read_bytes())
    return found


def the_process(command: str) -> int:
    """The id of the process with this command line, which is waited for."""
    until = time.monotonic() + 60
    while not (found := [pid for pid in snapshot() if command_of(pid) == command]):
        assert time.monotonic() < until, f"{command} never came"
        time.sleep(0.02)
    return found[0]


def fault(sealed: SealedRun) -> str:
    """What the runner says of the only attempt, which failed by a fault."""
    (event,) = sealed.events(sealed.attempts[0].attempt)
    assert isinstance(event, FaultEvent)
    return event.message


@pytest.mark.rule("T93")
def test_an_agent_whose_time_is_over_is_ended_with_all_that_it_started(jail, tmp_path):
    _, attempt = acted_by(tmp_path, "setsid sleep 98765 & sleep 87654", limits={"seconds": 2})

    assert attempt.outcome is Outcome.timed_out
    assert {item.verdict for item in attempt.criteria} == {Verdict.not_reached}
    assert not commands() & {b"sleep\x0098765\x00", b"sleep\x0087654\x00"}


@pytest.mark.rule("T93")
def test_an_agent_that_floods_its_output_leaves_no_whole_record_and_nothing_is_counted(jail, tmp_path):
    sealed, attempt = acted_by(tmp_path, "yes flood | head -c 3000000", limits={"output_bytes": 4096})

    assert len(record(sealed, "events.jsonl")) == 4096
    reasons = {item.because.value: item.text for item in attempt.detail.ineligible}
    assert "the agent printed 3000000 bytes, of which the first were kept" in reasons["record-not-whole"]
    assert attempt.usage == UnknownUsage(reason="the record of the session is not whole")
    assert "model_input_tokens" in attempt.detail.observed.reason


def test_an_agent_that_prints_nothing_is_judged_by_what_it_left(jail, tmp_path):
    _, attempt = acted_by(tmp_path, "sed -i 's/lines, unit/lines/' shop/sums.py; sed -i 's/, \"EUR\"//' shop/uses.py")

    assert attempt.outcome is Outcome.accepted
    reasons = {item.because.value: item.text for item in attempt.detail.ineligible}
    assert "the agent named no session that could be exported" in reasons["record-not-whole"]


def test_a_file_outside_is_not_there_for_an_agent_whatever_it_tries(jail, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("the rubric")
    before = digest(secret.read_bytes())
    tries = (
        f"cat {secret} > shop/stolen.py; ln -s {secret} link; echo changed > link; echo changed > {secret}; cat link"
    )
    sealed, attempt = acted_by(tmp_path, tries)

    assert digest(secret.read_bytes()) == before
    assert b"the rubric" not in record(sealed, "events.jsonl")
    verdicts = {item.id: item.verdict for item in attempt.criteria}
    assert verdicts["authority"] is Verdict.not_met


# ── Tools that an agent is given ────────────────────────────────────────────────────────────────────────────────────


def new_folder(path: Path) -> Path:
    path.mkdir()
    return path


def a_tool(folder: Path, text: str = "echo checked $1") -> Path:
    tool = folder / "compiler-1.2"
    tool.write_text(f"#!/bin/sh\n{text}\n")
    tool.chmod(0o755)
    return tool


@pytest.mark.rule("T89")
def test_an_agent_finds_a_tool_by_its_name_as_a_private_copy_that_it_cannot_change(jail, tmp_path):
    tool = a_tool(tmp_path)
    before = digest(tool.read_bytes())
    tries = (
        f"checker it; command -v checker; echo changed > /tools/checker; rm -f /tools/checker; cat {tool}; checker 2"
    )
    sealed, _ = acted_by(tmp_path, tries, tools={"checker": str(tool)})

    assert record(sealed, "events.jsonl") == b"checked it\n/tools/checker\nchecked 2\n"
    profile = json.loads(record(sealed, "profile.json"))
    assert profile["tools"] == [
        {"name": "checker", "bytes": tool.stat().st_size, "original_sha256": before, "copy_sha256": before}
    ]
    assert {"at": "/tools", "writable": False} in profile["shown"]
    assert str(tool) not in json.dumps(profile)
    assert digest(tool.read_bytes()) == before


@pytest.mark.rule("T89")
def test_without_a_wish_an_agent_has_no_tools_of_its_own(jail, tmp_path):
    a_tool(tmp_path)
    sealed, _ = acted_by(tmp_path, "ls /tools; command -v checker || echo none")

    assert record(sealed, "events.jsonl") == b"none\n"
    assert json.loads(record(sealed, "profile.json"))["tools"] == []


@pytest.mark.rule("T89")
def test_a_tool_that_is_changed_while_the_agent_runs_is_a_fault_and_nothing_is_judged(jail, tmp_path):
    tool = a_tool(tmp_path)
    program = a_program(tmp_path, "checker it; sleep 76543")
    configuration = set_up(tmp_path, program, a_turn("x"), tools={"checker": str(tool)})

    def change() -> None:
        agent = the_process("sleep 76543")
        tool.write_text("#!/bin/sh\necho other\n")
        os.kill(agent, signal.SIGKILL)

    with ThreadPoolExecutor() as beside:
        changed = beside.submit(change)
        sealed = acted(tmp_path, "agent", configuration, tier=Tier.bwrap)
        changed.result()
    (attempt,) = sealed.attempts

    assert fault(sealed) == (
        "SandboxError: the tool checker was changed while the agent ran; run again with one that stays"
    )
    assert {item.verdict for item in attempt.criteria} == {Verdict.not_reached}
    assert attempt.artifacts == ()


@pytest.mark.parametrize("gone", ["program", "compiler-1.2"])
def test_a_program_that_is_gone_when_the_agent_is_to_start_is_a_fault_that_names_no_path(jail, tmp_path, gone):
    settings = settings_text(a_program(tmp_path, "true"), tools={"checker": str(a_tool(tmp_path))})
    (tmp_path / gone).unlink()
    (tmp_path / "rooms").mkdir()
    with pytest.raises(SandboxError, match=r"any more|cannot be copied") as refused:
        JailedAgent(tmp_path / "rooms", tmp_path, tmp_path / "model", load(AgentSettings, settings, file="x"), "m")

    assert str(refused.value).startswith("program: " if gone == "program" else "tools.checker: ")
    assert "no such file or directory; run again with one that stays" in str(refused.value)
    assert str(tmp_path) not in str(refused.value)


def test_a_tool_in_whose_place_a_link_was_put_is_not_copied_and_what_it_leads_to_keeps_its_mode(tmp_path):
    tool = a_tool(tmp_path)
    (tmp_path / "link").symlink_to(tool)
    with pytest.raises(SandboxError, match=r"tools\.checker: cannot be copied: a symbolic link"):
        copy_tools({"checker": str(tmp_path / "link")}, new_folder(tmp_path / "tools"))

    assert stat.S_IMODE(tool.stat().st_mode) == 0o755


@pytest.mark.rule("T89")
def test_a_tool_is_named_by_its_absolute_path_and_is_an_executable_file_itself(jail, tmp_path):
    tool = a_tool(tmp_path)
    (tmp_path / "link").symlink_to(tool)
    for path, said in ((tmp_path / "link", "link"), (tmp_path / "gone", "no such file"), (tmp_path, "not a regular")):
        configuration = set_up(tmp_path, a_program(tmp_path, "true"), a_turn("x"), tools={"checker": str(path)})
        with pytest.raises(UsageError, match=f"the tool checker cannot be copied: .*{said}"):
            acted(tmp_path, "agent", configuration, tier=Tier.bwrap)
    tool.chmod(0o644)
    configuration = set_up(tmp_path, a_program(tmp_path, "true"), a_turn("x"), tools={"checker": str(tool)})
    with pytest.raises(UsageError, match="it is not executable"):
        acted(tmp_path, "agent", configuration, tier=Tier.bwrap)


@pytest.mark.rule("T91")
def test_a_jail_that_shows_what_it_must_not_is_found_by_the_probes_and_no_agent_starts(jail, tmp_path):
    work, rooms = tmp_path / "work", tmp_path / "rooms"
    work.mkdir()
    rooms.mkdir()
    settings = load(AgentSettings, settings_text(a_program(tmp_path, "echo started")), file="agent.toml")
    with ScriptedServer(Performance(a_script(a_turn("x"))), path=tmp_path / "model"):
        agent = JailedAgent(rooms, work, tmp_path / "model", settings, "scripted")
        with pytest.raises(SandboxError) as refused:
            agent.preflight({"the system": Path("/usr/share"), "the tests": Path(__file__).parent})

    assert "direct-read of the system is allowed" in str(refused.value)
    assert "symlink-read of the system is allowed" in str(refused.value)
    assert "the tests" not in str(refused.value)
    assert [*(rooms / "tmp").iterdir()] == []


# ── Before anything starts ──────────────────────────────────────────────────────────────────────────────────────────


def test_without_a_configuration_no_agent_acts(tmp_path):
    with pytest.raises(HumanDecisionError, match=r"an agent needs a configuration"):
        acted(tmp_path, "agent", None, tier=Tier.bwrap)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"program": "opencode"}, "program: string should match pattern"),
        ({"model": {"kind": "local", "name": "m", "port": 0, "tokenizer": "t", "configuration": "c"}}, "model.port"),
        ({"model": {"kind": "remote"}}, "model: input tag 'remote'"),
        ({"limits": {"seconds": 0}}, "limits.seconds"),
        ({"tools": {"cc": "gcc"}}, "tools.cc: string should match pattern"),
        ({"tools": {"-cc": "/usr/bin/cc"}}, "tools"),
        ({"network": True}, "network: extra inputs"),
    ],
)
def test_a_configuration_with_a_defect_is_refused_by_key(tmp_path, more, said):
    (tmp_path / "agent.toml").write_text(toml(settings_text("/usr/bin/true") | more).replace("True", "true"))
    with pytest.raises(InvalidRecordError) as refused:
        read_configuration(AgentSettings, tmp_path / "agent.toml", "agent.toml")
    assert said in str(refused.value).lower()


def test_a_program_and_a_script_that_are_not_there_are_named(jail, tmp_path):
    with pytest.raises(UsageError, match=r"agent.toml: /nowhere/opencode: no such file or directory"):
        acted(tmp_path, "agent", set_up(tmp_path, "/nowhere/opencode", a_turn("x")), tier=Tier.bwrap)
    (tmp_path / "linked").symlink_to("/usr/bin/true")
    with pytest.raises(UsageError, match=r"linked: "):
        acted(tmp_path, "agent", set_up(tmp_path, str(tmp_path / "linked"), a_turn("x")), tier=Tier.bwrap)
    configuration = set_up(tmp_path, "/usr/bin/true", a_turn("x"))
    (tmp_path / "script.json").unlink()
    with pytest.raises(InvalidRecordError, match=r"script.json: no such file or directory"):
        acted(tmp_path, "agent", configuration, tier=Tier.bwrap)


@pytest.mark.rule("T78")
def test_the_command_takes_the_jail_by_itself_and_refuses_less(jail, tmp_path, call, project):
    Tiny().write(project / "manifests", "compared")
    configuration = set_up(tmp_path, a_program(tmp_path, "true"), a_turn("x"))
    command = ["run", "compared", "--lane", "by-text", "--backend", "agent", "--config", configuration]

    weaker = call(*command, "--tier", "process")
    assert (weaker.code, "performed at tier bwrap, not at process" in weaker.err) == (3, True)
    done = call(*command)
    assert (done.code, "0/1 accepted, 1 rejected" in done.out) == (0, True), done.err
