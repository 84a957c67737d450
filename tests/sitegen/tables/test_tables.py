"""Tables as values: the script holds exactly the rows, and statistics are those of plain counting."""

import json
import statistics
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.catalog import read_catalogs
from sitegen.pages.page import Link
from sitegen.pages.tables import table_view
from sitegen.tables import Choices, Names, NoNumber, Numbers, Table, Texts, rows_script, summary, targets
from sitegen.tables.script import GLOBAL
from sitegen.tables.table import LARGEST
from sitegen.twins import table_twin
from sitegen.visible import in_a_line
from tests.sitegen.tables.made import a_table

TOKENS = {"?": "unknown", "!": "undefined", "n": "nan", "+": "plus-infinity", "-": "minus-infinity"}
NUMERIC = st.one_of(st.integers(-LARGEST, LARGEST), st.sampled_from(NoNumber), st.integers(0, 3))
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
REPORTED: list[int | NoNumber] = [1, NoNumber.nan, NoNumber.plus_infinity, NoNumber.minus_infinity, NoNumber.unknown]
"""The metrics of the report A11: 1, "nan", Infinity, -Infinity, missing."""


def decoded(script: bytes) -> dict:
    """What a browser finds in the script, by an own reading of its format."""
    text = script.decode()
    assert text.startswith(f"{GLOBAL}=")
    assert text.endswith(";\n")
    return json.loads(text.removeprefix(f"{GLOBAL}=").removesuffix(";\n"))


def cells(coded: str) -> list[int | str]:
    """Coded cells one by one."""
    found: list[int | str] = []
    for token in coded.split(",") if coded else ():
        if "~" in token:
            first, last = token.split("~")
            found += range(int(first), int(last) + 1)
            continue
        cell, _, times = token.partition("*")
        found += [TOKENS.get(cell) or int(cell)] * int(times or 1)
    return found


@given(numbers=st.lists(NUMERIC, max_size=40), data=st.data())
def test_the_script_holds_exactly_the_rows(numbers, data):
    rows = len(numbers)
    names = data.draw(st.lists(TEXT, min_size=rows, max_size=rows))
    texts = data.draw(st.lists(TEXT, min_size=1, max_size=4, unique=True))
    codes = data.draw(st.lists(st.integers(0, len(texts) - 1), min_size=rows, max_size=rows))
    places = data.draw(
        st.lists(st.sampled_from(["../{}.html", "p/0001.html#{}", "same.html"]), min_size=rows, max_size=rows)
    )
    leads = [place.replace("{}", name) for place, name in zip(places, names, strict=True)]
    table = Table(
        rows,
        (
            Names("attempt", names, targets(zip(leads, names, strict=True))),
            Texts("at", tuple(texts), codes),
            Choices("arm", tuple(texts), codes),
            Numbers("value", numbers),
            Numbers("line", range(1, rows + 1), "line"),
        ),
    )

    found = decoded(rows_script(table))
    named, at, arm, value, line = found["columns"]
    assert found["rows"] == rows
    assert (named["names"].split("\n") if rows else []) == [in_a_line(name) for name in names]
    assert [at["texts"][code] for code in cells(at["cells"])] == [in_a_line(texts[code]) for code in codes]
    assert [arm["values"][code] for code in cells(arm["cells"])] == [texts[code] for code in codes]
    assert cells(value["cells"]) == [str(cell) if isinstance(cell, NoNumber) else cell for cell in numbers]
    assert cells(line["cells"]) == list(range(1, rows + 1))
    led = [named["targets"][code].replace("{}", name) for code, name in zip(cells(named["target"]), names, strict=True)]
    assert led == leads


@given(texts=st.lists(TEXT, min_size=1, max_size=5))
@example(["</script><script>alert(1)</script>", "\u2028\u2029", "\u202eevil", "\x00\x1b[31m", "<!--"])
def test_no_text_can_end_the_script_or_steer_what_shows_it(texts):
    names = [f"{number}{text}" for number, text in enumerate(texts)]
    table = Table(
        len(names),
        (
            Names("attempt", names, targets(("x.html", name) for name in names)),
            Texts("at", tuple(dict.fromkeys(texts)), [0] * len(names)),
        ),
    )

    script = rows_script(table).decode()

    assert "<" not in script
    assert not any(text in script for text in ("\u2028", "\u2029", "\u202e", "\x00", "\x1b", "\r"))
    assert script.count("\n") == len(table.columns)


