"""What an unfinished comparison is held to when it is taken up again: each difference is told as what it is."""

from pathlib import Path

import pytest

from runner.contract.comparison.detail import ComparisonDetail, Library, ProbeAbsent
from runner.contract.comparison.tasks import Asked
from runner.contract.evidence import Beginning, ComparisonFacts
from runner.contract.plan import Plan, Selection
from runner.contract.seal import digest
from runner.contract.values import FileDigest, UnknownUsage
from runner.errors import RunChangedError
from runner.execute.resume import refuse_if_changed
from runner.kinds.comparison.kind import Comparison
from tests.comparisons import TEXT, Tiny
from tests.factories import an_order

FACTS = ComparisonFacts(
    backend="fixture",
    fixture=True,
    inputs=(FileDigest(path="configuration", bytes=1, sha256="0" * 64),),
    library=Library(name="rope", version="1"),
    probes=(),
)


@pytest.fixture
def frozen(tmp_path):
    return Tiny().read(tmp_path / "manifests")


def said(folder: Path, frozen, now: Plan, facts: ComparisonFacts) -> str:
    """What is told of a run that began with the fixture and `FACTS`."""
    order = an_order(folder, frozen)
    planned = Comparison().plan(frozen, Selection.full)
    began = Beginning(
        study=frozen.study.id,
        run="20261130T010203Z",
        selection=Selection.full,
        started_at="2026-11-30T01:02:03Z",
        source=order.source,
        runner=order.runner,
        environment=order.environment,
        tier=order.tier,
        plan_sha256=digest(planned.canonical()),
        facts=FACTS,
    )
    with pytest.raises(RunChangedError) as refused:
        refuse_if_changed(began, planned, now, order.source, order.runner, facts)
    return str(refused.value)


OTHER = {
    "inputs": ((FileDigest(path="configuration", bytes=1, sha256="1" * 64),), "the backend's configuration is not"),
    "library": (Library(name="rope", version="2"), "rope is of the version 2, not 1"),
    "probes": ((ProbeAbsent(tool="checker"),), "the probes are not the ones it began with"),
}


@pytest.mark.parametrize("name", OTHER)
def test_what_a_comparison_ran_on_is_told_by_its_name(tmp_path, frozen, name):
    value, words = OTHER[name]
    now = Comparison().plan(frozen, Selection.full)

    text = said(tmp_path, frozen, now, FACTS.model_copy(update={name: value}))
    assert words in text
    assert "subjects" not in text


def test_another_backend_is_told_and_not_another_manifest(tmp_path, frozen):
    facts = FACTS.model_copy(update={"backend": "chat"})
    text = said(tmp_path, frozen, Comparison(backend="chat").plan(frozen, Selection.full), facts)

    assert "it began with the backend fixture, and now chat is asked for" in text
    assert "not the one it began with" not in text
    assert "manifest" not in text


def test_another_part_of_the_matrix_is_told_as_that(tmp_path, frozen):
    now = Comparison(Asked(lane=TEXT)).plan(frozen, Selection.full)

    assert "now a selected one is asked for" in said(tmp_path, frozen, now, FACTS)


def test_an_attempt_that_a_scripted_agent_did_not_perform_is_a_fixtures_all_the_same(frozen):
    plan = Comparison(backend="agent").plan(frozen, Selection.full)
    nothing = Comparison(backend="agent").unperformed(plan, FACTS.model_copy(update={"backend": "agent"}))

    assert isinstance(nothing.detail, ComparisonDetail)
    assert nothing.detail.fixture
    assert isinstance(nothing.usage, UnknownUsage)
