"""The report of a comparison shows its metrics, and differences only where nothing is missing."""

import re

import pytest

from runner.contract.analysis import comparison_count
from runner.contract.comparison.tasks import Asked
from runner.reading.manifest import read_study
from sitegen.pages import attempt_matrix
from tests.comparisons import EDITS, INSPECTION, NOTICED, SYMBOLS, TEXT, Tiny, both_lanes, run, usage
from tests.sitegen.pages.compared_sample import sources
from tests.sitegen.projects import RUN
from tests.sitegen.rendered import rendered


def page(root, language="en", asked=None, tiny=None) -> str:
    """The page of one run of a tiny comparison."""
    sources(root)
    run(root, read_study((tiny or Tiny()).write(root / "manifests")), asked=asked)
    found = rendered(root, "runs/")
    return next(text for place, text in found.items() if place.startswith(f"{language}/"))


def test_a_complete_matrix_shows_totals_and_differences_bound_to_the_evidence(tmp_path):
    shown = page(tmp_path)

    assert 'title="run.json /analysis/lanes/1/metrics/values/model_input_tokens">20</a>' in shown
    assert 'title="run.json /analysis/differences/0/metrics/model_input_tokens">−10</a>' in shown
    assert 'id="report.missing"' not in shown


def test_each_task_has_its_differences_in_a_table_of_its_own_with_both_attempts_of_each_pair(tmp_path):
    shown = page(tmp_path, tiny=Tiny(tasks=("narrow", "other"), repetitions=2))

    for number, task in enumerate(("narrow", "other")):
        differences = shown.split('id="report.differences"')[1]
        table = differences.split(f"<caption>Narrow {task}</caption>")[1].split("</table>")[0]
        assert {f"/analysis/differences/{pair}/trial" in table for pair in (2 * number, 2 * number + 1)} == {True}
        assert f"/analysis/differences/{(2 * number + 2) % 4}/" not in table
        for trial in (1, 2):
            assert f"by-symbol.{task}.{trial}</a> − " in shown
            assert f">by-text.{task}.{trial}</a>" in shown


@pytest.mark.parametrize(("language", "unknown"), [("en", "unknown"), ("zh", "未知")])
def test_a_partial_matrix_shows_what_is_missing_and_no_difference(tmp_path, language, unknown):
    shown = page(tmp_path, language, Asked(lane="by-text"))

    assert 'id="report.differences"' not in shown
    assert 'title="run.json /analysis/missing/0/reason">not selected</a>' in shown
    assert f'<td class="number">{unknown}</td>' in shown


def test_more_than_two_lanes_have_no_differences_and_the_page_says_why(tmp_path):
    lane = Tiny()._study("tiny", "").split("[[design.lanes]]")[2].split("[[")[0].replace("by-text", "third")
    session = '[[design.sessions]]\ntask = "narrow"\nlane = "third"\ntranscript = "tasks/narrow.third.toml"\n'
    transcript = Tiny()._transcript("narrow", "by-text").replace("by-text", "third")
    tiny = Tiny(files={"tasks/narrow.third.toml": transcript}, design=f"[[design.lanes]]{lane}{session}")
    shown = page(tmp_path, tiny=tiny)

    assert "Differences are shown for two lanes that ran here." in shown
    assert "/analysis/differences/" not in shown
    assert 'id="report.missing"' not in shown


def row_of(shown, anchor, start) -> list[list[str]]:
    """The cells of each row below a heading whose first cell begins like this."""
    rows = re.findall(r"<tr>(.*?)</tr>", shown.split(f'id="{anchor}"')[1].split("<h2")[0], re.DOTALL)
    found = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [cells for cells in found if re.sub("<[^>]+>", "", cells[0]).startswith(start)]


def test_every_trial_of_every_task_leads_to_its_attempt_in_each_lane_with_the_outcome_in_words(tmp_path):
    shown = page(tmp_path, tiny=Tiny(tasks=("narrow", "other"), repetitions=2, sessions=both_lanes(usage())))

    for task in ("narrow", "other"):
        for trial, cells in zip((1, 2), row_of(shown, "report.matrix", f"Narrow {task}"), strict=True):
            assert cells[1] == str(trial)
            for cell, lane, word in zip(cells[2:], (SYMBOLS, TEXT), ("accepted", "rejected"), strict=False):
                assert f'href="../../attempts/tiny/{RUN}/{lane}.{task}.{trial}.html"' in cell
                assert f'<span class="word">{word}</span>' in cell
            assert "external, not run" in cells[4]
            assert "href" not in cells[4]


