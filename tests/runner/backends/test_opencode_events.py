"""What OpenCode prints is read strictly: what is counted was reported, and what is not understood makes no zero."""

import json
from pathlib import Path

import pytest

from runner.backends.eligibility import ineligible
from runner.backends.opencode import configuration
from runner.backends.opencode_events import disagreements, read_events
from runner.backends.session_actions import actions_of, unwatched, usage_of, watched
from runner.contract.comparison.detail import IneligibleBecause
from runner.contract.comparison.metrics import Stream
from runner.contract.values import KnownUsage, UnknownUsage

RECORDED = Path(__file__).parent / "recorded"
EVENTS = (RECORDED / "opencode-events.jsonl").read_bytes()
EXPORT = (RECORDED / "opencode-export.json").read_bytes()

REFUSED = next(
    part["state"]["error"]
    for message in json.loads(EXPORT)["messages"]
    for part in message["parts"]
    if part["type"] == "tool" and part["state"]["status"] == "error"
)
SHOWN = (
    "<path>/candidate/hello.py</path>\n<type>file</type>\n<content>\n"
    '1: print("hello")\n\n(End of file - total 1 lines)\n</content>'
)
EDIT = '{"filePath":"hello.py","newString":"goodbye","oldString":"hello"}'


def said(actions):
    """Actions without the names of their fields."""
    return [tuple(value for value in action.model_dump().values() if value is not None) for action in actions]


def changed(change) -> bytes:
    """The recorded events with one of them changed, or dropped where the change gives nothing."""
    lines = []
    for line in EVENTS.splitlines():
        event = change(json.loads(line))
        if event is not None:
            lines.append(json.dumps(event).encode())
    return b"\n".join(lines)


def without_usage(event):
    """A step as OpenCode reports it where the provider said nothing of tokens: zeros, and no total."""
    if event["type"] == "step_finish":
        event["part"]["tokens"] = {"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}}
    return event


def test_a_recorded_session_becomes_actions_in_order():
    session = read_events(EVENTS)

    assert (session.errors, session.strange) == ((), ())
    assert session.last_words == "The greeting is changed."
    assert said(actions_of(session, [1000, 1100, 1200])) == [
        ("context_presentation", 1000),
        ("model_usage", 100, 20),
        ("tool_call", "read", len('{"filePath":"/etc/hostname"}'), len(REFUSED)),
        ("failed_attempt",),
        ("tool_call", "read", len('{"filePath":"hello.py"}'), len(SHOWN)),
        ("context_presentation", 1100),
        ("model_usage", 150, 30),
        ("tool_call", "edit", len(EDIT), len("Edit applied successfully.")),
        ("context_presentation", 1200),
        ("model_usage", 200, 5),
    ]
    assert usage_of(session, ()) == KnownUsage(requests=3, prompt_tokens=450, completion_tokens=55)
    assert disagreements(session, EXPORT) == ()


def test_usage_that_was_not_reported_is_unknown_although_the_counters_say_zero():
    session = read_events(changed(without_usage))

    assert not any(action[0] == "model_usage" for action in said(actions_of(session, None)))
    assert isinstance(usage_of(session, ()), UnknownUsage)
    assert Stream.model_usage not in watched(session, None)
    assert "did not report" in unwatched(session, None)[Stream.model_usage]


def test_usage_whose_parts_do_not_sum_up_is_unknown():
    def one_more(event):
        if event["type"] == "step_finish":
            event["part"]["tokens"]["total"] += 1
        return event

    assert isinstance(usage_of(read_events(changed(one_more)), ()), UnknownUsage)


def test_usage_beyond_what_can_be_summed_is_kept_apart():
    def vast(event):
        if event["type"] == "step_finish":
            tokens = {"total": 2**37, "input": 2**36, "output": 0, "reasoning": 0, "cache": {"read": 2**36, "write": 0}}
            event["part"]["tokens"] = tokens
        return event

    session = read_events(changed(vast))
    assert len(session.strange) == 3
    assert session.strange[0].endswith("the tokens of one step come to more than 137438953471")


def test_cached_and_reasoning_tokens_are_counted():
    def cached(event):
        if event["type"] == "step_finish":
            tokens = {"total": 27, "input": 5, "output": 2, "reasoning": 3, "cache": {"read": 7, "write": 10}}
            event["part"]["tokens"] = tokens
        return event

    usage = usage_of(read_events(changed(cached)), ())
    assert usage == KnownUsage(requests=3, prompt_tokens=66, completion_tokens=15)


def test_shown_bytes_are_watched_only_where_every_request_was_seen():
    session = read_events(EVENTS)
    assert Stream.context_presentation in watched(session, [1, 2, 3])
    assert Stream.context_presentation not in watched(session, [1, 2])
    assert Stream.context_presentation not in watched(session, None)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"not json", "line 12: invalid json"),
        (b'{"type": "tool_telepathy", "sessionID": "s"}', "line 12: "),
        (b'{"type": "step_finish", "sessionID": "s", "part": {"type": "step-finish", "id": "x"}}', "line 12: "),
        (b'{"type": "error", "sessionID": "another", "error": {"name": "X"}}', "events of 2 sessions"),
    ],
)
def test_a_line_that_is_not_understood_is_kept_apart(line, told):
    session = read_events(EVENTS + line + b"\n")
    assert [item[: len(told)] for item in session.strange] == [told]
    assert len(session.parts) == 8


