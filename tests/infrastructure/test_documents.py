"""What documents list is what the program has."""

import re
from pathlib import Path

from runner.contract.attempt import Outcome

ROOT = Path(__file__).parents[2]


def test_the_evidence_format_explains_every_outcome_and_no_other():
    text = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    table = text[text.index("| outcome | when |") :].split("\n\n")[0]

    assert re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE) == [outcome.value for outcome in Outcome]


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
