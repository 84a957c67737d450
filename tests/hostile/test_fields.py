"""The hostile project leaves no text out: each field of each record takes a payload, or refuses it for a reason."""

from typing import Self

import pytest
from pydantic import model_validator

from runner.contract.attempt import Attempt
from runner.contract.decision import Decision
from runner.contract.events import Event
from runner.contract.evidence import Commitment, Run, Timing
from runner.contract.license import LicenseMatrix
from runner.contract.parity.difference import Compared
from runner.contract.parity.inventory import Inventory
from runner.contract.parity.samples import Samples
from runner.contract.plan import Plan
from runner.contract.reported.record import Reported
from runner.contract.values import Record, Slug
from runner.reading.manifest import read_study
from sitegen.sources import RulesRecord, SiteConfig, load
from sitegen.sources.content import ProtocolFront, ResultFront
from tests.hostile.comparison import STUDY
from tests.hostile.fields import SHORT, Poisoned, poison, text_fields
from tests.hostile.payloads import ADDRESSES, PAYLOADS, labelled
from tests.hostile.project import BATCHES, GROUP, HELD, a_hostile_project, hostile_text
from tests.hostile.unheld import unheld

DERIVED = {
    "ArmResult": {"arm"},
    "Asked": {"lane", "task"},
    "Attempt": {"arm", "artifacts", "attempt", "events", "task"},
    "CellResult": {"arm", "task"},
    "ComparisonTasks": {"backend"},
    "Criterion": {"id"},
    "CriterionResult": {"arm", "criterion", "task"},
    "Exclusion": {"arm", "proof", "task", "text"},
    "FalseHoldRate": {"seed"},
    "FeatureResult": {"arm"},
    "Figures": {"variant"},
    "Finding": {"attempt", "criteria"},
    "LaneTotals": {"arm"},
    "Measurement": {"row"},
    "MissingCell": {"arm", "reason", "task"},
    "PairedDifference": {"left", "right", "task"},
    "ParityTasks": {"backends", "reference"},
    "PinnedText": {"path", "sha256"},
    "RowResult": {"backend", "row", "scenario"},
    "Run": {"ended_at", "plan_sha256", "run", "started_at", "study"},
    "Slot": {"arm", "task"},
    "SubjectTasks": {"subject"},
    "Timing": {"attempt"},
    "UnknownContention": {"reasons"},
    "UnknownFalseHoldRate": {"reason"},
    "UnknownOrderEffect": {"reason"},
    "UnknownQuantile": {"reason"},
    "UnknownTotals": {"reason"},
    "VariantResult": {"arm"},
}
"""What a run derives from its command, its plan, its clock and its attempts, by record.

An exclusion's text is its manifest's; the reason of a missing cell is what its attempt says of its observation; why it
is unknown whether a host was contended is what its samples say of it.
"""
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
    assert found.known.keys() - found.taken - found.refused == set()
    assert len(found.taken) > 80


def test_what_is_refused_has_a_type_that_refuses_it_or_is_held_to_something_else(found):
    assert found.bound - found.taken == set()
    assert found.refused - found.taken >= HELD


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
        Inventory,
        Compared,
        Samples,
        Decision,
        SiteConfig,
        ProtocolFront,
        ResultFront,
        RulesRecord,
        Reported,
    ],
)
def test_no_record_of_a_study_a_run_or_a_site_is_left_out(found, kind):
    derived = {f"{record}.{name}" for record, names in DERIVED.items() for name in names}

    assert text_fields(kind).keys() - found.known.keys() - derived == set()


def test_a_field_that_the_sample_lacks_is_known_and_in_neither_list():
    found = Poisoned()
    poison(SiteConfig, {"title": {"en": "x", "zh": "x"}, "description": {"en": "x", "zh": "x"}}, lambda _: "<b>", found)

    assert found.taken == {"SiteConfig.title", "SiteConfig.description"}
    assert found.known.keys() - found.taken - found.refused == {"SiteConfig.base_url", "SiteConfig.repository"}


class Weighed(Record):
    """A record with a text that another one decides, one that its type refuses, and names of its author's choice."""

    chosen: str
    repeated: str
    id: Slug
    notes: dict[str, str]

    @model_validator(mode="after")
    def _says_it_twice(self) -> Self:
        if self.repeated != "x":
            raise ValueError("is what it was")
        return self


def test_what_another_field_decides_is_told_from_what_its_own_type_refuses():
    found = Poisoned()
    poison(Weighed, {"chosen": "x", "repeated": "x", "id": "x", "notes": {}}, lambda _: "<b>", found)

    assert found.taken == {"Weighed.chosen"}
    assert found.refused == {"Weighed.repeated", "Weighed.id"}
    assert found.bound == {"Weighed.repeated"}


def test_the_name_of_a_member_takes_a_payload_as_its_value_does():
    def make(label: str) -> str:
        return f"<b>{label}"

    found = Poisoned()
    data = {"chosen": "x", "repeated": "x", "id": "x", "notes": {"one": "x", "two": "x"}}
    notes = poison(Weighed, data, make, found)["notes"]

    texts = [text for label, text in found.values.items() if label.startswith("Weighed.notes~")]
    assert sorted([*notes, *notes.values()]) == sorted(texts)
    assert len(texts) == 4


def test_the_project_reads_back_with_its_hostile_texts(tmp_path):
    found = a_hostile_project(tmp_path, 2)

    texts = set(found.values.values())
    assert read_study(tmp_path / "manifests/tiny").study.title.en in texts
    assert load(tmp_path).config.title.zh in texts
    design = read_study(tmp_path / f"manifests/{STUDY}").study.design
    assert all(lane.title.zh in texts for lane in design.arms)
