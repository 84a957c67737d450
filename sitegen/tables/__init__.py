"""Large tables as values: typed columns, statistics of their numbers, and the script a page loads them from.

A table knows no language. Its words come from the page that shows it.
"""

from sitegen.tables.script import rows_script
from sitegen.tables.statistics import Spread, Summary, summary
from sitegen.tables.table import Choices, Column, Names, NoNumber, Numbers, Numeric, Table, Targets, Texts, targets

__all__ = [
    "Choices",
    "Column",
    "Names",
    "NoNumber",
    "Numbers",
    "Numeric",
    "Spread",
    "Summary",
    "Table",
    "Targets",
    "Texts",
    "rows_script",
    "summary",
    "targets",
]
