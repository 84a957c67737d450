"""What is said of the calls that a run made: each with digests of request and answer, counted, and not all calls."""

import hashlib
import json
import re

import pytest

from sitegen.catalog import read_catalogs
from sitegen.sources import LANGUAGES, RunSource, load
from tests.plugins.sites import PROJECT
from tests.sitegen.pages.parity_sample import PAGES, STUDY
from tests.sitegen.projects import RUN

STEPS = ["seed", "first", "restart", "again", "command", "daemon-stopped"]
"""Every step of the scenario that starts the program, and the end of an attempt in which a daemon runs."""
OPERATIONS = {"call": 2, "ask": 2, "stop": 2}


@pytest.fixture(scope="module")
def run(parity_site) -> RunSource:
    found = load(parity_site.parent / PROJECT).run(STUDY, RUN)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def receipts(parity_site) -> dict:
    return json.loads((parity_site / f"data/attempts/{STUDY}/{RUN}/receipts.json").read_bytes())


def events(run: RunSource, attempt: str) -> list[dict]:
    """The processes that the sealed events of an attempt tell of."""
    lines = run.sealed.data(f"events/{attempt}.jsonl").splitlines()
    return [event for event in map(json.loads, lines) if event["event"] == "process"]


def asked(event: dict) -> str:
    """The digest of a request, made here without any of the product's code."""
    scope = {name: event[name] for name in ("argv", "cwd", "env")}
    return hashlib.sha256(json.dumps(scope, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@pytest.mark.rule("P109")
def test_every_call_stands_with_the_digests_of_its_request_and_its_answer_and_each_operation_is_counted(run, receipts):
    (row,) = receipts["rows"]
    assert len(row["variants"]) == 4
    for item in row["variants"]:
        made = events(run, item["attempt"])
        assert [call["step"] for call in item["calls"]] == [event["step"] for event in made] == STEPS
        assert [call["request_sha256"] for call in item["calls"]] == [asked(event) for event in made]
        for stream in ("stdout", "stderr"):
            assert [call[f"{stream}_sha256"] for call in item["calls"]] == [event[stream]["sha256"] for event in made]
        assert item["operations"] == OPERATIONS
        detail = run.sealed.attempt(item["attempt"]).detail.what
        assert (detail.calls, detail.asked) == (sum(OPERATIONS.values()), OPERATIONS["ask"])


@pytest.mark.rule("P109")
def test_a_request_has_another_digest_exactly_where_its_words_or_its_surroundings_are_others(receipts):
    (row,) = receipts["rows"]
    by_step: dict[str, set[str]] = {step: set() for step in STEPS}
    for item in row["variants"]:
        for call in item["calls"]:
            by_step[call["step"]].add(call["request_sha256"])

    assert all(len(digests) == 1 for digests in by_step.values()), "every variant is asked the same"
    assert by_step["seed"] == by_step["command"]
    assert by_step["first"] == by_step["again"]
    assert by_step["restart"] == by_step["daemon-stopped"]
    assert len(set.union(*by_step.values())) == 3


@pytest.mark.rule("P127")
@pytest.mark.parametrize(
    ("language", "cell", "limits"),
    [
        ("en", "6: run directly 2, daemon asked 2, daemon stopped 2", "They are not all calls"),
        ("zh", "6 次：直接调用 2，请求守护进程 2，停止守护进程 2", "它们并非全部调用"),
    ],
)
def test_calls_are_counted_by_variant_at_the_real_entry_point_and_said_not_to_be_all(
    parity_site, run, receipts, language, cell, limits
):
    page = (parity_site / language / PAGES["parity-run"]).read_text(encoding="utf-8")
    shown = page.split('id="report.receipts"')[1].split("<h2", maxsplit=1)[0]
    cells = [re.sub("<[^>]+>", "", item) for item in re.findall(r"<td class=\"wide\">(.*?)</td>", shown)]

    assert cells.count(cell) == 4
    assert limits in shown
    assert "They are not all calls" in receipts["calls"]
    for variant in ("base", "head"):
        direct = [event for event in events(run, f"{variant}.files-bad-word.1") if event["step"] in ("seed", "command")]
        assert [event["argv"][2:4] for event in direct] == [["-m", "tally"]] * OPERATIONS["call"]


def test_both_languages_have_the_words(parity_site):
    for language in LANGUAGES:
        page = (parity_site / language / PAGES["parity-run"]).read_text(encoding="utf-8")
        assert read_catalogs()[language].say("receipt.calls-text") in page
