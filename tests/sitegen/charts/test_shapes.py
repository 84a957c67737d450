"""What each shape looks like as SVG, in both languages, with numbers that anybody can check.

The intervals are Wilson's at 95 %, in millionths, rounded outward.
"""

import pytest

from runner.contract.values import Ratio
from sitegen import figures
from sitegen.catalog import Catalog, read_catalogs
from sitegen.charts.paired import DRAWN, Pair
from sitegen.pages.comparisons import Rate, Unit, forest, paired
from tests.sitegen.charts.drawn import as_markup

CATALOGS = read_catalogs()
WILSON = {
    "aqua": (42, 53, (665_422, 879_955)),
    "agent-collab": (42, 43, (879_410, 995_883)),
    "all": (10, 10, (722_467, 1_000_000)),
    "none": (0, 10, (0, 277_533)),
    "echo": (0, 0, None),
}
SECOND = 1_000_000_000


def rates() -> list[Rate]:
    return [
        Rate(name, Ratio(numerator=k, denominator=n), str(k), str(n), ends) for name, (k, n, ends) in WILSON.items()
    ]


def seconds(catalog: Catalog) -> Unit:
    """Durations in seconds."""

    def words(value: int) -> str:
        return figures.in_units(value, SECOND, catalog)

    return Unit(words, lambda value: ("+" if value > 0 else "") + words(value), "s")


PAIRS = [
    Pair("faster", 3 * SECOND, SECOND),
    Pair("slower", SECOND, SECOND * 5 // 2),
    Pair("the same", SECOND, SECOND),
    Pair("a task whose name is a good deal longer than a telephone is wide", 0, 12_500_000),
    Pair("未测得", SECOND, None),
]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_forest_plot_is_as_expected(golden, language):
    view = forest(CATALOGS[language], "Accepted of planned", rates(), (500_000, "50\u00a0%"))
    assert view is not None

    golden(f"charts/forest.{language}.html", as_markup(view, CATALOGS[language]))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_paired_differences_are_as_expected(golden, language):
    catalog = CATALOGS[language]
    view = paired(catalog, "Wall time", PAIRS, seconds(catalog))
    assert view is not None

    golden(f"charts/paired.{language}.html", as_markup(view, catalog))


def test_a_rate_of_nothing_is_a_word_and_no_mark():
    view = forest(CATALOGS["en"], "Rates", rates()[-1:])
    assert view is not None

    markup = as_markup(view, CATALOGS["en"])

    assert '<text class="said" x="100%" y="13" text-anchor="end">undefined</text>' in markup
    assert "circle" not in markup
    assert view.description == "echo: undefined."


@pytest.mark.parametrize(
    ("language", "words", "ends"),
    [("en", "60.0\u00a0%, no interval", "not stated"), ("zh", "60.0\u00a0%（未给出区间）", "未给出")],
)
def test_a_rate_without_an_interval_is_a_mark_without_a_line_and_is_not_called_undefined(language, words, ends):
    rate = Rate("aqua", Ratio(numerator=6, denominator=10), "6", "10", None)
    view = forest(CATALOGS[language], "Rates", [rate])
    assert view is not None

    markup = as_markup(view, CATALOGS[language])

    assert f'text-anchor="end">{words}</text>' in markup
    assert 'cx="60.0%"' in markup
    assert "whisker" not in markup
    assert view.table.rows == (("aqua", "6", "10", "60.0\u00a0%", ends, ends),)


def test_an_interval_that_does_not_hold_its_rate_is_refused_and_nothing_is_moved():
    rate = Rate("aqua", Ratio(numerator=9, denominator=10), "9", "10", (100_000, 800_000))

    with pytest.raises(ValueError, match="900000 lies outside 100000 to 800000"):
        forest(CATALOGS["en"], "Rates", [rate])


def test_a_pair_with_a_gap_is_counted_and_listed_and_not_drawn():
    view = paired(CATALOGS["en"], "Wall time", PAIRS, seconds(CATALOGS["en"]))
    assert view is not None

    assert view.description == "4 of 5 pairs are complete: 1 lower, 1 the same, 2 higher than the base."
    assert view.notes[0].startswith("1 of 5 pairs lacks a measurement.")
    assert view.table.rows[-1] == ("未测得", "1", "unknown", "unknown")


def test_a_base_of_zero_gives_an_absolute_difference_and_no_ratio():
    view = paired(CATALOGS["en"], "Wall time", [Pair("t", 0, SECOND // 1000)], seconds(CATALOGS["en"]))
    assert view is not None

    assert view.table.rows == (("t", "0", "0.001", "+0.001"),)


def test_bars_that_stand_for_several_pairs_say_so():
    many = [Pair(f"t{n}", 0, n) for n in range(2 * DRAWN)]
    view = paired(CATALOGS["en"], "Many", many, seconds(CATALOGS["en"]))
    assert view is not None

    assert "100 bars are drawn" in view.notes[0]
    assert len(view.table.rows) == len(many)


def test_without_numbers_there_is_no_chart():
    assert forest(CATALOGS["en"], "Rates", []) is None
    assert paired(CATALOGS["en"], "Wall time", PAIRS[-1:], seconds(CATALOGS["en"])) is None