def test_what_was_not_selected_has_no_attempt_and_says_so(tmp_path):
    shown = page(tmp_path, asked=Asked(lane=TEXT, trial=2), tiny=Tiny(repetitions=2))

    first, second = row_of(shown, "report.matrix", "Narrow")
    assert ["not selected" in cell for cell in first[2:4] + second[2:4]] == [True, True, True, False]


def test_rows_beyond_the_first_are_left_to_the_table_of_attempts(tmp_path, monkeypatch):
    monkeypatch.setattr(attempt_matrix, "SHOWN_ROWS", 1)
    shown = page(tmp_path, tiny=Tiny(tasks=("narrow", "other")))

    assert row_of(shown, "report.matrix", "Narrow other") == []
    assert "Only the first rows are shown" in shown


def test_each_criterion_is_counted_by_lane_and_bound_to_the_evidence(tmp_path):
    shown = page(tmp_path, tiny=Tiny(repetitions=2, sessions=both_lanes(usage())))
    (signature,) = row_of(shown, "report.criteria", "signature")

    assert "It holds." in signature[0]
    for cell, counts in zip(signature[1:], ("2/2", "0/2 ✕ not met 2"), strict=True):
        assert " ".join(re.sub("<[^>]+>", " ", cell).replace("/", " / ").split()).replace(" / ", "/") == counts
        assert 'title="run.json /analysis/criteria/' in cell


@pytest.mark.parametrize(("noticing", "words"), [(NOTICED, ("1", "met")), ((), ("0", "not met"))])
def test_a_drift_shows_when_it_was_applied_and_whether_it_was_noticed(tmp_path, noticing, words):
    sessions = both_lanes(usage(), INSPECTION, *noticing, *EDITS, symbols=(INSPECTION, *NOTICED))
    shown = page(tmp_path, tiny=Tiny(drift=True, sessions=sessions))
    (by_text,) = (cells for cells in row_of(shown, "report.drift", "1") if f"{TEXT}.narrow.1" in cells[1])
    texts = [" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in by_text]

    assert "A sibling. <code>fixtures/drift.patch</code>" in shown
    assert texts[2:4] == ["1", "after 2 events"]
    assert (texts[4], texts[5].split(maxsplit=1)[1]) == words
    assert f'href="../../attempts/tiny/{RUN}/{TEXT}.narrow.1.html#line"' in by_text[4]


def test_a_drift_of_which_nothing_is_known_is_unknown(tmp_path):
    sessions = both_lanes(INSPECTION, *NOTICED, *EDITS, symbols=(INSPECTION, *NOTICED))
    shown = page(tmp_path, tiny=Tiny(drift=True, sessions=sessions, streams='streams = ["tool_calls"]'))

    assert [cells[4] for cells in row_of(shown, "report.drift", "1")] == ["unknown", "unknown"]


def test_a_sum_that_is_not_known_is_said_to_be_unknown_with_its_reason(tmp_path, monkeypatch):
    monkeypatch.setattr(comparison_count, "MAX_INTEGER", 9)  # as if no integer beyond it were exact
    shown = page(tmp_path, asked=Asked(lane=TEXT))

    assert "the sum is not known" in shown
    assert re.search(r'/metrics/reason">more than 9, the largest exact integer: model_input_tokens', shown)


@pytest.mark.parametrize(("language", "lane", "task"), [("en", "Lane", "Task"), ("zh", "组", "任务")])
def test_what_a_comparison_did_not_attempt_is_listed_by_lane_and_task(tmp_path, language, lane, task):
    sources(tmp_path)
    run(tmp_path, read_study(Tiny().write(tmp_path / "manifests")))
    found = rendered(tmp_path, "attempts/tiny/")
    (shown,) = [
        text for place, text in found.items() if place.startswith(f"{language}/attempts/") and "not-attempted" in text
    ]

    assert f'<th scope="col">{lane}</th><th scope="col">{task}</th>' in shown.partition('id="not-attempted"')[2]