@given(names=st.lists(st.from_regex(r"[ab]{1,2}(\.[0-9]{1,3}){0,2}", fullmatch=True), unique=True, max_size=20))
def test_names_are_ranked_with_the_numbers_in_them_as_numbers(names):
    table = Table(len(names), (Names("attempt", names, targets(("x.html", name) for name in names)),))
    column = decoded(rows_script(table))["columns"][0]

    ranks = cells(column["order"]) if "order" in column else list(range(len(names)))
    ordered = [name for _, name in sorted(zip(ranks, names, strict=True))]
    parts = [[int(part) if part.isdigit() else part for part in name.split(".")] for name in ordered]
    assert parts == sorted(parts, key=lambda one: [(isinstance(part, str), part) for part in one])


@given(numbers=st.lists(NUMERIC, max_size=60))
@example(REPORTED)
def test_statistics_are_those_of_plain_counting_over_what_is_finite(numbers):
    found = summary(numbers)
    finite = [cell for cell in numbers if type(cell) is int]

    assert found.finite == len(finite)
    assert found.unknown == numbers.count(NoNumber.unknown)
    assert found.undefined == numbers.count(NoNumber.undefined)
    assert found.finite + found.unknown + found.undefined + found.non_finite == len(numbers)
    if finite:
        assert found.spread is not None
        assert (found.spread.minimum, found.spread.maximum) == (min(finite), max(finite))
        assert found.spread.median == statistics.median([Fraction(cell) for cell in finite])
    else:
        assert found.spread is None


@pytest.mark.report("A11")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_page_and_json_count_apart_what_is_no_finite_number_and_agree(language):
    table = a_table(REPORTED)
    catalog = read_catalogs()[language]
    view = table_view(
        table, catalog, {"outcome": str, "arm": str}, name="attempts", script="x.js", whole=Link("x", "x.csv")
    )

    [line] = view.statistics
    [stated] = json.loads(table_twin(table, "tiny", "x"))["statistics"]
    assert (line.finite, line.unknown, line.undefined, line.non_finite) == ("1", "1", "0", "3")
    assert (line.minimum, line.median, line.maximum) == ("1", "1", "1")
    assert stated == {
        "column": "value",
        "unit": None,
        "finite": 1,
        "unknown": 1,
        "undefined": 0,
        "non_finite": 3,
        "minimum": 1,
        "median": {"numerator": 1, "denominator": 1},
        "maximum": 1,
    }
    words = [row.cells[-1].text for row in view.rows]
    assert words == ["1", *(catalog.say(f"no_number.{cell}") for cell in REPORTED[1:])]


def test_a_median_of_nothing_is_undefined_and_one_of_two_is_exact():
    nothing = json.loads(table_twin(a_table([NoNumber.unknown]), "tiny", "x"))["statistics"][0]
    assert "median" not in nothing
    assert (nothing["finite"], nothing["unknown"]) == (0, 1)
    view = table_view(
        a_table([1, 1002]),
        read_catalogs()["en"],
        {"outcome": str, "arm": str},
        name="attempts",
        script="x.js",
        whole=Link("x", "x.csv"),
    )
    assert view.statistics[0].median == "501.5"


@pytest.mark.parametrize(("rows", "shown"), [(500, 500), (501, 100)])
def test_up_to_500_rows_stand_in_the_page_and_of_more_the_first_100(rows, shown):
    view = table_view(
        a_table(list(range(rows))),
        read_catalogs()["en"],
        {"outcome": str, "arm": str},
        name="attempts",
        script="x.js",
        whole=Link("x", "x.csv"),
        anchors={0: "first", 499: "last"},
    )

    assert (len(view.rows), view.count, view.total) == (shown, rows, str(rows))
    assert (view.rows[0].anchor, view.elsewhere) == ("first", () if shown == rows else ("last",))


@pytest.mark.parametrize("number", [LARGEST + 1, -LARGEST - 1])
def test_a_number_that_a_browser_would_round_is_refused(number):
    with pytest.raises(ValueError, match="column value has a number beyond 2\\^53-1"):
        a_table([number])


def test_a_column_with_too_few_cells_is_refused():
    with pytest.raises(ValueError, match="column value has 1 cells, the table 2 rows"):
        Table(2, (Numbers("value", [1]),))
