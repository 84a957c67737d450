"""The page of an attempt at a comparison shows its ledger, what the agent changed, and what each criterion rests on."""

import json
import re
import sys
from pathlib import Path

import pytest

from runner.contract.comparison.ledger import EVENT_KINDS
from runner.reading.manifest import read_study
from runner.reading.sealed import SealedRun
from sitegen.catalog import read_catalogs
from sitegen.pages import agent_changes
from tests.comparisons import (
    EDITS,
    INSPECTION,
    NOTICED,
    TEXT,
    Tiny,
    both_lanes,
    replaced,
    run,
    tool,
    usage,
    written,
)
from tests.runner.reading.forger import Forger
from tests.sitegen.pages.compared_sample import PROBE, sources
from tests.sitegen.rendered import rendered

ASKS = {"callers": '{ rule = "probe", commands = ["check", "test", "run", "graph"] }'}


def shown(root, tiny, lane=TEXT, language="en", **more) -> tuple[str, SealedRun]:
    """The page of the first attempt of a lane, and the run."""
    sources(root)
    sealed = run(root, read_study(tiny.write(root / "manifests")), **more)
    pages = rendered(root, "attempts/")
    return next(page for at, page in pages.items() if at.startswith(language) and f"{lane}.narrow.1" in at), sealed


def part(page: str, anchor: str) -> str:
    """What stands below a heading."""
    return re.split(r"<h2", page.split(f'<h2 id="{anchor}">')[1])[0]


def cells(text: str) -> list[str]:
    """The text of the cells of the rows of a table."""
    rows = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]


def ledger(sealed, name) -> dict:
    return json.loads(sealed.data(f"artifacts/{name}/ledger.json"))


def test_the_ledger_is_shown_with_its_nine_kinds_its_order_its_sizes_and_its_evidence(tmp_path):
    page, sealed = shown(tmp_path, Tiny())
    text = part(page, "ledger")
    kinds, events, artifacts = (cells(table) for table in text.split("<table>")[1:])
    recorded = ledger(sealed, f"{TEXT}.narrow.1")

    assert [next(kind for kind in EVENT_KINDS if f" {kind} " in row) for row in kinds[1:]] == list(EVENT_KINDS)
    assert "model usage model_usage 1 model input tokens 20, model output tokens 3 session" in kinds
    assert "tool call tool_call 2 bytes of tool requests 10, bytes of tool responses 14 session" in kinds
    assert "failed action failed_attempt 0 session" in kinds
    assert [row.split()[0] for row in events[1:]] == [str(number) for number in range(1, len(recorded["events"]) + 1)]
    assert all(event["kind"] in row for event, row in zip(recorded["events"], events[1:], strict=True))
    assert "tool call tool_call 5 B sent, 7 B received session" in " ".join(events)
    for item, row in zip(recorded["artifacts"], artifacts[1:], strict=True):
        assert row.startswith(f"{item['id']} {item['kind']} artifacts/{TEXT}.narrow.1/{item['path']} {item['bytes']:,}")
        assert item["sha256"] in text


def test_a_kind_that_nobody_watched_is_unknown_and_not_zero(tmp_path):
    page, _ = shown(tmp_path, Tiny(streams='streams = ["tool_calls"]'))

    rows = cells(part(page, "ledger").split("<table>")[1])
    assert "human intervention human_intervention unknown unknown" in rows
    assert any(row.startswith("tool call tool_call 2 ") for row in rows)
    assert "not observed: " in part(page, "metrics")


def test_what_the_agent_changed_is_shown_line_by_line_with_a_word_a_sign_and_a_number(tmp_path):
    page, sealed = shown(tmp_path, Tiny())
    text = part(page, "changes")

    assert sealed.file(f"artifacts/{TEXT}.narrow.1/candidate.diff").sha256 in text
    assert re.search(r"<code>shop/sums.py</code>.*± *.*changed.* · 1 added, 1 removed", text)
    for tag, word, sign, line in (
        ("del", "removed", "−", "def total(lines, unit):"),
        ("ins", "added", "+", "def total(lines):"),
    ):
        (block,) = (found for found in re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL) if line in found)
        assert f'<span class="visually-hidden">{word}: </span>' in block
        assert f'<span class="number">4</span><span class="glyph">{sign}</span><span class="text">{line}\n' in block


def test_files_that_came_and_long_ones_are_marked_and_folded(tmp_path, monkeypatch):
    long = "".join(f"# line {number}\n" for number in range(60))
    extra = (tool(written("shop/long.py", long)), tool(written("shop/short.py", "x = 1")))
    page, _ = shown(tmp_path, Tiny(sessions=both_lanes(usage(), *EDITS, *extra)))
    text = part(page, "changes")

    assert re.search(r"<details><summary><code>shop/long.py</code>.*added.* · 60 added, 0 removed</summary>", text)
    assert '<p class="small"><code>shop/short.py</code>' in text
    assert 'x = 1 <span class="second">no line feed at the end</span>' in text
    monkeypatch.setattr(agent_changes, "SHOWN_LINES", 30)
    again = next(page for at, page in rendered(tmp_path, "attempts/").items() if at.startswith("en/") and TEXT in at)
    assert "1 more file is not shown here" in part(again, "changes")
    assert "long.py" not in part(again, "changes")


