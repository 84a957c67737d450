"""What a tool prints that has the shape of a key is in no event, however it was printed."""

import pytest

from runner.contract.events import ProcessEvent
from tests.runner.kinds.qualification.laboratory import EXIT_0, of_kind

OPENAI = "sk-proj-abcdefghijklmnopqrstuvwxyz012345"
AWS = "AKIAIOSFODNN7EXAMPLE"
HEADER = "x-api-key: 0123456789abcdef"


@pytest.mark.report("A24")
def test_a_key_that_a_tool_prints_in_two_pieces_is_published_in_none(attempt):
    program = f"printf '%s' '{OPENAI[:12]}'; sleep 0.3; printf '%s\\n' '{OPENAI[12:]}' '{AWS}' '{HEADER}'"
    performed = attempt({"id": "say", "do": "run", "argv": ["sh", "-c", program], "expect": [EXIT_0]})

    (event,) = of_kind(performed, ProcessEvent)
    assert event.stdout.text == "{secret}\n{secret}\nx-api-key: {secret}\n"
    assert event.stdout.replaced == 3
    assert not any(key in said for said in event.argv for key in (AWS, "0123456789abcdef"))
    assert performed.replaced >= 5
