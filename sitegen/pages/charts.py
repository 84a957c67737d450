"""The charts that a sealed run can show, by kind."""

from collections.abc import Callable, Mapping

from runner.contract.attempt import Outcome
from sitegen import figures
from sitegen.charts.counts import Count, counts_drawing
from sitegen.pages.chart_views import ChartTable, ChartView, Column, KeyEntry
from sitegen.pages.durations import durations
from sitegen.pages.edition import Edition
from sitegen.pages.matrix import of_kind
from sitegen.pages.report import count_rows
from sitegen.sources import RunSource


def chart(edition: Edition, run: RunSource, kind: str) -> ChartView | None:
    """The chart of this kind; None if the run has no data for one. Raises KeyError for an unknown kind."""
    return _MAKERS[kind](edition, run)


def charts(edition: Edition, run: RunSource) -> tuple[ChartView, ...]:
    """Every chart that the run has data for."""
    found = (make(edition, run) for make in _MAKERS.values())
    return tuple(view for view in found if view is not None)


def _counts(edition: Edition, run: RunSource) -> ChartView | None:
    """Outcomes by arm, with the numbers of the analysis; None if nothing was planned at all."""
    say, catalog = edition.say, edition.catalog
    record = run.sealed.run
    if not record.tally.planned:
        return None
    _, *rows = count_rows(edition, run)
    arms = [(row.name, arm.tally, row.counts) for row, arm in zip(rows, record.analysis.arms, strict=True)]
    parts = [part.mark for part in arms[0][2].parts]
    drawing = counts_drawing(
        [
            (
                title,
                [
                    Count(
                        mark.glyph, mark.tone, mark.fill, tally.of(outcome), figures.count(tally.of(outcome), catalog)
                    )
                    for mark, outcome in zip(parts, Outcome, strict=True)
                ],
            )
            for title, tally, _ in arms
        ],
        words=lambda tick: figures.count(tick, catalog),
        nothing=say("chart.counts.nothing"),
    )
    described = [
        say(
            "chart.counts.described" if tally.planned else "chart.counts.described-none",
            subject=title,
            n=tally.planned,
            parts=say("list.comma").join(
                say("chart.counts.part", word=part.mark.word, number=part.count.text) for part in view.present
            ),
        )
        for title, tally, view in arms
    ]
    return ChartView(
        kind="counts",
        template="charts/counts.svg",
        title=say(f"chart.counts.title{of_kind(run)}"),
        description=" ".join(described),
        text=say("chart.counts.text"),
        drawing=drawing,
        key=tuple(
            KeyEntry("fill", mark.fill, mark.tone, mark.glyph, mark.word)
            for mark, outcome in zip(parts, Outcome, strict=True)
            if any(tally.of(outcome) for _, tally, _ in arms)
        ),
        notes=(),
        table=ChartTable(
            columns=(
                Column(say(f"column.subject{of_kind(run)}"), number=False),
                Column(say("count.planned"), number=True),
                *(Column(mark.word, number=True) for mark in parts),
            ),
            rows=tuple((title, view.planned, *(part.count for part in view.parts)) for title, _, view in arms),
        ),
    )


def _none(edition: Edition, run: RunSource) -> ChartView | None:
    """A qualification states no rate with an interval and measures nothing twice."""
    del edition, run
    return None


_MAKERS: Mapping[str, Callable[[Edition, RunSource], ChartView | None]] = {
    "counts": _counts,
    "ecdf": durations,
    "forest": _none,
    "paired": _none,
}
KINDS = tuple(_MAKERS)
