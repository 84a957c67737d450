"""The benchmarks say plainly what was missed, and judge only what has a limit."""

from pathlib import Path

import pytest

from tests.bench.limits import FOLDER, INTERACTIVE
from tests.bench.measure import cost_of, in_turns
from tests.bench.report import Figure, Report


def test_only_a_figure_beyond_its_limit_is_missed():
    report = Report()
    report.add(Figure("as large as allowed", "5 MB", "", FOLDER.most, FOLDER))
    report.add(Figure("too slow", "1 s", "the peer: 2 s", 0.5, INTERACTIVE))
    report.add(Figure("only told", "9 s", "", guide="under 1 s"))
    assert report.missed() == ["too slow"]
    assert "| too slow | 1 s | the peer: 2 s | 0.5 of the peer, at most 0.333 missed | under 0.5 s |" in report.table()


def test_contenders_take_turns_and_the_median_of_each_figure_counts():
    order: list[str] = []
    times = {"a": iter([9.0, 1.0, 2.0]), "b": iter([5.0, 5.0, 6.0])}

    def contender(name: str):
        def once() -> dict[str, float]:
            order.append(name)
            return {"s": next(times[name])}

        return once

    assert in_turns(3, {"a": contender("a"), "b": contender("b")}) == {"a": {"s": 2.0}, "b": {"s": 5.0}}
    assert order == ["a", "b"] * 3


def test_a_command_that_fails_is_no_measurement(tmp_path):
    with pytest.raises(RuntimeError, match=r"ended with 3:\nno such luck"):
        cost_of(["sh", "-c", "echo no such luck; exit 3"], tmp_path)
    assert cost_of(["sh", "-c", "true"], Path(tmp_path)).peak_mb > 0
