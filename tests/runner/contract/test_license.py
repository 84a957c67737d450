"""The verdict of a license row: computed from three facts, and never from metadata alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.canonical import load
from runner.contract.errors import InvalidRecordError
from runner.contract.license import (
    Concluded,
    Declared,
    LicenseMatrix,
    LicenseRow,
    LicenseState,
    NotConcluded,
    NothingDeclared,
    TextAbsent,
    TextFound,
)
from runner.contract.values import Text

NOTHING = None


def a_row(declared: str | None, found: str | None, concluded: str | None) -> LicenseRow:
    """A row with these three facts; None where there is none."""
    both = Text(en="It is used.", zh="使用。")
    return LicenseRow(
        id="tool",
        name="tool",
        version="1.0",
        use=both,
        declared=Declared(expression=declared, where="METADATA") if declared else NothingDeclared(looked_at="METADATA"),
        detected=(
            TextFound(artifact="tool.whl", path="LICENSE", sha256="0" * 64, reads_as=found, detector="read by hand")
            if found
            else TextAbsent(artifact="tool.whl", looked_for=("LICENSE*",))
        ),
        concluded=Concluded(expression=concluded, by="A. Auditor", on="2026-11-30", why=both)
        if concluded
        else NotConcluded(),
    )


@pytest.mark.parametrize(
    ("declared", "found", "concluded", "state"),
    [
        (NOTHING, NOTHING, NOTHING, LicenseState.unknown),
        ("MIT", NOTHING, NOTHING, LicenseState.declared_only),
        (NOTHING, "MIT", NOTHING, LicenseState.text_only),
        ("MIT", "MIT", NOTHING, LicenseState.text_found),
        ("MIT", "Apache-2.0", NOTHING, LicenseState.conflict),
        ("MIT", "MIT", "MIT", LicenseState.cleared),
        (NOTHING, "MIT", "MIT", LicenseState.cleared),
        ("MIT", "MIT", "Apache-2.0", LicenseState.conflict),
        ("MIT", "Apache-2.0", "MIT", LicenseState.conflict),
        ("MIT", "Apache-2.0", "Apache-2.0", LicenseState.conflict),
        (NOTHING, "MIT", "Apache-2.0", LicenseState.conflict),
        ("MIT", NOTHING, "MIT", LicenseState.declared_only),
        (NOTHING, NOTHING, "MIT", LicenseState.unknown),
    ],
)
def test_the_verdict_follows_from_the_three_facts(declared, found, concluded, state):
    assert a_row(declared, found, concluded).state is state


EXPRESSION = st.sampled_from([None, "MIT", "Apache-2.0", "BSD-3-Clause"])


@pytest.mark.rule("L139")
@given(EXPRESSION, EXPRESSION)
def test_without_a_text_no_declaration_and_no_conclusion_clears_a_row(declared, concluded):
    assert a_row(declared, None, concluded).state in (LicenseState.declared_only, LicenseState.unknown)


@given(EXPRESSION, EXPRESSION, EXPRESSION)
def test_a_row_is_cleared_only_if_somebody_concluded_what_the_text_says_and_nothing_contradicts(
    declared, found, concluded
):
    cleared = a_row(declared, found, concluded).state is LicenseState.cleared
    assert cleared == (found is not None and concluded == found and declared in (None, found))


def test_no_file_can_state_a_verdict():
    row = a_row("MIT", "MIT", None).model_dump(mode="json") | {"state": "cleared"}
    with pytest.raises(InvalidRecordError, match=r"licenses.toml: state: extra inputs are not permitted"):
        load(LicenseRow, row, file="licenses.toml")


def test_absence_of_a_text_says_what_was_looked_for():
    row = a_row("MIT", None, None).model_dump(mode="json")
    row["detected"]["looked_for"] = []
    with pytest.raises(InvalidRecordError, match=r"detected.looked_for: tuple should have at least 1 item"):
        load(LicenseRow, row, file="licenses.toml")


def test_two_rows_of_one_name_are_refused():
    row = a_row("MIT", None, None).model_dump(mode="json")
    with pytest.raises(InvalidRecordError, match="row ids must be unique, twice: tool"):
        load(LicenseMatrix, {"format": "sealbook.licenses/1", "rows": [row, row]}, file="licenses.toml")
