"""The hostile project leaves no text out: each field of each record takes a payload, or refuses it for a reason."""

import pytest

from runner.contract.attempt import Attempt
from runner.contract.events import Event
from runner.contract.evidence import Commitment, Run, Timing
from runner.contract.license import LicenseMatrix
from runner.contract.plan import Plan
from runner.contract.reported.record import Reported
from runner.reading.manifest import read_study
from sitegen.sources import RulesRecord, SiteConfig, load
from sitegen.sources.content import ProtocolFront, ResultFront
from tests.hostile.comparison import STUDY
from tests.hostile.fields import SHORT, Poisoned, poison, text_fields
from tests.hostile.payloads import ADDRESSES, PAYLOADS, labelled
from tests.hostile.project import BATCHES, GROUP, HELD, a_hostile_project, hostile_text
from tests.hostile.unheld import unheld

DERIVED = {
    "Attempt": {"arm", "artifacts", "attempt", "events", "task"},
    "ArmResult": {"arm"},
    "Asked": {"lane", "task"},
    "CellResult": {"arm", "task"},
    "ComparisonTasks": {"backend"},
    "Criterion": {"id"},
    "CriterionResult": {"arm", "criterion", "task"},
    "Exclusion": {"arm", "proof", "task", "text"},
    "FeatureResult": {"arm"},
    "Finding": {"attempt", "criteria"},
    "LaneTotals": {"arm"},
    "MissingCell": {"arm", "reason", "task"},
    "PairedDifference": {"left", "right", "task"},
    "PinnedText": {"path", "sha256"},
    "Run": {"ended_at", "plan_sha256", "run", "started_at", "study"},
    "Slot": {"arm", "task"},
    "SubjectTasks": {"subject"},
    "Timing": {"attempt"},
    "UnknownTotals": {"reason"},
}
"""What a run derives from its command, its plan, its clock and its attempts, by record.

An exclusion's text is its manifest's; the reason of a missing cell is what its attempt says of its observation.
"""
PATTERNS = {
    "after_sha256", "arm", "attempt", "backend", "base_url", "before_sha256", "case", "changed", "commit", "curated",
    "cwd", "date", "expects", "file", "files", "help", "id", "instant", "keeps", "lane", "measure", "name", "on",
    "others", "parameter", "patch", "patch_sha256", "path", "pinned", "port", "proof", "publish", "recorded_at",
    "repository", "revision", "run", "salted_sha256", "script", "sha256", "step", "study", "subject", "symbol",
    "target", "task", "tasks", "to", "tool", "transcribed", "transcript", "tree", "version",
}  # fmt: skip
"""Names of fields whose pattern lets no mark-up through: slugs, digests, days, relative paths, names, web addresses."""


__all__ = ["unheld"]


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> Poisoned:
    """What the fields of the first batch came to."""
    return a_hostile_project(tmp_path_factory.mktemp("hostile"), 0)


def test_forty_payloads_and_seven_addresses_carry_the_name_of_their_field():
    assert (len(PAYLOADS), len(ADDRESSES), BATCHES * GROUP) == (40, 7, 40)
    for payload in (*PAYLOADS.values(), *ADDRESSES.values(), SHORT):
        assert "‹a.b~1›" in labelled(payload, "a.b~1")


def test_all_batches_together_put_every_payload_into_every_field():
    for number in range(3):
        seen = ""
        for batch in range(BATCHES):
            make = hostile_text(batch)
            seen += [make("a.b") for _ in range(number + 1)][number]
        assert all(labelled(payload, "a.b") in seen for payload in PAYLOADS.values())
        assert all(labelled(address, "a.b") in seen for address in ADDRESSES.values())


def test_every_field_that_holds_text_takes_a_payload_or_refuses_it(found):
    assert found.known - found.taken - found.refused == set()
    assert len(found.taken) > 80


def test_what_is_refused_has_a_pattern_or_is_held_to_something_else(found):
    refused = found.refused - found.taken - HELD

    assert {name for name in refused if name.partition(".")[2] not in PATTERNS} == set()


@pytest.mark.parametrize(
    "kind",
    [
        Plan,
        Run,
        Attempt,
        Timing,
        Commitment,
        LicenseMatrix,
        Event,
        SiteConfig,
        ProtocolFront,
        ResultFront,
        RulesRecord,
        Reported,
    ],
)
def test_no_record_of_a_study_a_run_or_a_site_is_left_out(found, kind):
    derived = {f"{record}.{name}" for record, names in DERIVED.items() for name in names}

    assert set(text_fields(kind)) - found.known - derived == set()


def test_a_field_that_the_sample_lacks_is_known_and_in_neither_list():
    found = Poisoned()
    poison(SiteConfig, {"title": {"en": "x", "zh": "x"}, "description": {"en": "x", "zh": "x"}}, lambda _: "<b>", found)

    assert found.taken == {"SiteConfig.title", "SiteConfig.description"}
    assert found.known - found.taken - found.refused == {"SiteConfig.base_url", "SiteConfig.repository"}


def test_the_project_reads_back_with_its_hostile_texts(tmp_path):
    found = a_hostile_project(tmp_path, 2)

    texts = set(found.values.values())
    assert read_study(tmp_path / "manifests/tiny").study.title.en in texts
    assert load(tmp_path).config.title.zh in texts
    design = read_study(tmp_path / f"manifests/{STUDY}").study.design
    assert all(lane.title.zh in texts for lane in design.arms)
