"""`python table_alone.py PROJECT OUT FACTS`: the table of attempts of a project and nothing else, into the folder OUT.

The table is what a build makes of it: its rows as a script, CSV and JSON lines, and its page in each language, with the
list of runs that leads there. FACTS becomes a JSON object: the CPU time in seconds from when everything was verified
and the words of both languages were read, which is the start of the program and no part of a table.
"""

import json
import sys
import time
from pathlib import Path

from sitegen.build import row_files
from sitegen.catalog import read_catalogs
from sitegen.output import Folder
from sitegen.pages.attempts import attempt_table_pages
from sitegen.pages.edition import edition
from sitegen.pages.page import LANGUAGES
from sitegen.render import renderer
from sitegen.sources import load


def main() -> None:
    """Verify, make the table, and note what that took."""
    project, out, facts = map(Path, sys.argv[1:])
    site, catalogs = load(project), read_catalogs()
    verified = time.process_time()
    folder, theme = Folder(out, out), renderer(project)
    for study in site.studies:
        for run in study.runs:
            for path, pieces in row_files(run):
                folder.put(path, pieces)
    for language in LANGUAGES:
        for view in attempt_table_pages(edition(site, language, catalogs[language])):
            folder.put(view.location, (theme.page(view, catalogs[language]).encode(),))
    facts.write_text(json.dumps({"cpu": time.process_time() - verified}), encoding="utf-8")


if __name__ == "__main__":
    main()
