"""The benchmark of a timed call works, and what it judges is the limit on what the harness may add."""

from tests.bench.harness import measure_harness
from tests.bench.limits import HARNESS
from tests.bench.report import Report


def test_a_sample_is_held_against_a_bare_spawn(monkeypatch):
    monkeypatch.setattr("tests.bench.harness.TURNS", 2)
    report = Report()
    measure_harness(1, report)
    (figure,) = report.figures
    assert figure.limit is HARNESS
    assert figure.value is not None
    assert 0.3 < figure.value < 3
