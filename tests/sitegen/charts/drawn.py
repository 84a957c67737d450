"""Renders a chart alone, as the theme's macro draws it on a page."""

from sitegen.catalog import Catalog
from sitegen.pages.chart_views import ChartView
from sitegen.render import GAPS, renderer

PAGE = '{% import "charts.html" as c with context %}{{ c.chart(view) }}'


def as_markup(view: ChartView, catalog: Catalog) -> str:
    """The figure of `view`; links lead where they say, from the site's root."""
    template = renderer().environment.from_string(PAGE)
    return template.render(view=view, say=catalog.say, rel=lambda target: target, gap=GAPS[catalog.language])
