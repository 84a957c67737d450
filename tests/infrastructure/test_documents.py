"""What documents list is what the program has."""

import re
from pathlib import Path

from runner.contract.attempt import Outcome
from sitegen.twins.rows import HEADER

ROOT = Path(__file__).parents[2]


def test_the_evidence_format_explains_every_outcome_and_no_other():
    text = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    table = text[text.index("| outcome | when |") :].split("\n\n")[0]

    assert re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE) == [outcome.value for outcome in Outcome]


def test_the_columns_of_attempts_are_explained_in_their_order_and_no_others():
    text = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    table = text[text.index("| column | means |") :].split("\n\n")[0]

    assert tuple(re.findall(r"^\| `([a-z_]+)` \|", table, re.MULTILINE)) == HEADER


def test_every_decision_is_in_the_index_with_its_title():
    folder = ROOT / "docs" / "adr"
    index = (folder / "README.md").read_text(encoding="utf-8")
    decisions = sorted(path for path in folder.glob("*.md") if path.name != "README.md")

    assert len(decisions) >= 5
    for path in decisions:
        _, number, title = path.read_text(encoding="utf-8").splitlines()[0].split(" ", 2)
        assert path.name.startswith(number)
        assert f"[{number}]({path.name})" in index
        assert " ".join(title.split()[-2:]) in index
