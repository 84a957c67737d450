"""Sealed parity runs whose samples, facts or plan were changed and sealed again: told by file and place."""

import pytest

from runner.contract.seal import digest
from tests.runner.reading.forger import Forger, said
from tests.runner.reading.parity_defects import ROW, Defect, named, of, process

MEASURED = f"events/measurement.{ROW}.jsonl"
SAMPLES = f"artifacts/measurement.{ROW}/samples.json"


@pytest.fixture
def forger(parity, tmp_path):
    return Forger.of(parity, tmp_path / "run")


def fail(samples: dict) -> None:
    samples["pairs"][2]["head"] = {"sample": "failed", "why": "exit 7, expected is exit 1"}


def exchange(samples: dict) -> None:
    """Another order, as balanced as the one that was drawn."""
    for pair in samples["pairs"]:
        pair["base_first"] = not pair["base_first"]


MEASUREMENTS = {
    "samples of another attempt": Defect(
        SAMPLES,
        lambda it: it.update(attempt=f"measurement.{ROW}.r1"),
        (
            f"{SAMPLES}: attempt: is of measurement.{ROW}.r1",
            "run.json: tally: cannot be recomputed",
        ),
    ),
    "pairs in another order": Defect(
        SAMPLES,
        exchange,
        (f"{SAMPLES}: pairs: are not the 4 that the protocol's seed gives, in its order",),
        rules=("P119",),
    ),
    "a pair left out": Defect(
        SAMPLES,
        lambda it: it["pairs"].pop(),
        (
            f"{SAMPLES}: pairs: are not the 4 that the protocol's seed gives, in its order",
            f"attempts.jsonl: measurement.{ROW} counts other samples than samples.json",
            f"{MEASURED}: tells of other samples than samples.json",
            f"{MEASURED}: samples-taken is judged as met, samples.json says otherwise",
            f"{MEASURED}: samples-taken states as observed",
            "run.json: analysis.",
        ),
        rules=("P119", "P123"),
    ),
    "a request left out": Defect(
        SAMPLES,
        lambda it: it["daemons"][1]["warm"].pop(),
        (
            f"{SAMPLES}: daemons[1].warm: 3 samples, planned are 4",
            f"attempts.jsonl: measurement.{ROW} counts other samples than samples.json",
            f"{MEASURED}: tells of other samples than samples.json",
            f"{MEASURED}: samples-taken is judged as met, samples.json says otherwise",
            f"{MEASURED}: samples-taken states as observed",
            "run.json: analysis.",
        ),
    ),
    "one sample more than is frozen": Defect(
        SAMPLES,
        lambda it: it["daemons"][0]["cold"].append(it["daemons"][0]["cold"][0]),
        (
            f"{SAMPLES}: daemons[0].cold: 3 samples, planned are 2",
            f"attempts.jsonl: measurement.{ROW} counts other samples than samples.json",
            f"{MEASURED}: tells of other samples than samples.json",
            f"{MEASURED}: samples-taken is judged as met, samples.json says otherwise",
            f"{MEASURED}: samples-taken states as observed",
            "run.json: analysis.",
        ),
        rules=("P119",),
    ),
    "a sample that failed": Defect(
        SAMPLES,
        fail,
        (
            f"attempts.jsonl: measurement.{ROW} counts other samples than samples.json",
            f"{MEASURED}: tells of other samples than samples.json",
            f"{MEASURED}: samples-taken is judged as met, samples.json says otherwise",
            f"{MEASURED}: samples-taken states as observed",
            "run.json: analysis.",
        ),
    ),
    "another process of the daemon": Defect(
        SAMPLES,
        lambda it: it["daemons"][0].update(process_end=7),
        (
            f"{MEASURED}: stable-daemons is judged as met, samples.json says otherwise",
            f"{MEASURED}: stable-daemons states as observed",
        ),
    ),
    "other counts": Defect(
        "attempts.jsonl",
        lambda it: of("measurement", it)["samples"][0].update(taken=3),
        (f"attempts.jsonl: measurement.{ROW} counts other samples than samples.json",),
    ),
    "other samples told": Defect(
        MEASURED,
        lambda it: next(item for item in it if item["event"] == "sampled").update(taken=3),
        (f"{MEASURED}: tells of other samples than samples.json",),
    ),
    "another seed call": Defect(
        MEASURED,
        lambda it: process(it, "base-seed")["argv"].append("--fast"),
        (f"{MEASURED}: line 1: starts base-seed with other words than the plan",),
    ),
    "a call of another step": Defect(
        MEASURED,
        lambda it: process(it, "base-seed").update(step="base-again-and-again"),
        (f"{MEASURED}: line 1: is of a step base-again-and-again, which starts no process in the plan",),
    ),
    "a call that profiles": Defect(
        MEASURED,
        lambda it: it.insert(0, {**process(it, "base-seed"), "step": "profile"}),
        (
            f"{MEASURED}: line 1: is of a step profile, which starts no process in the plan",
            f"timings.jsonl: line 6: measurement.{ROW} has 17 events and 16 instants",
        ),
        rules=("P123",),
    ),
}


