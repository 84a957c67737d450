"""The report of a comparison shows its metrics, and differences only where nothing is missing."""

import pytest

from runner.contract.comparison.tasks import Asked
from runner.reading.manifest import read_study
from tests.comparisons import Tiny, run
from tests.sitegen.projects import PROTOCOL, TEXTS, write
from tests.sitegen.rendered import rendered

FRONT = """+++
title = "Tiny"
version = "1.0"
date = "2026-11-30"
status = "active"
summary = "Tiny."
+++

Text.
"""


def sources(root) -> None:
    """What a site needs beside a study."""
    write(root, "content/site.toml", TEXTS["content/site.toml"])
    for each in ("en", "zh"):
        write(root, PROTOCOL.format(each), FRONT)


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
        table = shown.split(f"<caption>Narrow {task}</caption>")[1].split("</table>")[0]
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
