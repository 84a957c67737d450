"""Where things stand in a drawing, for numbers nobody thought of."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitegen.charts.axis import WIDTH, axis
from sitegen.charts.counts import Count, counts_drawing
from sitegen.charts.ecdf import GRID, Sample, curve, ecdf_drawing, sample_axis
from sitegen.charts.forest import Estimate, ForestRow, forest_drawing
from sitegen.charts.labels import ROOM, cut, packed, width
from sitegen.charts.paired import DRAWN, NAMED, Pair, paired_drawing
from sitegen.charts.ticks import FEWEST, MOST, ticks

LARGEST = 2**53 - 1
NUMBERS = st.integers(-LARGEST, LARGEST)
LENGTHS = st.integers(0, LARGEST)


def is_round(number: int) -> bool:
    """1, 2 or 5 times a power of ten."""
    return str(number).rstrip("0") in ("1", "2", "5")


@given(NUMBERS, NUMBERS)
@example(0, 0)
@example(7, 7)
@example(-LARGEST, LARGEST)
def test_ticks_cover_the_range_in_a_few_round_and_equal_steps(one, other):
    low, high = sorted((one, other))

    found = ticks(low, high)

    assert found[0] <= low <= high <= found[-1]
    assert FEWEST <= len(found) <= MOST
    steps = {after - before for before, after in pairwise(found)}
    assert len(steps) == 1
    step = steps.pop()
    assert is_round(step)
    assert all(tick % step == 0 for tick in found)
    assert low < 0 or found[0] >= 0


@given(st.integers(1, LARGEST), st.integers(1, LARGEST))
@example(1, 1)
@example(1, 50)
@example(1, LARGEST)
def test_logarithmic_ticks_cover_the_range_in_round_numbers(one, other):
    low, high = sorted((one, other))

    found = ticks(low, high, logarithmic=True)

    assert found[0] <= low <= high <= found[-1]
    assert FEWEST <= len(found) <= MOST
    assert all(is_round(tick) for tick in found)
    assert list(found) == sorted(set(found))


@pytest.mark.parametrize(("low", "high", "logarithmic"), [(2, 1, False), (0, 5, True)])
def test_an_axis_that_cannot_be_is_refused(low, high, logarithmic):
    with pytest.raises(ValueError, match="axis from"):
        ticks(low, high, logarithmic=logarithmic)


@given(st.lists(NUMBERS, max_size=20), st.booleans())
def test_every_value_has_its_place_in_order_on_its_axis(values, logarithmic):
    scale = axis(values, may_be_logarithmic=logarithmic)

    places = [scale.at(value) for value in sorted(values)]

    assert all(0 <= place <= WIDTH for place in places)
    assert places == sorted(places)
    assert (scale.at(scale.ticks[0]), scale.at(scale.ticks[-1])) == (0, WIDTH)


@pytest.mark.parametrize(
    ("values", "logarithmic"), [([1, 50], True), ([1, 49], False), ([0, 10**12], False), ([5, 5], False), ([], False)]
)
def test_an_axis_is_logarithmic_where_the_span_is_wide_and_nothing_is_zero(values, logarithmic):
    assert axis(values, may_be_logarithmic=True).logarithmic is logarithmic
    assert axis(values).logarithmic is False


def counted(numbers: list[int]) -> list[Count]:
    """Counts of kinds without a name."""
    return [Count("✓", "accepted", "solid", number, f"{number:,}") for number in numbers]


@given(st.lists(st.lists(LENGTHS, min_size=1, max_size=7), min_size=1, max_size=5))
@example([[0, 0], [0]])
@example([[1, 10**15]])
def test_the_parts_of_a_bar_add_up_to_the_bar(rows):
    drawing = counts_drawing([("arm", counted(row)) for row in rows], str, "nothing")
    scale = axis([0, *(sum(row) for row in rows)])

    for bar, row in zip(drawing.bars, rows, strict=True):
        assert sum(part.width for part in bar.stretches) == scale.at(sum(row))
        assert len(bar.stretches) == sum(number > 0 for number in row)
        assert bool(bar.nothing) == (sum(row) == 0)
        ends = [0, *(part.x + part.width for part in bar.stretches)]
        assert [part.x for part in bar.stretches] == ends[:-1]
        assert sum(len(line) for _, line in bar.lines) == len(bar.stretches)


def test_rows_of_a_drawing_do_not_overlap():
    seven = counted([100_000] * 7)
    drawing = counts_drawing([("a", seven), ("b", seven), ("c", counted([0]))], str, "nothing")

    for above, below in pairwise(drawing.bars):
        assert above.y < above.bar_y < above.lines[0][0] <= above.lines[-1][0] < below.y
    assert len(drawing.bars[0].lines) > 1, "seven long counts do not fit one line of a narrow screen"
    assert drawing.bars[-1].y < drawing.floor < drawing.height


SAMPLES = st.builds(
    lambda values, censored, apart: Sample("arm", tuple(sorted(values)), tuple(sorted(censored)), apart),
    st.lists(LENGTHS, max_size=60),
    st.lists(LENGTHS, max_size=10),
    st.integers(0, 50),
).filter(lambda sample: sample.total)


@given(SAMPLES)
@example(Sample("arm", (), (), 1))
@example(Sample("arm", (), (5,), 0))
@example(Sample("arm", (0, 0, 0), (), 0))
@example(Sample("arm", tuple(range(1, 5000)), (), 0))
def test_a_step_curve_rises_to_the_known_part_of_all_and_no_further(sample):
    found = curve(sample, sample_axis([sample]), 1)

    assert list(found.points) == sorted(found.points)
    heights = [y for _, y in found.points]
    assert heights == sorted(heights)
    assert found.points[-1] == (GRID, (2 * len(sample.values) * GRID + sample.total) // (2 * sample.total))
    assert len(found.points) <= GRID + 2
    assert len(found.path) < 6_000


@given(SAMPLES)
def test_a_quantile_is_reached_only_where_so_many_are_known(sample):
    half = sample.quantile(1, 2)

    if half is None:
        assert 2 * len(sample.values) < sample.total
    else:
        assert 2 * sum(value <= half for value in sample.values) >= sample.total
        assert 2 * sum(value < half for value in sample.values) < sample.total


def test_what_was_cut_off_is_marked_on_its_curve_and_raises_nothing():
    sample = Sample("arm", (10, 20), (15, 30), 0)

    found = curve(sample, sample_axis([sample]), 1)

    assert found.points[-1][1] == GRID // 2
    assert [mark.y for mark in found.censored] == [150, 100]


def test_a_sample_of_nothing_has_no_curve():
    nothing, something = Sample("a", ()), Sample("b", (1, 2))

    drawing = ecdf_drawing([nothing, something], sample_axis([nothing, something]), str, "s", str)

    assert [item.label for item in drawing.curves] == ["b"]


ESTIMATES = st.lists(NUMBERS, min_size=3, max_size=3).map(sorted).map(lambda it: Estimate(it[1], (it[0], it[2])))


@given(st.lists(ESTIMATES | st.none(), max_size=8), st.none() | NUMBERS)
def test_an_interval_holds_its_estimate_and_the_axis_holds_all(estimates, reference):
    rows = [ForestRow("row", estimate, "words") for estimate in estimates]

    drawing = forest_drawing(rows, str, None if reference is None else (reference, "reference"))

    for line, estimate in zip(drawing.lines, estimates, strict=True):
        assert (line.whisker is None) == (estimate is None)
        if line.whisker:
            assert line.whisker.line is not None
            start, end = line.whisker.line
            assert 0 <= start <= line.whisker.x <= end <= WIDTH
    assert (drawing.reference is None) == (reference is None)


def test_an_interval_beside_its_estimate_is_refused():
    with pytest.raises(ValueError, match="3 lies outside 1 to 2"):
        Estimate(3, (1, 2))


PAIRS = st.lists(st.builds(Pair, st.text(max_size=5), st.none() | LENGTHS, st.none() | LENGTHS), max_size=150)


@given(PAIRS)
def test_differences_are_sorted_and_stand_on_their_side_of_the_zero_line(pairs):
    drawing = paired_drawing(pairs, str, str)
    known = sum(pair.difference is not None for pair in pairs)

    assert len(drawing.bars) == min(known, DRAWN)
    sides = [(bar.x + bar.width > drawing.zero) - (bar.x < drawing.zero) for bar in drawing.bars]
    assert sides == sorted(sides)
    for bar, side in zip(drawing.bars, sides, strict=True):
        assert bar.x + bar.width == drawing.zero if side < 0 else bar.x == drawing.zero
        assert bool(bar.words) == (known <= NAMED)
    for above, below in pairwise(drawing.bars):
        assert above.y + above.height <= below.y


def test_of_many_pairs_each_bar_stands_for_a_group_of_known_size():
    drawing = paired_drawing([Pair(f"t{n}", 0, n) for n in range(1_050)], str, str)

    assert (len(drawing.bars), drawing.group) == (DRAWN, 11)


@given(st.text(max_size=400), st.floats(20, 400))
def test_a_label_fits_its_room_or_is_cut_with_an_ellipsis(text, room):
    short = cut(text, room)

    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))
    assert width(short) <= room


@given(st.lists(st.text("0123456789,", min_size=1, max_size=12), max_size=9))
def test_words_are_packed_into_lines_in_order(words):
    lines = packed(words, 12)

    assert [index for line in lines for index in line] == list(range(len(words)))
    for line in lines:
        assert sum(width(words[index]) for index in line) + 12 * (len(line) - 1) <= ROOM