@pytest.mark.parametrize(
    ("language", "words"), [("en", "This is not the form of a difference"), ("zh", "此文本不是差异格式")]
)
def test_a_difference_of_another_form_is_called_so_and_stands_as_it_is(tmp_path, language, words):
    _, sealed = shown(tmp_path, Tiny())
    forger = Forger(sealed.folder)
    forger.evidence(f"{TEXT}.narrow.1", "candidate.diff", b"Only in <shop>: notes\n")
    forger.seal()
    pages = rendered(tmp_path, "attempts/")
    text = part(next(page for at, page in pages.items() if at.startswith(language) and TEXT in at), "changes")

    assert words in text
    assert '<pre class="wrap">Only in &lt;shop&gt;: notes\n</pre>' in text


@pytest.mark.parametrize(("language", "requirement"), [("en", "It holds."), ("zh", "成立。")])
def test_each_criterion_has_its_requirement_what_was_found_and_links_to_its_evidence(tmp_path, language, requirement):
    sessions = both_lanes(usage(), tool(replaced("shop/sums.py", "lines, unit", "lines")))
    page, sealed = shown(tmp_path, Tiny(sessions=sessions), language=language)
    text = part(page, "required")

    attempt = sealed.attempt(f"{TEXT}.narrow.1")
    for item in attempt.criteria:
        (section,) = (found for found in text.split("<section") if f'id="criterion.{item.id}"' in found)
        assert f'<a href="#criterion.{item.id}">' in part(page, "criteria")
        assert requirement in section
        assert read_catalogs()[language].word(item.verdict) in section
        assert f"/artifacts/{TEXT}.narrow.1/acceptance.json" in section
    assert "shop/uses.py 1; 1 do not fit the signature" in text


def test_the_probe_is_shown_with_its_binary_and_what_became_of_each_command(tmp_path):
    tiny = Tiny(rules=ASKS, probe=PROBE)
    page, _ = shown(tmp_path, tiny, probes={"looker": Path(sys.executable).resolve()})
    text = part(page, "probe")

    assert "Its binary was the same before and after." in text
    check, test, printed, graph = cells(text)[1:]
    assert check.count("✓ met · exit code 0") == 2
    assert test.count("✕ not met · exit code 3") == 2
    assert printed.count("✕ not met · exit code 0") == 2  # it printed too much
    assert graph.count("✓ met · exit code 0") == 2
    assert "It shows no calls." in text


def test_a_probe_that_was_not_given_is_said_to_be_absent_and_no_command_asked(tmp_path):
    page, _ = shown(tmp_path, Tiny(rules=ASKS, probe=PROBE))
    text = part(page, "probe")

    assert "no binary was given, so that nothing that asks it is accepted" in text
    assert text.count("not asked") == 8


def test_a_probe_that_is_another_one_than_the_run_began_with_is_said_to_be_that_and_asked_nothing(tmp_path):
    program = tmp_path / "looker"
    program.write_text('#!/bin/sh\ngrep -q "^# more" "$0" || printf "# more\\n" >> "$0"\n')
    program.chmod(0o700)
    page, _ = shown(tmp_path, Tiny(rules=ASKS, probe=PROBE), probes={"looker": program})  # the other lane changed it
    text = part(page, "probe")

    assert "Its binary was another one than the run began with, and it was not asked." in text
    assert text.count("not asked") == 9


def test_a_drift_shows_its_patch_and_the_file_before_and_after_by_whole_digests(tmp_path):
    page, sealed = shown(
        tmp_path, Tiny(drift=True, sessions=both_lanes(INSPECTION, *NOTICED, *EDITS, symbols=(INSPECTION, *NOTICED)))
    )
    drifted = next(event for event in sealed.events(f"{TEXT}.narrow.1") if event.event == "drifted")

    for value in (drifted.patch_sha256, drifted.before_sha256, drifted.after_sha256):
        assert f'aria-label="SHA-256 {value}"' in part(page, "events")


def test_an_attempt_that_was_not_judged_shows_no_ledger_and_says_so(tmp_path):
    early = tool(replaced("shop/uses.py", "import total", "import total as total"))  # so that the patch does not fit
    late = both_lanes(early, INSPECTION, symbols=(INSPECTION, *NOTICED))
    page, _ = shown(tmp_path, Tiny(drift=True, sessions=late))

    assert "Nothing was judged, so there is no ledger and no difference." in part(page, "ledger")
    assert 'id="changes"' not in page
    assert "nothing was judged: shop/uses.py does not hold" in part(page, "metrics")