def test_an_error_of_the_model_is_told_in_its_words():
    error = {"name": "APIError", "data": {"message": "off the script", "responseBody": "much more"}}
    event = {"type": "error", "sessionID": read_events(EVENTS).id, "error": error}
    session = read_events(EVENTS + json.dumps(event).encode())
    assert session.errors == ("APIError: off the script",)


def test_nothing_at_all_is_no_session():
    session = read_events(b"")
    assert (session.id, session.parts, session.last_words) == (None, (), None)
    assert isinstance(usage_of(session, ()), UnknownUsage)


def dropped(kind):
    return lambda event: None if event["type"] == kind else event


def edited(event):
    if event["type"] == "tool_use" and event["part"]["tool"] == "edit":
        event["part"]["state"]["output"] = "Something else."
    return event


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (dropped("tool_use"), "the events lack tool "),
        (dropped("step_finish"), "the events lack step-finish "),
        (edited, "tool "),
    ],
)
def test_events_that_differ_from_the_export_are_told_part_by_part(change, told):
    wrong = disagreements(read_events(changed(change)), EXPORT)
    assert wrong
    assert all(item.startswith(told) for item in wrong)


def test_an_export_that_lacks_a_part_or_is_of_another_session_or_is_none_is_told():
    session = read_events(EVENTS)
    export = json.loads(EXPORT)
    export["info"]["id"] = "another"
    export["messages"][-1]["parts"] = []
    wrong = disagreements(session, json.dumps(export).encode())
    assert wrong[0] == "the export is of another session"
    assert [item.split()[:3] for item in wrong[1:]] == [["the", "export", "lacks"]] * 2
    assert disagreements(session, b"Exporting")[0].startswith("the export cannot be read: invalid json")


@pytest.mark.rule("T94")
def test_an_attempt_of_an_agent_is_ineligible_for_every_reason_that_holds():
    session = read_events(EVENTS)
    streams = watched(session, [1, 2, 3])
    found = ineligible(
        scripted=True, streams=streams, why_unwatched=unwatched(session, None), flaws=["line 3 is strange"]
    )

    assert [item.because for item in found] == [
        IneligibleBecause.scripted_model,
        IneligibleBecause.no_blinded_review,
        IneligibleBecause.metrics_not_mapped,
        IneligibleBecause.record_not_whole,
        IneligibleBecause.other_lane_missing,
        IneligibleBecause.matrix_missing,
    ]
    mapped = found[2].text
    assert all(name in mapped for name in ("stale_recovery: ", "validation: ", "review: nobody", "human_interventions"))
    assert "tool_calls" not in mapped


def test_even_a_whole_record_of_a_real_model_alone_is_ineligible():
    found = ineligible(scripted=False, streams=tuple(Stream), why_unwatched={}, flaws=())
    assert [item.because for item in found] == [
        IneligibleBecause.no_blinded_review,
        IneligibleBecause.other_lane_missing,
        IneligibleBecause.matrix_missing,
    ]


def test_the_agent_may_read_edit_and_run_what_is_allowed_and_searches_only_where_it_can():
    def permissions(*, searches):
        written = json.loads(configuration("m", 8080, ("python3 -m unittest*",), searches=searches))
        assert written["provider"]["study"]["options"]["baseURL"] == "http://127.0.0.1:8080/v1"
        return written["permission"]

    allowed = permissions(searches=True)
    assert {name for name, given in allowed.items() if given == "allow"} == {"edit", "glob", "grep", "list", "read"}
    assert allowed["bash"] == {"*": "deny", "python3 -m unittest*": "allow"}
    assert (allowed["*"], allowed["external_directory"]) == ("deny", "deny")
    assert {name for name, given in permissions(searches=False).items() if given == "allow"} == {"edit", "list", "read"}


def test_an_event_that_stands_twice_is_counted_once_and_makes_the_record_less_than_whole():
    lines = EVENTS.splitlines(keepends=True)
    again = read_events(b"".join(line for line in lines for _ in range(2)))

    assert again.parts == read_events(EVENTS).parts
    assert "stands twice" in again.strange[0]


def test_a_stream_that_was_told_is_not_said_to_be_untold_where_the_record_is_not_whole():
    session = read_events(EVENTS)

    assert unwatched(session, [1, 2, 3])[Stream.model_usage] == "the record is not whole"
    assert unwatched(session, None)[Stream.context_presentation] == "the runner did not see every request to the model"
