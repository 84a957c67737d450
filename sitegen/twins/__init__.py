"""What pages say, for programs: the attempts of a run as rows, the figures of a result as one document.

A twin is a derived view of sealed files. It is the same in every language and therefore lies once,
in `data/`, outside the folders of the languages.
"""

from sitegen.twins.result import result_twin
from sitegen.twins.rows import as_csv, as_jsonl, attempt_rows
from sitegen.twins.table import table_twin

__all__ = ["as_csv", "as_jsonl", "attempt_rows", "result_twin", "table_twin"]
