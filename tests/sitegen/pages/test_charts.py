"""Charts of a sealed run: what they say agrees with its analysis, in both languages, for eyes and for ears."""

import re
from dataclasses import replace

import pytest

from runner.contract.attempt import Outcome
from sitegen.catalog import read_catalogs
from sitegen.charts.counts import Count, CountsDrawing, counts_drawing
from sitegen.charts.ecdf import EcdfDrawing
from sitegen.pages.chart_views import ChartTable, ChartView, Column
from sitegen.pages.charts import KINDS, chart, charts
from sitegen.pages.durations import Known, known
from sitegen.pages.edition import edition
from sitegen.pages.page import Language
from sitegen.pages.quotes import Bound
from sitegen.sources import load
from tests.plugins.sites import PROJECT
from tests.sitegen.charts.drawn import as_markup
from tests.sitegen.pages.sample import UNPUBLISHED

CATALOGS = read_catalogs()
HOSTILE = '</svg><img src=x onerror="alert(1)"> \u202e and a name that is much too long for the drawing of any chart'


@pytest.fixture(scope="module")
def sources(full_site):
    return load(full_site.parent / PROJECT)


def drawn(sources, kind: str, language: Language = "en") -> ChartView:
    """A chart of the run with failures of each kind."""
    view = chart(edition(sources, language, CATALOGS[language]), sources.run("tiny", UNPUBLISHED), kind)
    assert view is not None
    return view


def counts_of(view: ChartView) -> CountsDrawing:
    """Its drawing, which is one of counts."""
    assert isinstance(view.drawing, CountsDrawing)
    return view.drawing


def said(cell) -> str:
    """What a cell of a table shows."""
    return cell if isinstance(cell, str) else cell.text if isinstance(cell, Bound) else cell.words


@pytest.mark.parametrize("language", ["en", "zh"])
def test_counts_are_those_of_the_analysis_and_each_is_bound_to_it(sources, language):
    view = drawn(sources, "counts", language)
    arms = sources.run("tiny", UNPUBLISHED).sealed.run.analysis.arms

    assert len(view.table.rows) == len(counts_of(view).bars) == len(arms)
    for index, (row, arm) in enumerate(zip(view.table.rows, arms, strict=True)):
        numbers = [arm.tally.planned, *(arm.tally.of(outcome) for outcome in Outcome)]
        names = ["planned", *(outcome.name for outcome in Outcome)]
        assert [said(cell) for cell in row[1:]] == [str(number) for number in numbers]
        assert [cell.pointer for cell in row[1:] if isinstance(cell, Bound)] == [
            f"/analysis/arms/{index}/tally/{name}" for name in names
        ]


def test_every_outcome_that_occurred_has_its_own_hatching_in_the_key(sources):
    view = drawn(sources, "counts")
    run = sources.run("tiny", UNPUBLISHED).sealed.run

    assert len(view.key) == sum(run.tally.of(outcome) > 0 for outcome in Outcome)
    assert len({entry.style for entry in view.key}) == len(view.key)
    assert all(entry.glyph and entry.words for entry in view.key)


def test_what_was_cut_off_or_never_judged_is_no_duration_and_is_said(sources):
    view = drawn(sources, "ecdf")
    tally = sources.run("tiny", UNPUBLISHED).sealed.run.tally
    judged, cut_off = tally.accepted + tally.rejected, tally.timed_out + tally.interrupted
    row, gated = view.table.rows

    assert [said(cell) for cell in row[1:5]] == [
        str(number) for number in (tally.planned, judged, cut_off, tally.planned - judged - cut_off)
    ]
    assert said(row[-1]) == "not reached", "not all of what was planned was judged"
    assert isinstance(view.drawing, EcdfDrawing)
    (curve,) = view.drawing.curves
    assert curve.points[-1][1] == round(view.drawing.grid * judged / tally.planned)
    assert curve.censored
    assert [note.split(":")[1].split()[0] for note in view.notes] == [str(cut_off), str(tally.failed_to_run), "nothing"]
    assert [said(cell) for cell in gated[1:]] == ["0"] * 4 + ["undefined"] * 4


@pytest.mark.parametrize("outcome", Outcome)
def test_only_a_judged_attempt_has_a_duration(outcome):
    assert (known(outcome) is Known.value) == (outcome in (Outcome.accepted, Outcome.rejected))


def test_a_kind_without_data_is_no_chart_and_an_unknown_kind_is_an_error(sources):
    made = edition(sources, "en", CATALOGS["en"])
    run = sources.run("tiny", UNPUBLISHED)

    assert KINDS == ("counts", "ecdf", "forest", "paired")
    assert chart(made, run, "forest") is None
    assert [view.kind for view in charts(made, run)] == ["counts", "ecdf"]
    with pytest.raises(KeyError):
        chart(made, run, "pie")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_drawing_has_a_title_a_description_and_its_numbers_beside_it(site, language):
    page = site[f"{language}/runs/tiny/{UNPUBLISHED}.html"]
    figures = re.findall(r'<figure class="chart.*?</figure>', page, re.DOTALL)

    assert len(figures) == 2
    for figure in figures:
        found = re.search(r'<svg width="100%".*?</svg>\n</div>', figure, re.DOTALL)
        assert found is not None
        drawing = found[0]
        assert re.match(r'<svg [^>]*role="img">\s*<title>[^<]+</title>\s*<desc>[^<]+</desc>', drawing)
        assert "<details>" in figure
        assert "style=" not in figure
        assert "NaN" not in figure
        assert len(drawing.encode()) < 8_000


def test_a_hostile_name_is_text_in_the_drawing_and_whole_in_the_table(sources):
    count = Count("✓", "accepted", "solid", 3, "3")
    view = replace(
        drawn(sources, "counts"),
        drawing=counts_drawing([(HOSTILE, [count])], str, "nothing"),
        description=HOSTILE,
        table=ChartTable((Column(HOSTILE, number=False),), ((HOSTILE,),)),
    )

    markup = as_markup(view, CATALOGS["en"])

    assert "<img" not in markup
    assert "\u202e" not in markup
    assert markup.count("⟦U+202E⟧ and a name that is much too long for the drawing of any chart</") == 3
    assert re.search(r'<text class="label"[^>]*>&lt;/svg&gt;&lt;img[^<]*…</text>', markup)
