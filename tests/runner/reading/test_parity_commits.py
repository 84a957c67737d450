"""Sealed runs of two commits whose facts, samples or inventory were changed and sealed again: told by place."""

import pytest

from runner.contract.seal import digest
from runner.reading.sealed import open_run
from tests.commit_parities import OVERLAP
from tests.runner.reading.forger import Forger
from tests.runner.reading.parity_defects import Defect, judged, named

MEASURED = "measurement.files-bad-word.1"
SAMPLES = f"artifacts/{MEASURED}/samples.json"
TAKEN = {"sample": "taken", "ns": 1, "sha256": "0" * 64}
DAEMON = {
    "variant": "base",
    "cold": [TAKEN],
    "warm": [TAKEN],
    "burst": [TAKEN],
    "memory": [],
    "process_begin": 1,
    "process_end": 1,
}


@pytest.fixture
def forger(commits, tmp_path):
    return Forger.of(commits, tmp_path / "run")


def head(run: dict) -> dict:
    return run["facts"]["variants"][1]


def changes(run: dict) -> list:
    return head(run)["changes"]


def moved(run: dict, path: str, other: str) -> None:
    """Call a changed file otherwise, and keep them sorted."""
    next(item for item in changes(run) if item["path"] == path).update(path=other)
    changes(run).sort(key=lambda item: item["path"])


DEFECTS = {
    "another commit than the plan pins": Defect(
        "run.json",
        lambda it: head(it).update(commit="0" * 40),
        ("run.json: facts.variants[1].commit: head is made from another commit or other files than the plan pins; ",),
        ("P106",),
    ),
    "other files than the plan pins": Defect(
        "run.json",
        lambda it: head(it).update(tree="0" * 64),
        ("run.json: facts.variants[1].commit: head is made from another commit or other files than the plan pins; ",),
        ("P106",),
    ),
    "a change counted from nothing": Defect(
        "run.json",
        lambda it: head(it).update(against=None),
        (
            "run.json: facts.variants[1].against: head is compared with None, the plan holds it against base; ",
            "run.json: facts.variants[1].changes: head is the first, and changes nothing; ",
        ),
    ),
    "changes of the first commit": Defect(
        "run.json",
        lambda it: it["facts"]["variants"][0].update(changes=changes(it)),
        ("run.json: facts.variants[0].changes: base is the first, and changes nothing; ",),
    ),
    "a deleted file that was left out of the change": Defect(
        "run.json",
        lambda it: changes(it).remove(next(item for item in changes(it) if item["path"] == "legacy/shim.py")),
        ("run.json: facts.variants[1].changes: add and delete other numbers of files than base and head have; ",),
        ("P133",),
    ),
    "a changed file that stands twice": Defect(
        "run.json",
        lambda it: changes(it).insert(0, changes(it)[0]),
        ("run.json: facts.variants[1].changes: are not one a path, sorted by path; ",),
    ),
    "a changed file that no class names": Defect(
        "run.json",
        lambda it: moved(it, "tally/core.py", "elsewhere/core.py"),
        ("run.json: facts.variants[1].changes: no class of the plan names elsewhere/core.py; ",),
        ("P133",),
    ),
    "a binary file with lines": Defect(
        "run.json",
        lambda it: changes(it)[0]["change"].update(added=3),
        ("run.json: facts.variants[1].changes[0].change.added: extra inputs are not permitted",),
    ),
    "a fact of a package in the place of a commit": Defect(
        "run.json",
        lambda it: it["facts"]["variants"].__setitem__(
            1,
            {
                "variant": "head",
                "artifact": {"path": "x", "bytes": 0, "sha256": "0" * 64},
                "files": 9,
                "tree": "0" * 64,
                "extensions": 0,
                "same_as": "base",
                "same_files": 0,
                "other_files": [],
                "more_files": 0,
                "missing_files": 0,
            },
        ),
        ("run.json: facts.variants[1]: head is not made from a commit, and the plan says so; ",),
    ),
    "daemons that no protocol measures": Defect(
        SAMPLES,
        lambda it: it.update(daemons=[DAEMON, {**DAEMON, "variant": "head"}]),
        (f"{SAMPLES}: daemons: are there, and the protocol measures none; ",),
    ),
    "a judgement on daemons that no protocol measures": Defect(
        f"events/{MEASURED}.jsonl",
        lambda it: it.append({**judged(it, "samples-taken"), "criterion": "stable-daemons"}),
        (
            f"events/{MEASURED}.jsonl: judges 2 of the 1 criteria that samples.json gives; ",
            "timings.jsonl: ",
            f"events/{MEASURED}.jsonl: ",
        ),
    ),
}


@pytest.mark.parametrize("defect", named(DEFECTS))
def test_a_run_of_commits_is_refused_for(defect, forger):
    assert defect.told(forger) == set(defect.said)


def test_the_run_as_it_is_verifies(commits):
    open_run(commits.folder, name="run")


def without_inventory(plan: dict) -> None:
    plan["tasks"]["files"] = [item for item in plan["tasks"]["files"] if item["path"] != "tasks/overlap.toml"]


def with_other_inventory(plan: dict) -> None:
    text = OVERLAP.replace("observed_at", "seen_at")
    (file,) = (item for item in plan["tasks"]["files"] if item["path"] == "tasks/overlap.toml")
    file.update(text=text, sha256=digest(text.encode()))


@pytest.mark.rule("P136")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without_inventory, "tasks.files: lacks tasks/overlap.toml, which lists the other open changes"),
        (with_other_inventory, "tasks.files, tasks/overlap.toml, seen_at: "),
    ],
    ids=["without the inventory that it pins", "with an inventory that does not say its instant"],
)
def test_a_plan_is_refused(change, said, forger):
    forger.document("plan.json", change)
    assert any(said in problem for problem in forger.problems())