@pytest.mark.parametrize("defect", named(MEASUREMENTS))
def test_a_measurement_that_protocol_and_samples_do_not_bear_out_is_named(forger, defect):
    assert defect.told(forger) == set(defect.said)


@pytest.mark.rule("P119")
def test_a_second_try_of_a_measurement_that_was_made_is_named(forger):
    def again(attempts: list) -> None:
        (first,) = (item for item in attempts if item["arm"] == "measurement")
        attempts.append({**first, "attempt": f"measurement.{ROW}.r1", "retry": 1, "artifacts": [], "events": None})

    forger.lines("attempts.jsonl", again)
    assert said(forger.problems(), f"measurement.{ROW}.r1 retries an attempt that ended as accepted")


@pytest.mark.rule("P119")
def test_a_gate_that_was_judged_by_another_limit_than_the_frozen_one_is_named(forger):
    def eased(plan: dict) -> None:
        plan["study"]["design"]["timing"]["gates"][1]["gate"]["bound_ns"] = 1

    forger.document("plan.json", eased)
    plan = digest((forger.folder / "plan.json").read_bytes())
    forger.document("run.json", lambda it: it.update(plan_sha256=plan))
    assert said(forger.problems(), "run.json: analysis.measurements[0].gates[1].judgement")


@pytest.mark.rule("P123")
@pytest.mark.parametrize("word", ["noise", "outlier", "excluded"])
def test_a_sample_has_no_name_but_taken_or_failed(forger, word):
    forger.document(SAMPLES, lambda it: it["pairs"][1]["head"].update(sample=word))
    assert said(forger.problems(), f"run/{SAMPLES}: pairs[1].head")


RUNS = {
    "variants in another order": Defect(
        "run.json",
        lambda it: it["facts"]["variants"].reverse(),
        ("run.json: facts.variants: are not the variants of the plan, in its order",),
        rules=("P106",),
    ),
    "a variant left out": Defect(
        "run.json",
        lambda it: it["facts"]["variants"].pop(),
        ("run.json: facts.variants: are not the variants of the plan, in its order",),
        rules=("P106",),
    ),
    "another artifact": Defect(
        "run.json",
        lambda it: it["facts"]["variants"][1]["artifact"].update(sha256="0" * 64),
        ("run.json: facts.variants[1].artifact: head is made from another file than the plan pins",),
        rules=("P106",),
    ),
    "compared with another variant": Defect(
        "run.json",
        lambda it: it["facts"]["variants"][3].update(same_as="base"),
        ("run.json: facts.variants[3].same_as: sdist is compared with base, the plan holds it against head",),
        rules=("P106",),
    ),
    "a detail of another kind of attempt": Defect(
        "attempts.jsonl",
        lambda it: next(item for item in it if item["arm"] == "base")["detail"].update(what={"did": "nothing"}),
        (f"attempts.jsonl: base.{ROW} states what a nothing did, and was none",),
    ),
}


@pytest.mark.parametrize("defect", named(RUNS))
def test_a_run_that_says_otherwise_than_its_plan_is_named(forger, defect):
    assert defect.told(forger) == set(defect.said)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda it: it["tasks"].update(reference="head"), "tasks.reference: head stated, the first variant is base"),
        (lambda it: it["tasks"].update(backends=["sqlite"]), "tasks.backends: are not those of the design"),
        (
            lambda it: it["tasks"]["files"].remove(
                next(file for file in it["tasks"]["files"] if "spoilt" in file["path"])
            ),
            "tasks.files: lacks what lies below fixtures/spoilt",
        ),
        (
            lambda it: it["manifest"].remove(next(file for file in it["manifest"] if "client" in file["path"])),
            "tasks.files: fixtures/client.py is not the file that the manifest pins",
        ),
    ],
)
def test_a_plan_that_says_otherwise_than_its_design_is_named(forger, change, words):
    forger.document("plan.json", change)
    assert said(forger.problems(), f"run/plan.json: {words}")
