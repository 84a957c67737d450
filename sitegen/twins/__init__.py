"""What pages say, for programs: the attempts of a run as rows, a result as one document, a run as metadata.

A twin is a derived view of sealed files. It is the same in every language and therefore lies once,
in `data/`, outside the folders of the languages.
"""

from sitegen.twins.crate import ro_crate
from sitegen.twins.receipts import receipts_twin
from sitegen.twins.reported import reported_files
from sitegen.twins.result import result_twin
from sitegen.twins.rows import as_both, as_csv, as_jsonl, attempt_rows
from sitegen.twins.table import table_twin

__all__ = [
    "as_both",
    "as_csv",
    "as_jsonl",
    "attempt_rows",
    "receipts_twin",
    "reported_files",
    "result_twin",
    "ro_crate",
    "table_twin",
]
