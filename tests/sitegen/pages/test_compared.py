"""The report of a comparison shows its metrics, and differences only where nothing is missing."""

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


def page(root, asked=None) -> str:
    """The English page of one run of a tiny comparison."""
    write(root, "content/site.toml", TEXTS["content/site.toml"])
    for language in ("en", "zh"):
        write(root, PROTOCOL.format(language), FRONT)
    run(root, read_study(Tiny().write(root / "manifests")), asked=asked)
    found = rendered(root, "runs/")
    return next(text for place, text in found.items() if place.startswith("en/"))


def test_a_complete_matrix_shows_totals_and_differences_bound_to_the_evidence(tmp_path):
    shown = page(tmp_path)

    assert 'title="run.json /analysis/lanes/1/metrics/values/model_input_tokens">20</a>' in shown
    assert 'id="report.differences"' in shown
    assert 'title="run.json /analysis/differences/0/metrics/model_input_tokens">-10</a>' in shown.replace("−", "-")
    assert 'id="report.missing"' not in shown


def test_a_partial_matrix_shows_what_is_missing_and_no_difference(tmp_path):
    shown = page(tmp_path, Asked(lane="by-text"))

    assert 'id="report.differences"' not in shown
    assert 'title="run.json /analysis/missing/0/reason">not selected</a>' in shown
    assert '<td class="number">unknown</td>' in shown
