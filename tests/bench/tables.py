"""Measures the table of attempts in Chromium against the peer's table and a bare page."""

from pathlib import Path

from playwright.sync_api import Browser

from tests.bench import builds, limits
from tests.bench.browser import asked, floor, ours, theirs, write_floor
from tests.bench.measure import in_turns
from tests.bench.report import Figure, Report, seconds
from tests.bench.synthetic_study import RUN, STUDY

GUIDES = {"interactive": limits.INTERACTIVE, "filter": limits.FILTER}


def measure_tables(browser: Browser, work: Path, attempts: int, repeats: int, report: Report) -> None:
    """Time to interactive, sort and filter, in turns with the peer's tables of one and of two run sets."""
    page = builds.table_page(work / f"site-{attempts}")
    peer = work / "peer"
    found = in_turns(
        repeats,
        {
            "ours": asked(browser, ours(page)),
            "one": asked(browser, theirs(peer / "one.html")),
            "two": asked(browser, theirs(peer / "two.table.html")),
        },
    )
    names = {
        "interactive": "table interactive",
        "filter": "table filtered by outcome",
        "sort": "table sorted by a number",
    }
    for figure, name in names.items():
        mine = found["ours"][figure]
        for peers, rows in (("one", f"{attempts:,}"), ("two", f"2 x {attempts:,}")):
            its = found[peers][figure]
            report.add(
                Figure(
                    f"{name}, {attempts:,} rows",
                    seconds(mine),
                    f"the peer's table, {rows} rows: {seconds(its)} ({mine / its:.3f} of it)",
                    mine / its,
                    GUIDES.get(figure),
                    "" if figure in GUIDES else limits.GUIDE_SORT,
                )
            )


def measure_large_table(browser: Browser, work: Path, attempts: int, repeats: int, report: Report) -> None:
    """The same of our table alone, beside a bare page that loads as much script and sorts a plain array."""
    site = work / f"site-{attempts}"
    script = site / "data" / "attempts" / STUDY / RUN / "rows.js"
    bare = write_floor(work / "floor", script, attempts)
    table = ours(builds.table_page(site))
    found = in_turns(repeats, {"ours": asked(browser, table), "floor": floor(browser, bare)})
    for figure, guide in limits.GUIDE_LARGE.items():
        its = found["floor"].get(figure)
        against = f"floor: {seconds(its)}" if its is not None else ""
        report.add(Figure(f"table {figure}, {attempts:,} rows", seconds(found["ours"][figure]), against, guide=guide))
