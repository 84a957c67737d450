"""The values of a comparison: closed sets, what each is derived from, and what a page may say of a matrix."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from runner.contract.analysis.comparison import NoTotals, ObservedTotals, UnknownTotals
from runner.contract.analysis.comparison_count import difference, totals
from runner.contract.canonical import MAX_INTEGER
from runner.contract.comparison.actions import Action, ModelUsageAction, Transcript
from runner.contract.comparison.ledger import Ledger, LedgerEvent, ModelUsage, Streams
from runner.contract.comparison.metrics import (
    DERIVATIONS,
    MOST_EVENTS,
    MOST_OF_AN_EVENT,
    Metric,
    Observed,
    Stream,
    Unavailable,
    Values,
    values_of,
)
from runner.contract.comparison.observation import observe
from runner.contract.comparison.patch import parse_hunk
from runner.contract.comparison.schedule import places

NAMES = tuple(metric.value for metric in Metric)
LEFT = (560, 120, 960, 6, 928, 764, 1, 1, 1, 260, 340, 0)
RIGHT = (700, 150, 1780, 10, 1265, 1302, 1, 1, 1, 300, 380, 0)
LEFT_MINUS_RIGHT = (-140, -30, -820, -4, -337, -538, 0, 0, 0, -40, -40, 0)
AGENT = dict.fromkeys(("model", "tokenizer", "model_configuration", "harness", "host", "toolchain"), "none")
EVENT: TypeAdapter[LedgerEvent] = TypeAdapter(LedgerEvent)
VALUES = {
    "model_usage": {"model_input_tokens": 5, "model_output_tokens": 2},
    "context_presentation": {"presented_context_bytes": 11},
    "tool_call": {"tool_request_bytes": 3, "tool_response_bytes": 4},
    "failed_attempt": {},
    "stale_failure": {},
    "stale_recovery_action": {},
    "validation_interval": {"validation_wall_ms": 7},
    "review_interval": {"review_wall_ms": 8},
    "human_intervention": {},
}
"""The nine kinds of event, each with the values it must hold and no others."""


def of(numbers) -> Values:
    return Values(**dict(zip(NAMES, numbers, strict=True)))


def ledger(*kinds: str, **changes) -> Ledger:
    """A ledger with these events, all of them seen in the session."""
    fields = {
        "study": "tiny",
        "manifest_sha256": "0" * 64,
        "task": "narrow",
        "lane": "one",
        "trial": 1,
        "state": "cold",
        "fixture": True,
        "agent": AGENT,
        "prompt_sha256": "1" * 64,
        "artifacts": [
            {"id": "session", "path": "transcript.json", "bytes": 1, "sha256": "2" * 64, "kind": "transcript"}
        ],
        "streams": {key: ["session"] for key in (stream.value for stream in Stream)},
        "events": [{"kind": kind, "values": VALUES[kind], "evidence": ["session"]} for kind in kinds],
        "acceptance": [{"id": "signature", "outcome": "passed", "evidence": ["session"]}],
        "outcome": "completed",
        **changes,
    }
    return TypeAdapter(Ledger).validate_json(TypeAdapter(dict).dump_json(fields))


@pytest.mark.rule("T82")
def test_the_known_pair_has_the_known_differences():
    assert difference(of(LEFT), of(RIGHT)) == of(LEFT_MINUS_RIGHT)


def test_there_are_twelve_metrics_eight_streams_and_nine_kinds_of_event():
    assert (len(Metric), len(Stream), len(VALUES)) == (12, 8, 9)
    assert set(DERIVATIONS) == set(Metric)
    assert {derivation.event for derivation in DERIVATIONS.values()} == set(VALUES)
    assert {derivation.stream for derivation in DERIVATIONS.values()} == set(Stream)
    assert set(Streams.model_fields) == {stream.value for stream in Stream}


def test_no_sum_over_one_ledger_passes_the_largest_exact_integer():
    assert MOST_EVENTS * MOST_OF_AN_EVENT <= MAX_INTEGER
    most = ModelUsageAction(input_tokens=MOST_OF_AN_EVENT, output_tokens=0)
    assert most.input_tokens == MOST_OF_AN_EVENT
    with pytest.raises(ValidationError, match="less than or equal to 137438953471"):
        ModelUsageAction(input_tokens=MOST_OF_AN_EVENT + 1, output_tokens=0)
    with pytest.raises(ValidationError, match="less than or equal to 137438953471"):
        ModelUsage(model_input_tokens=MOST_OF_AN_EVENT + 1, model_output_tokens=0)


def test_a_sum_over_attempts_that_is_no_exact_integer_is_unknown_and_says_of_which_metrics():
    many = of((MAX_INTEGER - 1, *range(10), MAX_INTEGER))

    assert totals([]) == NoTotals()
    assert totals([many, of([1, *[0] * 11])]) == ObservedTotals(values=of((MAX_INTEGER, *range(10), MAX_INTEGER)))
    found = totals([many, of([1] * 12)])
    assert isinstance(found, UnknownTotals)
    assert found.reason == "more than 9007199254740991, the largest exact integer: human_interventions"


@pytest.mark.parametrize("kind", VALUES)
def test_an_event_holds_the_values_of_its_kind_and_no_others(kind):
    event = {"kind": kind, "values": VALUES[kind], "evidence": ["session"]}
    assert EVENT.validate_python({**event, "evidence": ("session",)}).kind == kind
    for wrong in ({**event, "values": {**VALUES[kind], "more": 1}}, {**event, "evidence": ()}, {**event, "when": 1}):
        with pytest.raises(ValidationError):
            EVENT.validate_python({**wrong, "evidence": tuple(wrong["evidence"])})


@pytest.mark.parametrize("action", ["edit", "model_usage_2", "ran", "note"])
def test_an_unknown_action_is_refused(action):
    with pytest.raises(ValidationError, match="does not match any of the expected tags"):
        TypeAdapter(Action).validate_python({"action": action})


def test_an_unknown_field_of_a_known_action_is_refused():
    with pytest.raises(ValidationError, match="extra"):
        TypeAdapter(Action).validate_python({"action": "stale_failure", "accepted": True})


def test_a_transcript_that_does_not_say_that_it_is_a_fixture_is_refused():
    with pytest.raises(ValidationError, match="fixture"):
        TypeAdapter(Transcript).validate_python(
            {
                "format": "sealbook.comparison.transcript/1",
                "fixture": False,
                "task": "narrow",
                "lane": "one",
                "agent": AGENT,
                "actions": ({"action": "stale_failure"},),
            }
        )


def test_a_zero_rests_on_evidence_and_a_sum_on_all_of_it():
    observation = observe(ledger("tool_call", "tool_call", "model_usage"))
    values = values_of(observation.metrics)

    assert values is not None
    assert (values.tool_calls, values.tool_request_bytes, values.model_input_tokens) == (2, 6, 5)
    zero = observation.metrics.human_interventions
    assert isinstance(zero, Observed)
    assert (zero.value, zero.evidence) == (0, ("typed-event-ledger", "session"))
    assert observation.acceptance[0].evidence[0] == "typed-event-ledger"


@pytest.mark.parametrize("stream", Stream)
def test_what_nobody_watched_is_never_zero(stream):
    watched = {key: ["session"] for key in (item.value for item in Stream)}
    observation = observe(ledger("tool_call", streams={**watched, stream.value: []}))

    lost = [metric for metric in Metric if isinstance(observation.metrics.of(metric), Unavailable)]
    assert lost == [metric for metric in Metric if DERIVATIONS[metric].stream is stream]
    assert values_of(observation.metrics) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"outcome": "failed"}, "completed if, and only if, every criterion passed"),
        (
            {"streams": {**{key: ["nobody"] for key in (s.value for s in Stream)}}},
            "evidence that is no artifact: nobody",
        ),
        (
            {
                "artifacts": [
                    {"id": "typed-event-ledger", "path": "a", "bytes": 1, "sha256": "2" * 64, "kind": "x"},
                    {"id": "session", "path": "b", "bytes": 1, "sha256": "2" * 64, "kind": "x"},
                ]
            },
            "typed-event-ledger is the ledger itself",
        ),
    ],
)
def test_a_ledger_that_disagrees_with_itself_is_refused(changes, said):
    with pytest.raises(ValidationError, match=said):
        ledger("tool_call", **changes)


@given(st.integers(1, 6), st.integers(1, 4), st.integers(1, 6))
def test_the_order_holds_every_cell_once_and_is_balanced(tasks, lanes, repetitions):
    names, arms = [f"t{n}" for n in range(tasks)], [f"l{n}" for n in range(lanes)]
    order = list(places(names, arms, repetitions))

    assert len(set(order)) == len(order) == tasks * lanes * repetitions
    firsts = Counter(lane for lane, _, _ in order[::lanes])
    assert max(firsts[lane] for lane in arms) - min(firsts[lane] for lane in arms) <= 1
    assert order == list(places(names, arms, repetitions))


def test_nine_pairs_of_two_lanes_go_first_five_and_four_times():
    order = [*places(["a", "b", "c"], ["left", "right"], 3)]
    assert Counter(lane for lane, _, _ in order[::2]) == {"left": 5, "right": 4}
    first_tasks = [task for _, task, _ in places(["a", "b", "c"], ["left", "right"], 3)][::6]
    assert first_tasks == ["a", "b", "c"]


GOOD = "--- a/x.py\n+++ b/x.py\n@@ -2,2 +2,3 @@\n a\n-b\n+c\n+d\n"


@pytest.mark.rule("T79")
def test_one_hunk_is_applied_at_its_line_and_nowhere_else():
    hunk = parse_hunk(GOOD)

    assert hunk.applied("top\na\nb\nend\n") == "top\na\nc\nd\nend\n"
    for text in ("a\nb\n", "top\nx\nb\n", "top\na\nc\nd\nend\n", ""):
        with pytest.raises(ValueError, match="does not hold at line 2"):
            hunk.applied(text)


@pytest.mark.rule("T79")
@pytest.mark.parametrize(
    "patch",
    [
        "",
        GOOD.rstrip("\n"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("b/x.py", "b/y.py"),
        GOOD + "@@ -9,1 +9,1 @@\n-x\n+y\n",
        GOOD.replace("-2,2", "-2,3"),
        GOOD.replace("+c\n+d\n", "").replace("+2,3", "+2,1").replace("-b\n", " b\n").replace("+2,1", "+2,2"),
        "nothing\n",
    ],
)
def test_any_other_form_of_patch_is_refused(patch):
    with pytest.raises(ValueError, match=r"patch|hunk"):
        parse_hunk(patch)
