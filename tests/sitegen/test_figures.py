"""Values become words that are true at any rounding."""

import pytest

from runner.contract.parity.change import change
from runner.contract.values import Ratio
from sitegen import figures
from sitegen.catalog import Catalog, read_catalogs

WORDS = {
    "en": Catalog("en", {"no_number.undefined": ("undefined",), "figure.bytes": ("{n} byte", "{n} bytes")}, {}),
    "zh": Catalog("zh", {"no_number.undefined": ("无定义",), "figure.bytes": ("{n} 字节",)}, {}),
}


def plain(text: str) -> str:
    """With ordinary spaces."""
    return text.replace("\u00a0", " ")


@pytest.mark.parametrize(("language", "word"), [("en", "undefined"), ("zh", "无定义")])
def test_nothing_of_nothing_is_undefined_and_no_number(language, word):
    nothing = Ratio(numerator=0, denominator=0)

    assert figures.percent(nothing, WORDS[language]) == word


@pytest.mark.parametrize(
    ("numerator", "denominator", "shown"),
    [
        (6, 10, "60.0 %"),
        (0, 7, "0 %"),
        (7, 7, "100 %"),
        (1, 1_000_000, "0.1 %"),
        (999_999, 1_000_000, "99.9 %"),
        (1, 3, "33.3 %"),
        (2, 3, "66.7 %"),
        (3, 2, "150.0 %"),
    ],
)
def test_a_percentage_is_nought_or_a_hundred_only_where_that_is_exact(numerator, denominator, shown):
    assert plain(figures.percent(Ratio(numerator=numerator, denominator=denominator), WORDS["en"])) == shown


@pytest.mark.parametrize(
    ("nanoseconds", "shown"),
    [
        (0, "0 ns"),
        (999, "999 ns"),
        (12_400, "12 µs"),
        (1_500_000, "2 ms"),
        (1_234_000_000, "1.234 s"),
        (59_999_000_000, "59.999 s"),
        (303_000_000_000, "5 min 03 s"),
        (7_200_000_000_000, "120 min 00 s"),
    ],
)
def test_a_duration_has_its_unit(nanoseconds, shown):
    assert plain(figures.duration(nanoseconds, WORDS["en"])) == shown


def test_a_size_is_exact_and_in_the_words_of_its_language():
    assert figures.size(1, WORDS["en"]) == "1 byte"
    assert figures.size(1_048_577, WORDS["en"]) == "1,048,577 bytes"
    assert figures.size(1, WORDS["zh"]) == "1 字节"


def test_an_instant_names_its_zone():
    assert figures.instant("2026-11-30T01:44:55Z") == "2026-11-30 01:44:55 UTC"


@pytest.mark.parametrize(("value", "shown"), [(0, "0"), (12_345, "12,345"), (-140, "−140"), (-12_345, "−12,345")])
def test_a_count_below_zero_has_a_minus_and_no_hyphen(value, shown):
    assert figures.count(value, WORDS["en"]) == shown


@pytest.mark.parametrize(
    ("digits", "decimals", "shown"),
    [
        (1_695_738_770, 6, "+1,695.738770"),
        (-5_227_102, 6, "−5.227102"),
        (-1, 6, "−0.000001"),
        (0, 2, "0.00"),
        (7, 0, "+7"),
    ],
)
def test_a_decimal_fraction_keeps_every_decimal_and_its_sign(digits, decimals, shown):
    assert figures.fixed(digits, decimals, WORDS["en"], signed=True) == shown
    assert figures.fixed(digits, decimals, WORDS["en"]) == shown.removeprefix("+")


@pytest.mark.parametrize(
    ("nanoseconds", "decimals", "shown"),
    [
        (236_799_000, 3, "236.799"),
        (236_799_500, 3, "236.800"),
        (-1_499_999, 0, "−1"),
        (-1_500_000, 0, "−2"),
        (1, 6, "0.000001"),
    ],
)
def test_a_time_in_milliseconds_is_rounded_to_the_nearest_digit_either_way(nanoseconds, decimals, shown):
    assert figures.milliseconds(nanoseconds, decimals, WORDS["en"]) == shown


@pytest.mark.parametrize(
    ("base", "head", "decimals", "shown"),
    [
        (687_480_170, 692_964_086, 6, "+0.797684"),
        (687_480_170, 692_964_086, 2, "+0.80"),
        (684_077_129, 648_319_723, 2, "−5.23"),
        (10**9, 10**9 + 1, 2, "+0.01"),
        (10**9, 10**9 - 1, 2, "−0.01"),
        (10**9, 10**9, 2, "0.00"),
    ],
)
def test_a_change_that_is_not_nothing_is_never_shown_as_nothing(base, head, decimals, shown):
    assert figures.change(change(base, head), decimals, WORDS["en"]) == shown


@pytest.mark.report("A12")
@pytest.mark.parametrize(("language", "word"), [("en", "undefined (baseline 0)"), ("zh", "无定义（基线为 0）")])
def test_a_change_over_nothing_is_a_word(language, word):
    assert figures.change(change(0, 5), 6, read_catalogs()[language]) == word


@pytest.mark.parametrize(
    ("nanoseconds", "shown"),
    [
        (276_825_331, "276.825331 ms"),
        (5_000_000, "5 ms"),
        (-1, "−0.000001 ms"),
        (0, "0 ms"),
        (1_500_000_000, "1,500 ms"),
    ],
)
def test_a_time_that_a_text_binds_is_exact_and_has_its_unit(nanoseconds, shown):
    assert figures.exact_duration(nanoseconds, read_catalogs()["en"]).replace("\u00a0", " ") == shown
