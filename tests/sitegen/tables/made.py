"""Makes small tables, and a page in both languages that shows one and opens from disk."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sitegen.catalog import read_catalogs
from sitegen.pages.page import Entry, Frame, Language, Link, PageView
from sitegen.pages.tables import TableView, table_view
from sitegen.render import renderer
from sitegen.tables import Choices, Names, NoNumber, Numbers, Numeric, Table, Texts, rows_script, targets

PAGE = "attempts/index.html"
SCRIPT = "data/rows.js"
TEMPLATE = """{% extends "base.html" %}
{% import "table.html" as t with context %}
{% block scripts %}{{ t.scripts(view.table) }}{% endblock %}
{% block main %}<h1>{{ view.title }}</h1>{{ t.table(view.table) }}{% endblock %}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage(PageView):
    """A page that shows one table and nothing else."""

    table: TableView


def a_table(
    cells: list[Numeric],
    *,
    kind: Literal["number", "duration", "line"] = "number",
    name: str = "row",
    outcomes: list[str] | None = None,
    text: str = "",
    arms: tuple[str, ...] = ("a",),
):
    """One row for each of `cells`, named `row.N`, with its number in the measured column `value`."""
    rows = len(cells)
    names = [f"{name}.{number}" for number in range(1, rows + 1)]
    known = tuple(dict.fromkeys(outcomes or ["accepted"]))
    return Table(
        rows,
        (
            Names("attempt", names, targets((f"{name}.html", name) for name in names)),
            Choices("outcome", known, [known.index(one) for one in outcomes or ["accepted"] * rows], shown=True),
            Choices("arm", arms, [row % len(arms) for row in range(rows)], shown=True),
            Texts("at", (text,), [0] * rows, shown=True),
            Numbers("value", cells, kind, measured=True, shown=True),
        ),
    )


def write_pages(table: Table, out: Path, project: Path, *, words=lambda value: value) -> dict[str, Path]:
    """The page of `table` in each language, with its script, assets and targets of its links; by language."""
    (project / "templates").mkdir(parents=True, exist_ok=True)
    (project / "templates" / "table-alone.html").write_text(TEMPLATE)
    theme, catalogs = renderer(project), read_catalogs()
    written: dict[str, Path] = {}
    twins: tuple[tuple[Language, Language], ...] = (("en", "zh"), ("zh", "en"))
    for language, other in twins:
        catalog = catalogs[language]
        frame = Frame(
            language, other, f"{language}/", "Site", "站", None, None, (Entry("x", "X", f"{language}/{PAGE}"),)
        )
        view = TablePage(
            frame=frame,
            path=PAGE,
            template="table-alone.html",
            title="Rows",
            description="Rows",
            section="x",
            table=table_view(
                table,
                catalog,
                {column.key: words for column in table.choices},
                name="attempts",
                script=SCRIPT,
                whole=Link("rows.csv", "data/rows.csv"),
            ),
        )
        written[language] = put(out, view.location, theme.page(view, catalog).encode())
    put(out, SCRIPT, rows_script(table))
    for place, data in theme.assets().items():
        put(out, place, data)
    return written


def put(out: Path, place: str, data: bytes) -> Path:
    """Write one file of a site."""
    path = out / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


__all__ = ["NoNumber", "a_table", "put", "write_pages"]
