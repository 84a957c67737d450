"""What ends a request or a conversation that does not end by itself, and keys that no request can carry."""

import time

import pytest

from runner.backends.conversation import Ended, Ending, RequestMade
from runner.backends.endpoint import Endpoint, Unanswered
from runner.backends.permission import permit
from runner.errors import HumanDecisionError
from tests.runner.backends.chats import PLAN, answering, http_answer, some_settings, trickling
from tests.runner.backends.test_chat import of, talk


def test_an_answer_that_was_cut_off_does_not_say_that_the_model_was_finished():
    cut = '{"model": "m-1", "choices": [{"message": {"content": "I do"}, "finish_reason": "length"}]}'
    with answering(http_answer(cut)) as (url, _):
        events, _ = talk(some_settings(base_url=url))

    assert events[-1] == Ended(Ending.cut, "I do", "the answer was cut off at 100 tokens")
    assert of(RequestMade, events)[0].answered_by == "m-1"


TRICKLES = {
    "headers": b"HTTP/1.1 200 OK\r\nX: " + b"a" * 400,
    "body": b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n" + b" " * 400,
    "until-closed": b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 400,
}


@pytest.mark.parametrize("name", TRICKLES)
def test_an_endpoint_that_sends_a_byte_now_and_then_is_left_after_the_bound_of_time(name):
    with trickling(TRICKLES[name]) as (url, sent):
        events, _ = talk(some_settings(base_url=url, limits={"retries": 0, "request_seconds": 1}))

    assert events[-1] == Ended(Ending.unanswered, "", "no answer within 1 s")
    assert len(sent) < len(TRICKLES[name])


def test_a_request_is_given_up_when_the_attempt_is_over():
    with trickling(TRICKLES["body"]) as (url, sent), Endpoint(some_settings(base_url=url), None) as endpoint:
        came = endpoint.ask(b"{}", time.monotonic() + 0.3)

    assert isinstance(came, Unanswered)
    assert len(sent) < len(TRICKLES["body"])


BAD_KEYS = {
    "blank": "sk one",
    "line": "sk-one\n",
    "crossing": "sk-one\r\nX-Other: 1",
    "letters": "sk-ключ",
    "nul": "sk\0",
}


@pytest.mark.parametrize("name", BAD_KEYS)
def test_a_key_that_no_header_can_carry_is_refused_before_anything_is_asked_and_never_shown(name):
    with pytest.raises(HumanDecisionError) as refused:
        permit(some_settings(key_variable="SOME_KEY"), "chat.toml", PLAN, BAD_KEYS[name])

    assert "the variable SOME_KEY holds what no header can carry" in str(refused.value)
    assert "sk" not in str(refused.value)
