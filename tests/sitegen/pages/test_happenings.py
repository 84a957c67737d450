"""The time line: every kind of event, and every way a process can end, in words of both languages."""

import typing

import pytest

from runner.contract.attempt import Verdict
from runner.contract.comparison.actions import Performed, ReplaceText, ToolCallAction
from runner.contract.comparison.happenings import ActedEvent, DriftedEvent, ProbedEvent
from runner.contract.events import (
    CappedByClock,
    CapturedEvent,
    Event,
    Exited,
    FaultEvent,
    JudgedEvent,
    KilledEvent,
    LeftoverEvent,
    NotSpawned,
    Output,
    ProcessEvent,
    RacedEvent,
    Signalled,
    StartedEvent,
    StoppedEvent,
    WaitedEvent,
)
from runner.contract.parity.happenings import MutantJudgedEvent, SampledEvent
from runner.contract.parity.timing import Measure
from sitegen.catalog import read_catalogs
from sitegen.pages.happenings import FOLDED_LINES, judged, time_line, told

CATALOGS = read_catalogs()
SILENT = Output(text="", total_bytes=0, kept_bytes=0, sha256="0" * 64, replaced=0)


def said(event: Event, language: str = "en"):
    """What one event makes an entry say."""
    return told(event, CATALOGS[language])


def process(**changes) -> ProcessEvent:
    """A process that exits with 0."""
    fields = {
        "step": "ask",
        "instance": 0,
        "argv": ("{command}", "join", "--name", "two words", '{"a": 1}'),
        "cwd": ".",
        "env": (),
        "clock_shift_seconds": 0,
        "end": Exited(code=0),
        "stdout": SILENT,
        "stderr": SILENT,
    }
    return ProcessEvent(**{**fields, **changes})


EVENTS: tuple[Event, ...] = (
    process(),
    StartedEvent(
        step="go", argv=("x",), cwd=".", env=("A",), clock_shift_seconds=5, boundary="before COMMIT #2", reached=True
    ),
    KilledEvent(step="kill", target="go", gone=True),
    StoppedEvent(step="go", by="attempt-end", end=Signalled(signal=9), stdout=SILENT, stderr=SILENT),
    RacedEvent(step="race", contenders=16, winners=2, expected_winners=1),
    WaitedEvent(step="wait", milliseconds=1500),
    CapturedEvent(step="ask", name="token", value="t-1"),
    JudgedEvent(
        step="ask", criterion="ask.1", instance=3, expected="exit 0", observed="exit 1", verdict=Verdict.not_met
    ),
    LeftoverEvent(program="sleep"),
    ActedEvent(
        performed=Performed(
            action=ToolCallAction(
                tool="edit",
                request_bytes=10,
                response_bytes=20,
                operation=ReplaceText(path="../x.py", old="a", new="b"),
            ),
            result="forbidden",
            said="`..` leaves the workspace",
        )
    ),
    DriftedEvent(path="a.py", patch_sha256="0" * 64, before_sha256="1" * 64, after_sha256="2" * 64),
    ProbedEvent(tool="mypy", before_sha256="1" * 64, after_sha256="2" * 64),
    MutantJudgedEvent(step="ask", criterion="ask.exit", expected="exit 1", observed="exit 0", met=False),
    SampledEvent(measure=Measure.warm, variant="head", planned=4, taken=3),
    FaultEvent(message="the disk is full"),
)


def test_the_list_above_has_every_kind_of_event():
    union = typing.get_args(typing.get_args(Event)[0])

    assert {type(event) for event in EVENTS} == set(union)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.event)
def test_every_kind_of_event_has_words(event, language):
    entry = said(event, language)

    assert entry.title
    assert time_line([entry], (1_500_000,), CATALOGS[language])[0].offset == "2\u00a0ms"


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (Exited(code=7), "exit code 7"),
        (Signalled(signal=9), "ended by signal 9"),
        (CappedByClock(), "ended by the wall-clock cap; this is no exit code"),
        (NotSpawned(why="no such file"), "could not be started: no such file"),
    ],
)
def test_every_way_to_end_has_words(end, words):
    assert said(process(end=end)).notes[0] == words


def test_a_command_reads_as_it_would_be_typed():
    assert said(process()).argv == """{command} join --name 'two words' '{"a": 1}'"""


def test_a_shifted_clock_is_said_with_its_sign():
    assert "-1800 s" in said(process(clock_shift_seconds=-1800)).shift
    assert "+301 s" in said(process(clock_shift_seconds=301)).shift
    assert said(process()).shift == ""


def test_cut_output_is_said_with_the_length_of_the_whole():
    cut = Output(text="y\n" * 4, total_bytes=123_456_789, kept_bytes=8, sha256="0" * 64, replaced=2)
    stdout, stderr = said(process(stdout=cut)).streams

    assert stdout.truncated
    assert "123,456,789" in stdout.said
    assert "8\u00a0B" in stdout.said.replace(" B", "\u00a0B")
    assert "2 paths, names or keys replaced" in stdout.said
    assert not stderr.truncated


def test_long_output_is_folded():
    lines = "line\n" * FOLDED_LINES
    long = Output(text=lines, total_bytes=len(lines), kept_bytes=len(lines), sha256="0" * 64, replaced=0)

    (stdout, _) = said(process(stdout=long)).streams
    assert stdout.folded
    assert stdout.unfold == f"Show all {FOLDED_LINES} lines kept"
    assert f"{len(lines)} B" in stdout.said.replace("\u00a0", " ")
    assert not said(process()).streams[0].folded


def test_a_race_with_the_wrong_number_of_winners_is_not_met():
    assert said(EVENTS[4]).mark.name == "not-met"


def test_judgements_can_be_asked_for_by_verdict():
    found = judged(EVENTS, CATALOGS["en"], only=frozenset({Verdict.not_met}))

    assert [(item.criterion, item.instance, item.expected, item.observed) for item in found] == [
        ("ask.1", 3, "exit 0", "exit 1")
    ]
    assert judged(EVENTS, CATALOGS["en"], only=frozenset({Verdict.met})) == ()
