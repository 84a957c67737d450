"""The table of judgements: expectation by expectation, on what a process really wrote."""

import hashlib

import pytest
from pydantic import TypeAdapter

from runner.contract.events import CappedByClock, Exited, Signalled
from runner.contract.qualification.judge import judge, scalar_text, value_at
from runner.contract.qualification.steps import Expectation
from runner.sandbox.output import Captured
from runner.sandbox.process import Finished

READ = TypeAdapter[Expectation](Expectation)


def captured(data: bytes, more: int = 0) -> Captured:
    return Captured(kept=data, total_bytes=len(data) + more, sha256=hashlib.sha256(data).hexdigest())


def ended(stdout="", *, stderr="", end=None, more=0) -> Finished:
    return Finished(end or Exited(code=0), captured(stdout.encode(), more), captured(stderr.encode()))


JSON = '{"a": 1, "t": true, "f": 1.0, "s": "ann", "n": null, "l": [{"k": 1}, {"k": 1, "x": "y"}, 2], "a/b": {"~": 0}}'
TABLE = [
    ({"expect": "exit", "code": 0}, ended(), True, "exit 0"),
    ({"expect": "exit", "code": 0}, ended(end=Exited(code=1)), False, "exit 1"),
    ({"expect": "exit", "code": 137}, ended(end=Signalled(signal=9)), False, "signal 9"),
    ({"expect": "exit-nonzero"}, ended(end=Exited(code=2)), True, "exit 2"),
    ({"expect": "exit-nonzero"}, ended(), False, "exit 0"),
    ({"expect": "exit-nonzero"}, ended(end=Signalled(signal=15)), False, "signal 15"),
    ({"expect": "exit-nonzero"}, ended(end=CappedByClock()), False, "ended by the wall cap"),
    ({"expect": "holds", "stream": "stdout", "text": "{who}"}, ended("x ann y"), True, "it does"),
    ({"expect": "holds", "stream": "stdout", "text": "ann"}, ended(stderr="ann"), False, "it does not"),
    ({"expect": "holds", "stream": "stderr", "text": "ann"}, ended(stderr="ann"), True, "it does"),
    ({"expect": "holds", "stream": "either", "text": "ann"}, ended(stderr="ann"), True, "it does"),
    (
        {"expect": "holds", "stream": "stdout", "text": "b"},
        ended("a", more=9),
        False,
        "it does not, and it is longer than the output cap",
    ),
    ({"expect": "lacks", "text": "ann"}, ended("bob"), True, "it is not there"),
    ({"expect": "lacks", "text": "ann"}, ended(stderr="ann"), False, "it is there"),
    ({"expect": "lacks", "text": "ann"}, ended("bob", more=1), False, "longer than the output cap"),
    ({"expect": "json", "at": "/a", "value": 1}, ended(JSON), True, "1"),
    ({"expect": "json", "at": "/a", "value": True}, ended(JSON), False, "1"),
    ({"expect": "json", "at": "/t", "value": 1}, ended(JSON), False, "true"),
    ({"expect": "json", "at": "/t", "value": True}, ended(JSON), True, "true"),
    ({"expect": "json", "at": "/f", "value": 1}, ended(JSON), False, "1.0"),
    ({"expect": "json", "at": "/s", "value": "{who}"}, ended(JSON), True, '"ann"'),
    ({"expect": "json", "at": "/n", "value": None}, ended(JSON), True, "null"),
    ({"expect": "json", "at": "/zz", "value": None}, ended(JSON), False, "no such value"),
    ({"expect": "json", "at": "/l/1/x", "value": "y"}, ended(JSON), True, '"y"'),
    ({"expect": "json", "at": "/l/7", "value": 2}, ended(JSON), False, "no such value"),
    ({"expect": "json", "at": "/l/-1", "value": 2}, ended(JSON), False, "no such value"),
    ({"expect": "json", "at": "/a~1b/~0", "value": 0}, ended(JSON), True, "0"),
    ({"expect": "json", "at": "", "value": "x"}, ended('"x"'), True, '"x"'),
    ({"expect": "json", "at": "/a", "value": 1}, ended("no json"), False, "stdout is not one JSON document"),
    ({"expect": "json", "at": "/a", "value": 1}, ended('{"a": 1}\n{}'), False, "stdout is not one JSON document"),
    ({"expect": "json", "at": "/a", "value": 1}, ended("[" * 100_000), False, "stdout is not one JSON document"),
    ({"expect": "json", "at": "/a", "value": 1}, ended(JSON, more=1), False, "stdout is longer than the output cap"),
    ({"expect": "json", "at": "/s", "value": "x"}, ended('{"s": "\\ud800"}'), False, '"\\ud800"'),
    ({"expect": "json-differs", "at": "/a", "value": 2}, ended(JSON), True, "1"),
    ({"expect": "json-differs", "at": "/a", "value": True}, ended(JSON), True, "1"),
    ({"expect": "json-differs", "at": "/s", "value": "{who}"}, ended(JSON), False, '"ann"'),
    ({"expect": "json-differs", "at": "/zz", "value": 2}, ended(JSON), False, "no such value"),
    ({"expect": "json-absent", "at": "/zz"}, ended(JSON), True, "no such value"),
    ({"expect": "json-absent", "at": "/n"}, ended(JSON), True, "null"),
    ({"expect": "json-absent", "at": "/a"}, ended(JSON), False, "1"),
    ({"expect": "json-absent", "at": "/a"}, ended("no json"), False, "stdout is not one JSON document"),
    ({"expect": "json-count", "at": "/l", "count": 3}, ended(JSON), True, "3 items"),
    ({"expect": "json-count", "at": "/l", "count": 2, "where": {"/k": 1}}, ended(JSON), True, "2 of 3 items"),
    (
        {"expect": "json-count", "at": "/l", "count": 1, "where": {"/k": 1, "/x": "y"}},
        ended(JSON),
        True,
        "1 of 3 items",
    ),
    ({"expect": "json-count", "at": "/l", "count": 2, "where": {"/k": True}}, ended(JSON), False, "0 of 3 items"),
    ({"expect": "json-count", "at": "/a", "count": 0}, ended(JSON), False, "not a list"),
    ({"expect": "json-count", "at": "", "count": 0}, ended("[]"), True, "0 items"),
]


@pytest.mark.parametrize(("expectation", "finished", "met", "observed"), TABLE)
def test_each_expectation_is_met_by_that_and_by_nothing_else(expectation, finished, met, observed):
    said = judge(READ.validate_python(expectation), finished, {"who": "ann"})

    assert (said.met, said.observed) == (met, observed)
    assert said.expected
    said.expected.encode()
    said.observed.encode()


def test_a_long_value_is_quoted_in_part():
    said = judge(READ.validate_python({"expect": "json", "at": "", "value": "x"}), ended(f'"{"y" * 9000}"'), {})

    assert len(said.observed) < 400


@pytest.mark.parametrize(
    ("at", "text"),
    [("/a", "1"), ("/t", "true"), ("/f", "1.0"), ("/s", "ann"), ("/n", None), ("/l", None), ("/z", None)],
)
def test_scalars_are_captured_as_text(at, text):
    assert scalar_text(value_at(ended(JSON), at)) == text
