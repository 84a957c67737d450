"""The page of rules maps each rule to its tests, to the command that runs each, and to what it came to."""

import json
import re
from pathlib import Path

import pytest

from sitegen.pages.rules import GET_READY
from tests.sitegen.pages.compared_sample import sources
from tests.sitegen.pages.sample import RECORD
from tests.sitegen.projects import write
from tests.sitegen.rendered import rendered


@pytest.mark.rule("T96")
@pytest.mark.parametrize(("language", "result"), [("en", "3 passed, 1 skipped"), ("zh", "通过 3 例、跳过 1 例")])
def test_each_test_of_a_rule_stands_with_its_command_and_the_results_of_its_cases(tmp_path, language, result):
    test = "tests/test_x.py::test_one"
    proof = {"test": test, "outcome": "skipped", "cases": {"passed": 3, "skipped": 1}}
    rule = {"id": "T96", "text": "A rule.", "status": "skipped", "tests": [proof]}
    sources(tmp_path)
    write(tmp_path, "docs/rules-record.json", json.dumps(RECORD | {"rules": [rule], "reports": []}))
    page = rendered(tmp_path, "rules/")[f"{language}/rules/index.html"]
    row = page.split('id="T96"')[1].split("</tr>")[0]

    assert re.sub("<[^>]+>", "", row.split("<code>")[0]).rpartition(" · ")[2] == result
    assert "A rule." in row
    assert f"<code>.venv/bin/python -m pytest {test}</code>" in row
    assert "<code>make rules-record</code>" in page
    assert f"<code>{GET_READY}</code>" in page


def test_what_the_page_says_to_prepare_is_what_the_makefile_prepares_before_the_tests():
    makefile = (Path(__file__).parents[3] / "Makefile").read_text(encoding="utf-8")
    (study,) = re.findall("^TESTED_STUDY := (.*)$", makefile, re.MULTILINE)

    assert f"make setup\n.venv/bin/sealbook prepare {study}" == GET_READY
