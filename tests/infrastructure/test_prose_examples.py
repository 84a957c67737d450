"""Every example of docs/prose.md does what the page says, on the published run that it names."""

import re
from pathlib import Path

import pytest

from sitegen.catalog import read_catalogs
from sitegen.errors import ContentError
from sitegen.pages.charts import KINDS
from sitegen.pages.documents import document_prose
from sitegen.pages.edition import edition
from sitegen.pages.inserts import MOST_ROWS, ROWS, offered
from sitegen.pages.results import told
from sitegen.prose.roles import ROLES
from sitegen.sources import Document, load

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "prose.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```markdown\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", TEXT, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def site():
    """The repository's own site."""
    return load(ROOT, include_unpublished=False)


def test_there_are_examples():
    assert len(EXAMPLES) == len(re.findall(r"^```markdown$", TEXT, re.MULTILINE)) >= 9


@pytest.mark.parametrize(("written", "said"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_is_answered_as_the_page_says(site, written, said):
    result = next(result for result in site.results if result.study == "coordination-recovery")
    study, run = told(site, result)
    document = Document("x.md", "en", "Title", "Summary", {}, written, 1)

    try:
        shown = document_prose(
            edition(site, "en", read_catalogs()["en"]), document, "results/x.html", study=study, run=run
        )
        problems = shown.cautions
    except ContentError as error:
        problems = error.problems

    assert sorted(str(problem).removeprefix("x.md: ") for problem in problems) == said.splitlines()


def test_the_page_lists_every_role_and_directive_and_no_other(site):
    study, run = told(site, site.results[0])
    directives = offered(study, run)

    assert tuple(re.findall(r"^\| `` \{([a-z]+)\}", TEXT, re.MULTILINE)) == ROLES
    rows = dict(re.findall(r"^\| `:::\{([a-z ]+\} ?[a-z]*|chart\} KIND)`.*\|([^|]*)\|$", TEXT, re.MULTILINE))
    listed = {name.replace("}", "").strip(): set(re.findall(r"`([a-z]+)`", options)) for name, options in rows.items()}
    assert listed.pop("chart KIND") == set()
    for name, directive in directives.items():
        for argument, options in directive.arguments.items():
            if name == "chart":
                assert f"`{argument}`" in TEXT
            else:
                assert listed.pop(f"{name} {argument}".strip()) == set(options)
    assert listed == {}
    assert set(directives["chart"].arguments) == set(KINDS)
    assert f"`limit` is {ROWS} unless it is given, and at most {MOST_ROWS}" in TEXT
