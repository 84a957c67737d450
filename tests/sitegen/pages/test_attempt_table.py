"""Which columns the table of a run's attempts has follows from its study, and not from what its rows hold."""

from dataclasses import replace

import pytest

from runner.reading.manifest import read_study
from sitegen.pages.attempt_table import attempt_table
from sitegen.sources import RunSource
from tests.comparisons import Tiny, run
from tests.factories import a_sealed_run
from tests.studies import a_study

COMPARED, QUALIFIED = {"actions", "turned-down"}, {"processes", "kills", "clock-shifts", "feature"}


def compared(root):
    return run(root, Tiny().read(root / "manifests"))


def qualified(root):
    a_study(root / "manifests")
    return a_sealed_run(root, read_study(root / "manifests" / "tiny"))


@pytest.mark.parametrize(
    ("make", "own", "foreign"), [(compared, COMPARED, QUALIFIED), (qualified, QUALIFIED, COMPARED)]
)
@pytest.mark.parametrize("attempts", ["all", "none"])
def test_the_columns_are_those_of_the_study_kind_even_without_an_attempt(tmp_path, make, own, foreign, attempts):
    sealed = make(tmp_path)
    if attempts == "none":
        sealed = replace(sealed, attempts=(), timings=(), lines={}, current=frozenset())
    source = RunSource(sealed, published=False)
    keys = {column.key for column in attempt_table(source).columns}

    assert own <= keys
    assert not foreign & keys
