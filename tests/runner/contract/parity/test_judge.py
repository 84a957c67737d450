"""A call meets what its scenario states or it does not, whatever stands on its streams."""

import pytest

from runner.contract.events import CappedByClock, Exited, NotSpawned, Signalled
from runner.contract.parity.judge import judge_call, records, status
from runner.contract.parity.tasks import CallStep, Expected, Members
from runner.reading.checks.replayed import Finished, Stream

ROW: Members = {"file": "b.txt", "line": 1}
STEP = CallStep(
    step="call", id="ask", args=("-m", "tool"), expect=Expected(exit=1, records=(ROW,), holds=("found", "done"))
)


def verdicts(stdout, stderr="", *, end=Exited(code=1), complete=True):  # noqa: B008  a frozen value
    finished = Finished(end, Stream(stdout.encode(), complete), Stream(stderr.encode(), complete=True))
    return {criterion: said.met for criterion, said in judge_call(STEP, finished)}


def test_records_may_have_more_members_and_other_lines_are_passed_over():
    found = verdicts('found\n{"line": 1, "file": "b.txt", "code": "x"}\n', "done")
    assert found == {"ask.exit": True, "ask.records": True, "ask.holds": True}


@pytest.mark.parametrize(
    "stdout",
    ["", '{"file": "b.txt"}', '{"file": "b.txt", "line": true}', '{"file": "b.txt", "line": 1}\n{}', '{"file": "b.tx'],
)
def test_missing_more_other_or_broken_records_are_not_met(stdout):
    assert verdicts(stdout)["ask.records"] is False


def test_an_output_that_is_cut_is_no_list_of_records():
    assert verdicts('{"file": "b.txt", "line": 1}', complete=False)["ask.records"] is False


def test_a_text_is_found_on_either_stream_and_across_none():
    assert verdicts("found", "done")["ask.holds"] is True
    assert verdicts("found do", "ne")["ask.holds"] is False


@pytest.mark.parametrize("end", [Exited(code=0), Signalled(signal=9), CappedByClock(), NotSpawned(why="no file")])
def test_another_end_is_not_met_and_told(end):
    assert verdicts("", end=end)["ask.exit"] is False
    assert status(end) in ("exit 0", "signalled", "timed-out", "not-spawned")


def test_records_that_nest_deeper_than_can_be_read_are_none():
    assert records(b'{"a":' * 100_000) is None


def test_a_lone_surrogate_in_a_record_can_be_told():
    finished = Finished(Exited(code=1), Stream(b'{"file": "\\ud800"}', complete=True), Stream(b"", complete=True))
    told = {criterion: said.observed for criterion, said in judge_call(STEP, finished)}
    assert told["ask.records"].encode() == b'[{"file": "\\ud800"}]'
